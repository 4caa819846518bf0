"""Edits of a sealed journal by an attacker who controls the machine: `verify` must name each of them."""
