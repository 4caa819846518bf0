"""The tree, the notes and what is signed."""
