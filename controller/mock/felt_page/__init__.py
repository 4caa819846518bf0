"""The felt in a browser: a person's hands on the simulated devices.

- `crowd`: Simulated players at the felt of a person who is the dealer.
- `felt_view`: View of a person at the felt: chips, cards, lamps and keys as data for the page.
- `hands`: Acts of a person's hands at the felt, one at a time, each checked before anything moves.
- `page`: The felt: a page with hands for the simulated devices, and the dealer's screen beside it.
"""
