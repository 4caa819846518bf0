"""The exact odds of a rule pack (controller/rules/odds/ODDS.md); all but `pack.py` and `cards.py` need NumPy
(the extra `odds`).

- `advantage`: Check that no pack lets a perfect player win, unless the pack states a reason and the figure.
- `base`: One hole against every cross: the class of each hand, and the results of the wagers at each
  decision.
- `cards`: Cards as the numbers 0 to 51, in the order of the table's own deck, and the 169 kinds of hole
  (starting hands), which are distinguished by ranks and by one suit or two.
- `cli`: `crisscross par`: the exact odds of a rule pack, as a table, as JSON or as one page to print.
- `collusion`: Value of knowing cards in another player's hand (how much collusion helps): draws at random,
  each one computed exactly.
- `counts`: All deals (combinations of cards) of the base game, counted by the bets made and the hands that
  result.
- `expected`: Expected win of the house in a round, given the wagers as laid and decided, and the variance of
  its luck.
- `figures`: Figures of a PAR sheet from counted deals: house edge (return to the player), frequency of each
  payout, standard deviation (variance), decisions, net results.
- `hands`: Poker hand evaluator in NumPy: the class of millions of hands at a time, the same as the table's
  own.
- `knowledge_value`: Value of a round to a player who knows cards too early, at the best play with that
  knowledge.
- `luck`: Luck of a seat's cards, separated from the skill of its decisions, stage by stage, in plain Python,
  since a table has no NumPy.
- `middle`: One hole's decisions when the middle card is known: each hand then depends on its own pair only.
- `odds_files`: Counted odds in files: written once on a machine with NumPy, read on tables without it.
- `pack`: Parts of a rule pack on which its odds depend: pay tables, multiples, push lines.
- `page`: Figures of a pack as one HTML page to store, mail or print on A4, without network or script.
- `plan`: Best play of a hole for an honest player, and the gain of a player who also knows other players'
  cards.
- `player_knowledge`: Knowledge of a player about cards that lie face down, as typed after `crisscross par
  --known`.
- `plots`: Two kinds of plot as SVG for a page: bars with their figures, and the grid of the 169 holes.
- `questions`: Questions to `crisscross par` besides the sheet: known cards, collusion, the best decision.
- `sheet`: Figures of a pack as tables for a terminal.
- `side_bets`: Number of hands of each class among five and six cards, from which the odds (probabilities) of
  a side bet follow.
- `solve`: Finds the best play of the base game by enumeration of every deal.
- `strategy`: The best strategy: the best decision for a given hand, and the first decision for every kind of
  hole.
- `subject`: Rule pack that a question about odds refers to: one that comes with the program, a house's own
  file, or a table's pack.
- `tree`: Decision tree of one hole: every Across pair, Down pair and middle card that may come.
"""
