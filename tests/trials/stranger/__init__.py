"""Devices that were built from drivers/shoe/LINK.md alone, and the product played against them."""
