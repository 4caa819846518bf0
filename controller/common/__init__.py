"""Parts that do not depend on the game: files, sockets, HTTP, processes, texts, hash trees.

- `clock`: Clock of the table: the only place in the program that reads the time.
- `command_examples`: Examples for `--help` of each command: a line to type, and its effect.
- `command_line`: Command-line parser to which every area adds its commands: one line for a wrong option, help
  with examples and defaults.
- `extras`: Command that installs the packages of an extra of this program, as pyproject.toml lists the
  extras.
- `files/`: Files that people write, read with line numbers, and files that the program replaces atomically.
- `http/`: The HTTP server of the pages, with limits on connections and requests.
- `ipc/`: Unix sockets between programs of different users: identity of the peer, requests and answers as
  lines of JSON.
- `notify/`: Notifications by webhook and by mail, with retries, for the pit and for surveillance.
- `process/`: The process and its machine: limits, notifications to systemd, the end after an unforeseen
  error.
- `secret_hash`: PINs and passwords as argon2id hashes (RFC 9106).
- `terminal`: Colour and progress for a person at a terminal; plain text otherwise.
- `texts/`: Texts of every page, one YAML file per language, and the catalogue that reads them.
- `tlog/`: Merkle trees and signed notes (RFC 9162; C2SP tlog-checkpoint, signed-note).
- `token_bucket`: Token bucket (rate limit): an allowance that is used up and refills at a fixed rate.
"""
