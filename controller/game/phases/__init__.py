"""Events of each phase: deck, betting, deal, decisions, settlement, void; people, reports, corrections, the
record.

- `betting`: Betting: wagers before the cards, and the close of the bets.
- `corrections`: Corrections: differences that a floorperson signs with name and reason instead of having them
  corrected.
- `dealing`: Deal: cards that leave the shoe go to their planned places, or play is held for a card too many,
  too early or too late.
- `decisions`: Across, Down and Middle: each seat is asked in turn, folds are collected, cards are turned.
- `deck`: Deck between rounds: opening the table with a new deck, gathering the cards, the shuffle by the shoe
  or by hand, the age of the deck.
- `deck_age`: Age of the deck: when a new deck is required, when its change is announced, and the number of
  rounds after which the dealer must count down the stub.
- `duplicates`: Duplicates: play is held when the same card is face up twice, or the shoe has given it out
  twice.
- `face_up`: Cards exposed (found face up) during the deal by accident: reported by the shoe or the dealer, or
  inferred from the count of the stub.
- `floor`: Decisions, signatures and directions of a floorperson, and which of them are possible now.
- `forfeits`: Forfeits: the wagers of a player who broke a rule or walked away in the middle of a hand can be
  taken (forfeited).
- `journal_loss`: Loss of the last rows of the journal: the table is in an earlier state than the felt.
- `lockout`: Failed authentications of each person, and the waiting time (lockout) before the next attempt
  with a PIN.
- `missing_chips`: Missing chips: a floorperson answers, before a signature, whether the player or the house
  has them.
- `on_the_way`: Answer "on my way", by which a floorperson (supervisor) acknowledges a call or a hold.
- `patrons`: Patrons (players) who play several boxes, as reported by a floorperson.
- `payout_proofs`: Payouts that wait for the proofs of their wager's chips (counterfeit chips).
- `people_entries`: Entries that people type: an amount of chips or the face of a card that no device could
  read, and the dealer's sign-on and relief.
- `planning`: Plan of the settlement: computed from the known faces, and computed again for each new face.
- `racking`: Instructions for the players' cards (rack, tuck, lay down) that a prompt shows beside its own
  step.
- `record`: Round record (result of a round) of controller/COMMANDS.md, made from the state when a round has
  ended.
- `reports`: Dealer's reports of events that no device can see: exposed cards, wrong counts, players, the
  stub.
- `settlement`: Settlement as a closed loop: each payout, taking and push is checked on its own circle, and
  the next step comes when it is right or signed.
- `shoe`: Reports of the shoe about itself: its lost connection, its state, its faults, such as a jam.
- `shoe_trust`: Identity of the device on the shoe's line: a shoe that was replaced by another, or one that
  does not authenticate itself.
- `signature_effects`: Effect of a signature on chips and bets, for the text of the key that signs.
- `skipped_step`: Clears the alert about a skipped step after it turns out that the later step was not done
  either.
- `start`: Start of the daemon, also after a power cut: no circle has been read yet, and no device is
  connected.
- `stub`: Stub: the cards left after the deal.
- `subjects`: Subjects of people's decisions, by which an outdated touch is refused, each with the identity
  and the revision shown on the screen.
- `undo`: UNDO: takes back a wrong press of a key by the dealer, the latest first.
- `unprompted`: Events that answer no prompt: time that has passed, faults of the controller itself, an
  unexpected event of a device in a wrong phase, a call for a floorperson by the key FLOOR.
- `voiding`: Held play and void rounds: while play is held, the floorperson can choose an outcome; in a void
  round every wager is returned.
"""
