"""Edits of a sealed journal by an attacker who controls the machine: `verify` has to name each of them."""
