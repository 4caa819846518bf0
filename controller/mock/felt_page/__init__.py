"""The felt in a browser: a person's hands on the simulated devices.

- `crowd`: Players who bet for the person at the felt: the simulated ones, while that person is the dealer.
- `hands`: Acts of a person's hands at the felt, one at a time, each checked before anything moves.
- `page`: The felt: a page on which a person's hands work the simulated devices, with the dealer's screen
  beside it.
- `seen`: View of a person at the felt: all that lies there, as data for the page.
"""
