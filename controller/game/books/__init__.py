"""Accounts of the money: amounts due, the hand that moved chips, the entries.

- `chip_owners`: Owners of the chips that a reader can distinguish: another's chips pay nobody.
- `dues`: Amounts that are due in the books of a round: the wagers that count, the tray's part of each,
  differences.
- `former`: Former contents of a circle: whether its chips replace others of the same total, or only passed
  over it.
- `movements`: Money moves: what a reader saw, a dealer or a floorperson said, becomes entries in the books.
- `whose_hand`: Inference of who moved chips: a reader sees only how much came to a circle or left it.
"""
