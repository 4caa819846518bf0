"""Accounts of the money: amounts due, the hand that moved chips, the entries.

- `chip_owners`: Owner of each chip that a reader can identify, so that chips of another wager do not count as
  a payout.
- `dues`: Amounts due, which the dealer still has to take or pay at each seat, in the books of a round: the
  wagers that count, the tray's share of each, and the differences.
- `earlier_contents`: Earlier contents of a circle, to distinguish an exchange of chips of the same total
  (color change, making change) from chips that a hand only carried across the reader.
- `movements`: Movements of money: posts what readers saw and what people reported as entries in the round's
  ledger.
- `named_chips`: Chips that the dealer has named a tip, a bet for the dealer or change, and that are no wager.
- `stacks`: Stacks: the chips of each circle by value and in order of arrival, and movements of chips.
- `unproven_chips`: Chips that failed their proof, and the floor's ruling that their wager stands.
- `whose_hand`: Inference of who touched the chips, the dealer or the player.
"""
