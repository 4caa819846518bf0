"""Opening the mock table: from a daemon that has just started to bets open, as people do it.

The dealer follows the prompts, and a floorperson signs what asks for a signature. Nothing that the rule
pack wants is skipped.
"""

from __future__ import annotations

from controller.mock.bench.bench import Hands, View, play
from controller.mock.people.dealer import Dealer, Floorperson


def is_open(view: View) -> bool:
    return bool(view["phase"] == "betting" and view["keys"]["no_more_bets"])


async def open_table(hands: Hands, stall: float = 20.0) -> View:
    """Open it; TableStopped if it does not open."""
    dealer = Dealer("opening", lambda _view, _seat: False, lambda _view, _felt: False)
    return await play(hands, (dealer, Floorperson()), is_open, stall=stall)
