"""The disk of `make image`, booted on an emulated ARM board, played on and cut off. `make test-image`."""
