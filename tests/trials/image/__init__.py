"""Trial of the disk of `make image`, booted on an emulated ARM board: `make test-image`."""
