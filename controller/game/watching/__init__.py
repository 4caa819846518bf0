"""Readings of chips become facts; each circle is judged, and alerts are raised and cleared.

- `balance`: Check after every event that the books balance; play is held with the first circle that does not.
- `circles`: Facts from readings: when a reading is stable enough to count, and when a reader is lost.
- `exchanges`: Exchanges: chips of a circle that are changed for others of the same total, and chips carried
  across a reader.
- `judge`: Judge of the circles: decides when the amount in a circle is wrong and counts as an error, such as
  a mispay, a seat that a dealer pays or takes out of order, a wager with chips added late (capped) or
  removed, or a chip that two circles show (an identical number).
- `proofs`: Chips that prove themselves: the circles whose chips are asked again, and the periods in which no
  chip is asked.
- `readers_lost`: One alert if no reader answers, in place of one per circle: the supply or the hub has
  failed.
- `watch`: Watch over every circle: faults found by `judge.py` become alerts, and alerts are cleared.
"""
