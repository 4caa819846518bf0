"""The package on an ARM userland, which a PC's processor emulates. Run by `make test-arm`."""
