"""Readings of chips become facts; each circle is judged, and alerts are raised and cleared.

- `balance`: The books balance after every event, or play is held with the circle that does not.
- `circles`: From readings to facts: when a circle's inventory is believed.
- `exchanges`: Exchanges: chips of a circle that are changed for others of the same total, and chips that only
  pass.
- `judge`: The one place that calls a circle wrong: what is in its books against what ought to be.
- `one_cause`: One alert for all readers that do not answer, in place of one for each circle: the supply or
  the hub has failed.
- `watch`: Every circle is watched throughout: what `judge.py` calls wrong becomes an alert, and stops being
  one.
"""
