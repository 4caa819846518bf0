"""Pictures and PDF files of the manuals: `python -m tests.manuals`, `make manuals`."""
