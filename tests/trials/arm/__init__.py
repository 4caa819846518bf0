"""Trial of the package on an emulated ARM userland: `make test-arm`."""
