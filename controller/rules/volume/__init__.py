"""Whole rounds in arrays: the same game as the table (controller/rules/volume/VOLUME.md); NumPy is
required (the extra `odds`).

- `arrays`: The shapes that the kernel speaks in: cards, cents and codes as arrays, one column a round.
- `best`: The best player there is: each decision the one whose expectation is highest over all that may still
  come.
- `deal`: Shuffled decks, and where their cards go: by the pack's own template of the deal, column by column.
- `play`: Whole rounds at once: decisions by a strategy, then the settlement.
- `rules`: A rule pack as integers: what each line of a hand does to each wager, and the order of the
  settlement.
- `settle`: The settlement of many rounds: what becomes of each wager, what it pays, what a payout limit
  leaves of it.
- `strategies`: Players who choose at random, and what lies there at the close: for certification of the
  kernel itself.
- `table_view`: One round of a batch in the table's own words: the items of its settlement, and its record.
"""
