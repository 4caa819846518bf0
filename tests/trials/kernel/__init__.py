"""Keys, lamps and the daemon on a kernel's own GPIO and SPI, in an emulated machine. `make test-kernel`."""
