"""The dealer's keys.

- `buttons`: The dealer's keys as gpiozero Buttons: one press, one call of the sink, whatever the contact
  does.
- `sim/`: The simulated keys.
"""
