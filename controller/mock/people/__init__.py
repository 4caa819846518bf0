"""Simulated dealers and players, honest and not.

- `dealer`: The simulated dealer: follows the prompts and corrects the faults that alerts name.
- `erring_dealer`: A dealer who makes mistakes: every kind of mispay and of misplaced stack.
- `error_log`: The log of a dealer who makes mistakes: errors made, when the table named them, and false
  alarms.
- `misbehaving`: Players who misbehave: unequal antes, a late chip, a bet out of turn, chips withdrawn.
- `opening`: Opening the mock table: from a daemon that has just started to open bets, as people do it.
- `optimal`: Players with the best strategy: they look at their own two cards and the turned ones, and choose
  by the odds.
- `players`: The players: their wagers and decisions, from the seed, the round and the seat alone.
- `stopping_floor`: A floorperson who stops rounds: at a moment drawn from the seed the round is void and all
  wagers are returned.
"""
