"""Arithmetic of the rule texts: hands, wagers, order of the deal, payouts, list of settlement steps.

- `deal`: The deal as an explicit list of steps: which card goes where, in which order.
- `faces`: Which cards are known, and which of them everybody may see.
- `hands`: Five cards as a poker hand: its category, its rank among hands, its words, its line in a pay table.
- `marked`: Which cards make the hand of a wager: the five in play for it, and those of them that make its
  category.
- `payouts`: The most that one patron can win in a round, worked out over real cards.
- `settlement_plan`: Cards and wagers into the ordered list of what the dealer does: turn, take, push, pay.
- `wagers`: Wagers that a circle may hold: each question asked once, by lamp, prompt and handler alike.
"""
