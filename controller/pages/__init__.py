"""Pages of the table and the process that serves them.

- `display/`: The pages, their interface and their words (controller/pages/display/DISPLAY.md).
- `page_process/`: The process that serves the pages, and its connection to the daemon.
"""
