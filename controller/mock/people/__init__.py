"""Simulated dealers and players, honest and not.

- `cheating`: Simulated players who cheat: they know cards before they are turned or dealt, or other players'
  hands, or add chips late.
- `dealer`: The simulated dealer: follows the prompts, and corrects the faults in alerts.
- `erring_dealer`: The simulated dealer who makes errors: every kind of mispay, and stacks spread or delivered
  wrongly.
- `error_log`: Log of a simulated dealer's errors, with the time at which an alert named each, and of false
  alarms.
- `favouring_dealer`: The simulated dealer whose errors favour one seat: too much there, too little at every
  other seat.
- `misbehaving`: Players who misbehave: unequal antes, a late chip, a bet out of turn, chips withdrawn.
- `opening`: Opening the mock table: from a daemon that has just started to open bets, as people do it.
- `optimal`: Simulated players with the best strategy: they see their own two cards and the turned ones, and
  choose by the odds.
- `players`: The simulated players: how they bet, raise and fold, from the seed, the round and the seat alone.
- `stopping_floor`: Simulated floorperson who stops rounds: at a random moment the round is declared void and
  all wagers are returned.
"""
