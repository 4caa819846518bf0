"""The HTTP server of the pages, with limits on connections and requests.

- `admitted`: Hosts, frames and bodies that the guard admits (`request_guard.py`).
- `connection_limits`: Limits how many connections the pages may have, and how long each connection may wait,
  so that a slow client cannot block the pages.
- `connection_owner`: Owner of a connection to the pages: the Unix user that opened the socket at its other
  end, as the kernel reports.
- `host_names`: Names and addresses of hosts, as options and files give them.
- `http_post`: One HTTP POST, limited in time and in the size of the answer, without redirects or a proxy.
- `log_rate_limit`: Rate limit of a log, so that clients cannot fill it: one record per message every ten
  seconds.
- `request_guard`: Guard in front of every route: hosts and origins of requests, size of bodies, headers of
  responses.
- `server`: Pages over HTTP: uvicorn on a socket, in the program's own event loop.
- `server_tls`: TLS (HTTPS) of a server of pages, from PEM files of a certificate that may be renewed while it
  runs.
- `sessions`: Sessions of signed-in browsers, and the waiting time after wrong passwords.
- `sock_diag`: Look-up of one TCP socket of this machine in the kernel: sock_diag(7), Linux
  uapi/linux/inet_diag.h.
- `static_folder`: Files of one folder of the package: scripts, styles, fonts, pictures.
"""
