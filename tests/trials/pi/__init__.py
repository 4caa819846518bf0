"""Pins and lamps on a Pi's own kernel drivers, in an emulated Pi 3. `make test-pi`."""
