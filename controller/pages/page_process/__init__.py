"""The process that serves the pages, and its connection to the daemon.

- `listener`: The daemon's side of a page process that another user runs and that connects to a Unix socket.
- `main`: The process that serves the pages, and parses all input from the network in place of the daemon.
- `requests`: Requests of the page process to the daemon: one strict JSON object per line, in one of these
  forms.
- `rpc_client`: The page process's end of the connection to the daemon: a `DisplaySource` that sends requests.
- `rpc_server`: The daemon's end of the connection to the page process: one JSON object per line, in both
  directions.
- `spawn`: Starts the page process before the daemon reads the table file, so that both import at the same
  time.
- `supervisor`: The daemon's side of the pages: starts the page process, answers it, and restarts it when it
  has ended.
- `wait_for_disk`: A start on a full disk: the daemon waits for room, and the display shows why.
"""
