"""Cost of the program in instructions, which are the same on a busy machine and a quiet one."""
