"""Tests of a witness over HTTP and its feed, with false answers, forks and silence."""
