"""Frozen data of the game: names, cards, events, effects, rules, state, ledger and the catalogue of
irregularities.

- `cards`: Cards: a rank and a suit in two letters, as files, frames and records write them (``QH``, ``TD``).
- `chips`: Amounts made of chips.
- `effects`: Effects: what the runtime is to do now, in the imperative.
- `events`: Events: what happened, in the past tense.
- `evolve`: `dataclasses.replace` for the big frozen classes of the state, copied in one go.
- `faults`: Effects of each fault of a device or of the machine in each phase: one table, printed in
  controller/game/IRREGULARITIES.md.
- `hand`: A poker hand as data: its category and the ranks that decide within it.
- `irregularities`: The catalogue of everything that may go wrong, and of what dealers report: one entry a
  code, with every fact about it.
- `ledger`: The money of one round, double entry, in whole cents.
- `names`: The names of the table: seats, circles, places of the cross, phases, ways of dealing.
- `naming`: The one name of an irregularity: its code, or where the code has several kinds a finer name.
- `plan`: Plans that are part of the state: the deliveries of the deal, the items of the settlement.
- `record`: The fields of a round record (controller/COMMANDS.md) and of a correction of it, JSON-able.
- `round`: One round as frozen data, split along play: the deal, the decisions, the settlement, the ending.
- `rules`: A rule pack as frozen data: what one jurisdiction's text says of the game.
- `side_bets`: The side bets by what they are: read off the entries of `Wager` (names.py), where a new one is
  added.
- `state`: The whole state of a table as frozen data, and the small questions that can be asked of it.
- `transition`: One event being worked: the state under construction, its effects, and the ways to change it.
"""
