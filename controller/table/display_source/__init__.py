"""Answers of the daemon to its pages: views, figures, earlier rounds, authentication.

- `authenticate_event`: Acts of people with the person's name in place of what they typed; refused if they do
  not authenticate.
- `authenticator`: Authentication of people: a typed badge or number and its PIN become a name.
- `earlier_rounds`: The rounds before this start, for the dealer's recall, replayed from the oldest snapshot
  that is kept.
- `figures`: Figures of the floor page beside the view: the last events without faces, and a few counts.
- `levels`: Brightness of screens and lamps, and whether the screens sound: by the table file's schedule, and
  by hand.
- `levels_file`: Brightness and sound chosen by hand, beside the journal (`journal.db.room`): a restart keeps
  them.
- `periods`: The tally of a period, as the page of figures shows it.
- `round_reader_client`: Asks the reader of rounds, a process of its own
  (controller/record/timeline/reader.py), and waits off the loop.
- `source`: Interface of the running table towards the display: `DisplaySource`, on the engine.
"""
