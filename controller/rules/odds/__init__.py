"""The exact odds of a rule pack (controller/rules/odds/ODDS.md); all but `pack.py` and `cards.py` need NumPy
(the extra `odds`).

- `advantage`: No house plays by rules that a perfect player would win, unless the pack says why, with the
  figure.
- `base`: One hole against every cross: the classes of hand, and what the wagers come to at each decision.
- `cards`: Cards as the numbers 0 to 51, in the order of the table's own deck, and the 169 kinds of hole
  cards.
- `cli`: `crisscross par`: the exact odds of a rule pack, as a table, as JSON, as one page to print.
- `collusion`: Value of knowing cards in other players' hands: drawn at random, each draw worked out exactly.
- `counts`: All deals of the base game, counted by how they are played and what hands they make.
- `expected`: Value of a round to the house by the wagers as laid and decided, and the spread of its luck.
- `figures`: The figures of a PAR sheet from counted deals: edges, frequencies, spread, decisions, net
  results.
- `hands`: Five cards into the table's own classes of hand, millions at a time.
- `known`: Knowledge of a player about cards that lie face down, as typed after `crisscross par --known`.
- `luck`: Value of the cards that came to a seat, decision by decision, in plain Python: no NumPy on a table.
- `middle`: One hole's decisions when the middle card is known: both hands then follow from their pairs alone.
- `pack`: Parts of a rule pack on which its odds depend: pay tables, multiples, push lines.
- `page`: The figures of a pack as one HTML page: to be kept, mailed, printed on A4, without network or
  script.
- `plan`: The best play of a hole without knowledge of others' cards, and what it costs one who has it to keep
  to it.
- `plots`: Two kinds of plot as SVG that stands in a page: bars with their figures, and the grid of the 169
  holes.
- `questions`: Questions to `crisscross par` beside the sheet: known cards, collusion, the best decision.
- `seen`: Value of a round to a player who knows cards before their time, at the best play with that
  knowledge.
- `sheet`: The figures of a pack as a table to read.
- `shelf`: Counted odds in files: written once where NumPy is, read on tables without it.
- `side_bets`: Numbers of hands of five and of six cards by class, from which a side bet's odds follow.
- `solve`: The best play of the base game with one kind of hole, and of all, by enumeration.
- `strategy`: The best decision for cards that are given, and the first decision for every kind of hole.
- `subject`: Subject of a question about odds: a pack that comes with the program, a house's own file, or a
  table's.
- `tree`: One hole's decisions worked out whole: every Across pair, Down pair and middle card that may lie
  there.
"""
