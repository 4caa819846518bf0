"""The process that serves the pages, and its connection to the daemon.

- `listener`: Daemon's side of the pages if another user runs the page process, which connects to a Unix
  socket.
- `main`: The process that serves the pages, and parses all input from the network in place of the daemon.
- `requests`: Requests of the page process to the daemon: one strict JSON object per line, in one of these
  forms.
- `rpc_client`: Client in the page process: implements `RemoteSource` by requests to the daemon.
- `rpc_server`: Server in the daemon for the requests of the page process: one JSON object per line, in both
  directions.
- `spawn`: Starts the page process before the daemon reads the table file, so that both import their modules
  at the same time.
- `supervisor`: Daemon's side of the pages if the page process is its child: starts it, answers it, and
  restarts it after a crash.
- `wait_for_disk`: Start on a full disk: the daemon waits for free space, and the display shows why.
"""
