"""Edits of a sealed journal by somebody who has the whole machine: every one has to be named by `verify`."""
