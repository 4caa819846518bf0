"""`crisscross check`: devices that do not answer and why, readers and circles, lamps and keys, the report.

- `asking`: Asks the shoe and all readers once, and listens on the line of each that does not answer to find
  the cause.
- `by_hand`: Checks that need a person: which circle a reader is under, which key is which, which colour a
  lamp shows.
- `causes`: Causes of a missing device on a serial line, found from its driver and its line, and their
  remedies.
- `check`: `crisscross check`: commissioning, from an empty table to `ready for play`, one line for each
  check.
- `cli`: `crisscross check`: options in, lines out; exit status 0 no failure, 1 a failure, 2 unusable input.
- `deck`: The shoe with a known deck: a complete pack goes through it, and its reads are compared with the
  pack.
- `lines`: Results of `crisscross check`, line by line: for a terminal, for paper and as JSON.
- `machine`: Requirements of the machine itself: free space, a plausible clock, a free port for the pages.
- `pair_shoe`: `crisscross shoe pair`: a technician pairs the table with its shoe while no daemon runs.
- `panel`: Lamps and keys at commissioning: lights every lamp in each colour, or asks a person about each.
- `walk`: Which reader is under which circle: a person lays a chip on one circle after the other.
"""
