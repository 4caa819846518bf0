"""The pit: what many tables tell of themselves, kept once each, and shown on one floor. Never on a table."""
