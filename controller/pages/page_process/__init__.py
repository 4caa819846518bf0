"""The process that serves the pages, and its connection to the daemon.

- `listener`: The daemon's side of a page process of another user: it connects to a Unix socket, and binds the
  port of the pages itself (`crisscross pages`, systemd/crisscross-pages.service).
- `main`: The process that serves the pages.
- `requests`: Requests of the page process to the daemon: one strict JSON object a line, in one of the forms
  below.
- `rpc_client`: The page process's end of the socket pair to the daemon: a `DisplaySource` made of requests
  and answers.
- `rpc_server`: The daemon's end of the socket pair to the page process: one JSON object a line, each way.
- `spawn`: The process that serves the pages, as the daemon starts it: before it reads the table file, so that
  both import what they need at one time.
- `supervisor`: The daemon's side of the pages: starts the page process, answers it, and restarts it when it
  has ended.
- `wait_for_disk`: A start on a full disk: the daemon waits for room, and whoever opens the display reads why.
"""
