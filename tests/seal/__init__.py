"""Tests of the tree, the notes and the signatures."""
