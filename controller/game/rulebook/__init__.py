"""Arithmetic of the rule texts: hands, wagers, order of the deal, maximum win, list of settlement steps.

- `deal`: Deal order: the order in which the cards are dealt to the seats and the cross, as a list of steps
  with the place of each card.
- `faces`: Known faces and public faces: who may see a card, such as the middle card, is decided by the rules'
  turns alone.
- `hands`: Five cards as a poker hand: category, rank among hands, name and pay table line.
- `marked`: Cards that a page highlights because they make the hand of a wager: the five in play for it, and
  those that make its category.
- `max_win`: Maximum win: the most money that one patron (player) can win in a round, computed over real
  cards.
- `settlement_plan`: Settlement: which hand wins, pushes or loses, how a payout limit cuts a payment, and
  which seat and wager is settled first.
- `wagers`: Checks of the wagers in the circles (too small, too large, not equal), shared by lamp, prompt and
  handler: limits, how many times the ante a bet may be, and how many boxes one player may play.
"""
