"""Events of each phase: deck, betting, deal, decisions, settlement, void; people, reports, corrections, the
record.

- `betting`: Betting: wagers before the cards, and the close of the bets.
- `corrections`: Corrections: differences that a floorperson signs with name and reason instead of having them
  corrected.
- `dealing`: Deal: cards that leave the shoe go to their planned places, or play is held.
- `decisions`: Across, Down and Middle: each seat is asked in turn, folds are collected, cards are turned.
- `deck`: Deck between rounds: opening the table, gathering the cards, the shuffle, the age of the deck.
- `deck_age`: Age of the deck: the notice of its change, the time from which no round may begin with it, and
  the rounds since its stub was counted.
- `duplicates`: Duplicates: play is held when the same card is face up twice, or the shoe has given it out
  twice.
- `face_up`: Cards face up in the deal: told by the shoe, reported by the dealer, or missed when the stub is
  counted.
- `floor`: Decisions, signatures and directions of a floorperson, and those that are possible now.
- `forfeits`: Forfeits: the wagers of a player are taken, and a floorperson chooses where a text names two
  outcomes.
- `holders`: The holder of missing chips: a floorperson says that the player has them, or that the house has
  them.
- `identity`: Failed authentications of each person, and the wait before the next one.
- `on_the_way`: A floorperson answers a call or a hold with "on my way".
- `patrons`: Patrons and the boxes that they play, as a floorperson stated.
- `people`: Entries of people: amounts and faces, who deals, what a floorperson decides.
- `racking`: Places for the players' cards: the part of a prompt beside its own step.
- `record`: The round record of controller/COMMANDS.md, made from the state when a round has ended.
- `reports`: Reports of the dealer about events that no device can see: exposed cards, wrong counts, players,
  the stub.
- `settlement`: The closed loop: each step of the settlement is watched on its own circle.
- `shoe`: Reports of the shoe about itself: its link, its state, its faults.
- `shoe_trust`: Identity of the device on the shoe's line: another shoe than before, or none at all.
- `shortened`: The end of the journal is lost: the table stands where it stood so many rows before, and the
  felt does not.
- `signature_effects`: The effect of a signature on chips and bets, for the key that gives it.
- `start`: A new start of the daemon: no circle has been read yet, and no link is up.
- `step_left`: The alert about a step that the dealer left for a later one, once the later one turns out not
  to be done.
- `stub`: The stub: what is left when all cards are dealt, counted against what was dealt.
- `subjects`: Subjects: what a person decides on, each with the identity and the revision that the screen
  showed.
- `unasked`: Events that no prompt asked for: time, the controller's own trouble, a device's event out of its
  phase, FLOOR.
- `undo`: UNDO takes back the dealer's keys, the last one first, and nothing else that has become true since.
- `voiding`: Held play and void rounds: the floorperson decides, every wager goes back.
"""
