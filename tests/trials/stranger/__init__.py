"""Devices that were built from drivers/shoe/LINK.md alone, and the complete product played with them."""
