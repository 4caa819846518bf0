"""Arithmetic of the rule texts: hands, wagers, order of the deal, payouts, list of settlement steps.

- `deal`: Deal as an explicit list of steps: the order of the cards and the place of each.
- `faces`: Known faces and public faces.
- `hands`: Five cards as a poker hand: category, rank among hands, words and pay table line.
- `marked`: Cards that make the hand of a wager: the five in play for it, and those that make its category.
- `payouts`: Most that one patron can win in a round, computed over real cards.
- `settlement_plan`: Settlement as an ordered list of the dealer's acts, from cards and wagers: turn, take,
  push, pay.
- `wagers`: Checks of the wagers in the circles, shared by lamp, prompt and handler.
"""
