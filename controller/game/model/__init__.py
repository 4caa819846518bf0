"""Frozen data of the game: names, cards, events, effects, rules, state, ledger and the catalogue of
irregularities.

- `cards`: Cards: a rank and a suit in two letters, as files, frames and records write them (``QH``, ``TD``).
- `chips`: Change making: the fewest chips for an amount.
- `effects`: Effects: actions that the runtime carries out after an event, in the imperative.
- `events`: Events: what happened, in the past tense.
- `evolve`: Fast `dataclasses.replace` for the large frozen classes of the state.
- `faults`: Effects of each fault of a device or of the machine in each phase: one table, printed in
  controller/game/IRREGULARITIES.md.
- `hand`: A poker hand as data: its category and the ranks that decide within it.
- `irregularities`: Catalogue of all irregularities: the list of everything that can go wrong, and of all
  reports that dealers make.
- `ledger`: Ledger of one round's money: double-entry bookkeeping in whole cents.
- `names`: Names of the table: seats, circles, places of the cross, phases, deal methods.
- `naming`: Name of an irregularity: its code, or a more specific name if the code covers several kinds.
- `plan`: Plan items as data: deliveries of cards in the deal, and the dealer's acts in the settlement.
- `procedures`: Revisions of the table's own readings of the rules.
- `record`: Fields of a round record (controller/COMMANDS.md) and of its corrections, ready for JSON.
- `round`: One round as frozen data, in the order of play: the deal, the decisions, the settlement, the
  ending.
- `rules`: Rule pack as frozen data: the content of one jurisdiction's text.
- `side_bets`: Side bets by their nature, from the entries of `Wager` (names.py); a new one is added there.
- `state`: Complete state of a table as frozen data, with simple queries.
- `transition`: One event in progress: the state under construction, its effects, and the ways to change it.
"""
