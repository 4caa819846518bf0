"""`crisscross check`: devices that do not answer and why, readers and circles, lamps and keys, the report.

- `asking`: Asks the shoe and all readers once; if one does not answer, listens on its line to find the cause.
- `by_hand`: Tests at the installation that need a person: the circle of each reader, the name of each key,
  the colours of each lamp.
- `causes`: Causes that state why a reader or the shoe does not answer on its serial line, and their remedies,
  such as another baud rate, a plug or a supply (troubleshooting).
- `check`: `crisscross check`: finds out when a table is ready for play (commissioning), one line for each
  check.
- `cli`: `crisscross check`: its options, its output and its exit status: 0 no failure, 1 a failure, 2
  unusable input.
- `deck`: Test of the shoe with a known deck: the whole pack goes through it, and its reads are compared with
  the pack: which cards it read correctly.
- `lines`: Results of `crisscross check`, line by line: for a terminal, for paper and as JSON.
- `machine`: Requirements of the machine itself: free space, a real-time clock with the right time (a battery
  holds it), a free port for the pages.
- `pair_shoe`: `crisscross shoe pair`: pairs a table with its shoe; a technician runs it while no daemon runs.
- `panel`: Lamps and keys at commissioning: lights every lamp in each colour (red, green, blue), or asks a
  person about each.
- `walk`: Finds the reader under each circle: a person lays a chip on one circle after the other.
"""
