"""Evidence against honest players over millions of rounds, computed for many rounds at once."""
