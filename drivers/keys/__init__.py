"""The dealer's keys.

- `buttons`: The dealer's keys as gpiozero Buttons: one press calls the sink once, even if the contact
  bounces.
- `sim/`: The simulated keys.
"""
