"""Evidence against honest players over millions of rounds, counted for many rounds at once."""
