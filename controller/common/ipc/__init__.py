"""Unix sockets between programs of different users: identity of the peer, requests and answers as lines of
JSON.

- `rpc`: Requests and answers as lines of JSON on a Unix socket, between two programs of different users.
- `unix_socket`: Unix stream sockets between two programs of one machine that run as different users: each
  checks the user at the other end.
"""
