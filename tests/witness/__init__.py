"""A witness over HTTP, its feed, and what both make of lies, forks and silence."""
