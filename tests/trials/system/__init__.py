"""The package on a real systemd: `make test-system`. Programs to be run, no tests of pytest."""
