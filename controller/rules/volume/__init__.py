"""Whole rounds in arrays: the same game as the table (controller/rules/volume/VOLUME.md); NumPy is
required (the extra `odds`).

- `arrays`: Shapes of the kernel's arrays: cards, cents and codes, one column per round.
- `best_player`: The best player: each decision has the highest expectation over all cards that may still
  come.
- `deal`: Shuffled decks, and the places of their cards by the pack's own template of the deal.
- `play`: Millions of rounds played quickly: a batch of rounds at once in NumPy arrays, first the decisions of
  a strategy, then the settlement.
- `rules`: A rule pack as integers: the effect of each line of a hand on each wager, and the order of the
  settlement.
- `settle`: The settlement of many rounds: outcome and payout of each wager, and the cut by a payout limit.
- `strategies`: Random strategies: players who choose at random, and random wagers at the close, for a test of
  the fast kernel itself (certification).
- `table_view`: One round of a batch in the table's own form: the items of its settlement, and its record.
"""
