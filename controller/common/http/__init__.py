"""The HTTP server of the pages, with limits on connections and requests.

- `connection_limits`: Limits of the connections to the pages: how many there may be, and how long each may
  wait.
- `connection_owner`: Owner of the other end of a connection to the pages: the user that created that socket,
  by the kernel.
- `log_rate_limit`: A log that cannot be filled from outside: of the same line, one in ten seconds.
- `request_guard`: The guard in front of every route: who may ask, how much they may send, what the answer
  carries.
- `server`: Pages over HTTP: uvicorn on a socket, in the program's own event loop.
- `sock_diag`: Look-up of one TCP socket of this machine in the kernel: sock_diag(7), Linux
  uapi/linux/inet_diag.h.
"""
