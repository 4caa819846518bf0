"""Copies of a journal: whole ones, and archives of what is older than it has to hold."""
