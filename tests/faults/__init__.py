"""Faults of the machine under a table: its clock is set, descriptors run out, a process dies."""
