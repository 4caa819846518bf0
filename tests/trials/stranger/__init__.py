"""Devices built from drivers/shoe/LINK.md alone, and the complete product with them."""
