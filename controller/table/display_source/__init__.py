"""Answers of the daemon to its pages: views, figures, earlier rounds, authentication.

- `authenticate_event`: Replaces typed badges and numbers in people's events by names; refuses people who do
  not authenticate.
- `authenticator`: Authentication of people: a typed badge or number and its PIN are checked and changed into
  a name.
- `earlier_rounds`: The last rounds before this start, for the dealer's recall, replayed from the oldest
  stored snapshot.
- `figures`: Figures of the floor page that are not in the view: the last events without faces, and a few
  counts.
- `levels`: Brightness of screens and lamps, and the screens' sound: set by the table file's schedule, such as
  dimmed at night, and by hand.
- `levels_file`: File with the brightness and sound set by hand, beside the journal (`journal.db.room`), for a
  restart.
- `periods`: Figures of a period (shift, day, all) for the page of figures, from the tally.
- `round_reader_client`: Client of the process that reads past rounds (controller/record/timeline/reader.py).
- `source`: Interface of the pages to the running table: implements `DisplaySource` on the engine.
"""
