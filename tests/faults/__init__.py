"""What the machine under a table may do to it: its clock is set, it has no descriptors, a process dies."""
