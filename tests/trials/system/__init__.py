"""Trial of the package on a real systemd: `make test-system`. These programs are not pytest tests."""
