"""Accounts of the money: amounts due, the hand that moved chips, the entries.

- `chip_owners`: Owners of the chips that a reader can distinguish: another wager's chips are not a payout.
- `dues`: Amounts due in the books of a round: the wagers that count, the tray's part of each, differences.
- `former`: Former contents of a circle: whether its chips replace others of the same total, or only passed
  over it.
- `movements`: Movements of money: readings and reports of the dealer or a floorperson become entries in the
  books.
- `whose_hand`: Inference of who moved chips: a reader sees only the amount that came to a circle or left it.
"""
