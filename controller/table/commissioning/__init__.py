"""`crisscross check`: devices that do not answer and why, readers and circles, lamps and keys, the report.

- `asking`: The shoe and the readers, each asked once; what does not answer is listened to, to say why.
- `by_hand`: Checks that need a person's eyes: which circle a reader is under, which key is which, what colour
  a lamp has.
- `causes`: Causes of a device missing on a serial line, by its driver and its line, and their remedies.
- `check`: `crisscross check`: commissioning.
- `cli`: `crisscross check`: options in, lines out, exit status 0 nothing failed, 1 something did, 2 unusable
  input.
- `deck`: The shoe with a known deck: a whole pack goes through it, and what it read is compared with what lay
  in it.
- `lines`: Results of `crisscross check`, line by line: for a terminal, for paper and as JSON.
- `machine`: Requirements of the machine itself: free space, a plausible clock, a free port for the pages.
- `pair_shoe`: `crisscross shoe pair`: a technician pairs the table with its shoe, while no daemon runs.
- `panel`: Lamps and keys at commissioning: opened, every lamp lit in each colour, or asked of one by one.
- `walk`: Which reader is under which circle: a chip is laid on one circle after the other, and the readers
  tell.
"""
