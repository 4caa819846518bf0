"""Arithmetic of the rule texts: hands, wagers, order of the deal, maximum win, list of settlement steps.

- `deal`: Deal order: the order in which the cards are dealt, as a list of steps with the place of each card.
- `faces`: Known faces and public faces: who may see a card, such as the middle card, is decided by the rules'
  turns alone.
- `hands`: Five cards as a poker hand: category, rank among hands, name and pay table line.
- `marked`: Cards that make the hand of a wager: the five in play for it, and those that make its category.
- `max_win`: Maximum that one patron can win in a round, computed over real cards.
- `settlement_plan`: Plan of the settlement: the result of each hand, and the order of seats and wagers.
- `wagers`: Checks of the wagers in the circles, shared by lamp, prompt and handler: limits, how many times
  the ante a bet may be, and how many boxes one player may play.
"""
