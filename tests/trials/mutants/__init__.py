"""Small errors put into the game, one at a time, to see whether its tests notice (`make mutants`)."""
