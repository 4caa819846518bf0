"""The rules at work: pure functions from a state and an event to the next state and effects. `table.py` has
the state table.

- `books/`: Accounts of the money: amounts due, the hand that moved chips, the entries.
- `model/`: Frozen data of the game: names, cards, events, effects, rules, state, ledger and the catalogue of
  irregularities.
- `phases/`: Events of each phase: deck, betting, deal, decisions, settlement, void; people, reports,
  corrections, the record.
- `rulebook/`: Arithmetic of the rule texts: hands, wagers, order of the deal, maximum win, list of settlement
  steps.
- `showing/`: Prompts, lamps and pages read off the state; `public.py` alone decides what is public.
- `table`: State table: which event is allowed in which phase, and the handler of each.
- `watching/`: Readings of chips become facts; each circle is judged, and alerts are raised and cleared.
"""
