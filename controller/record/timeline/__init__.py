"""Rounds rebuilt from the journal as a timeline, for pages and audits.

- `archive`: Rounds of a journal, read while a daemon runs: all of them, the newest first, or the timeline of
  one.
- `changes`: Changes caused by an event, from the table before and after it: cards dealt and turned, bets,
  folds, settlements, phases.
- `entries`: A round as a timeline of typed entries, and its irregularities, each from beginning to end.
- `fold`: Folding of a round's events into its timeline, the list of its events in order of time: the entries
  of each event and of its consequences, timed from the round's start.
- `luck`: Win against expectation (luck) by day and dealer, from the records of a journal; for the page of
  figures.
- `public`: Timeline as data, and for a screen with turned faces only.
- `reader`: Reader of rounds for the pages, in a process of its own: `python -m
  controller.record.timeline.reader JOURNAL`.
- `round_filters`: Filters of rounds by their summary: day, dealer, seat, kind of irregularity, amount; and
  the list as CSV.
- `touches`: Entries for events themselves: a dealer's touch, a floorperson's decision, a device's report.
- `troubles`: Irregularities of a timeline: when an alert, a hold or a note began, the amounts present and
  due, when and how it ended.
"""
