"""Devices that were built from the contract's pages alone, and the product played against them."""
