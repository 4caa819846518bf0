"""Rounds rebuilt from the journal as a timeline, for pages and audits.

- `archive`: The rounds of a journal, read beside a running daemon: all of them with the newest first, or any
  one whole.
- `changes`: Changes that an event caused, read off the table before and after it: cards dealt and turned,
  bets, folds, settlements, phases.
- `entries`: A round as it happened: a line of time with typed entries, and what went wrong in it, each from
  beginning to end.
- `fold`: A round's events folded into its story: what each said, and what followed of it, with the time since
  the round's start.
- `luck`: Win against expectation by day and dealer, from the records of a journal; for the page of figures.
- `public`: A story as data, and a story for a screen: with turned faces only.
- `reader`: Reads rounds for the pages, in a process of its own: `python -m controller.record.timeline.reader
  JOURNAL`.
- `round_filters`: The filters that find a round by its line: day, dealer, seat, kind of irregularity, amount.
- `touches`: Entries of an event itself: the touch of a dealer, the word of a floorperson, the report of a
  device.
- `troubles`: Irregularities of a story: when an alert, a hold or a note came, what lay and what was due, how
  and when it ended.
"""
