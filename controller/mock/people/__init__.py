"""Simulated dealers and players, honest and not.

- `dealer`: The simulated dealer: does what the prompt says and puts right what an alert names.
- `erring_dealer`: A dealer who makes mistakes: every kind of mispay and of misplaced stack.
- `error_log`: The log of a dealer who makes mistakes: what they did wrong, what the table named and when, and
  what it named without cause.
- `misbehaving`: Players who misbehave: unequal antes, a late chip, a bet out of turn, chips withdrawn.
- `opening`: Opening the mock table: from a daemon that has just started to bets open, as people do it.
- `optimal`: Players who play best: they look at their own two cards, at what has been turned, and choose by
  the odds.
- `players`: The players: what each lays and decides, from the seed, the round and the seat alone.
- `stopping_floor`: A floorperson who stops rounds: at a moment drawn from the seed the round ends and all
  wagers go back.
"""
