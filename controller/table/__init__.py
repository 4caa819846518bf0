"""One table: the loop around the game, the daemon, the source of the pages, commissioning.

- `chips/`: The register of chips at a desk: batches read by one reader, counts compared with it.
- `commissioning/`: `crisscross check`: devices that do not answer and why, readers and circles, lamps and
  keys, the report.
- `daemon/`: `crisscross run`: the daemon, its devices, its health and its sockets.
- `display_source/`: Answers of the daemon to its pages: views, figures, earlier rounds, authentication.
- `engine/`: The loop: events in, journal, game, effects out.
"""
