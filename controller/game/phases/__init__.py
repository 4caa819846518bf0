"""Events of each phase: deck, betting, deal, decisions, settlement, void; people, reports, corrections, the
record.

- `betting`: Betting: wagers before the cards, and the close of the bets.
- `corrections`: Corrections: differences that a floorperson signs with name and reason instead of having them
  corrected.
- `dealing`: Deal: cards that leave the shoe go to their planned places, or play is held.
- `decisions`: Across, Down and Middle: each seat is asked in turn, folds are collected, cards are turned.
- `deck`: Deck between rounds: opening the table, gathering the cards, the shuffle, the age of the deck.
- `deck_age`: Age of the deck: when a new deck is required, when its change is announced, and the rounds since
  its stub was counted.
- `duplicates`: Duplicates: play is held when the same card is face up twice, or the shoe has given it out
  twice.
- `face_up`: Cards face up in the deal: reported by the shoe or the dealer, or inferred from the count of the
  stub.
- `floor`: Decisions, signatures and directions of a floorperson, and which of them are possible now.
- `forfeits`: Forfeits: the wagers of a player are taken, and a floorperson chooses if a text names two
  outcomes.
- `holders`: Missing chips: a floorperson answers whether the player or the house has them.
- `identity`: Failed authentications of each person, and the waiting time (lockout) before the next attempt
  with a PIN.
- `on_the_way`: Answer "on my way" of a floorperson to a call or a hold.
- `patrons`: Patrons and their boxes, as reported by a floorperson.
- `people`: Entries of people: amounts, faces, the dealer's sign-on and relief.
- `planning`: Plan of the settlement: computed from the known faces, and computed again for each new face.
- `racking`: Instructions for the players' cards (rack, tuck, lay down) that a prompt shows beside its own
  step.
- `record`: Round record of controller/COMMANDS.md, made from the state when a round has ended.
- `reports`: Dealer's reports of events that no device can see: exposed cards, wrong counts, players, the
  stub.
- `settlement`: Settlement as a closed loop: each step is checked on its own circle.
- `shoe`: Reports of the shoe about itself: its link, its state, its faults.
- `shoe_trust`: Identity of the device on the shoe's line: another shoe than before, or one that does not
  authenticate itself.
- `shortened`: Loss of the last rows of the journal: the table is in an earlier state than the felt.
- `signature_effects`: Effect of a signature on chips and bets, for the text of the key that signs.
- `start`: Start of the daemon: no circle has been read yet, and no link is up.
- `step_left`: Clears the alert about a skipped step after it turns out that the later step was not done
  either.
- `stub`: Stub: the cards left after the deal, counted against the cards dealt.
- `subjects`: Subjects of people's decisions, each with the identity and the revision shown on the screen.
- `unasked`: Events that answer no prompt: time, faults of the controller itself, a device's event in a wrong
  phase, FLOOR.
- `undo`: UNDO: takes back the dealer's key presses, the latest first.
- `voiding`: Held play and void rounds: while play is held, the floorperson can choose an outcome; in a void
  round every wager is returned.
"""
