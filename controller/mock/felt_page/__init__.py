"""The felt in a browser: a person's hands on the simulated devices.

- `crowd`: Simulated players at the felt page, where a person is the dealer.
- `felt_view`: State of the felt page as data: chips, cards, lamps and keys, as a person at the felt sees
  them.
- `hands`: Acts of a person's hands at the felt, one at a time, each checked before any chip or card moves.
- `page`: Server of the felt page: hands for the simulated devices, and the dealer's screen beside it.
"""
