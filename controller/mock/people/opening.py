"""Opening the mock table: from a daemon that has just started to open bets, as people do it.

The dealer follows the prompts, and a floorperson signs each prompt that needs a signature. No step of the
rule pack is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.mock.bench.acts import Act, TouchPage
from controller.mock.bench.bench import Hands, ViewData, play
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Dealer, Floorperson
from controller.pages.display.touches import SignOn

FIRST_DEALER = "D1"
"""Number of the dealer who opens a table at which a dealer must sign on."""


class FirstDealer:
    """Dealer who signs on at a table that accepts no key before a sign-on."""

    def acts(self, view: ViewData, _felt: Felt) -> Iterator[Act]:
        if not view["keys"]["confirm"]:
            yield from first_sign_on(view)


def first_sign_on(view: ViewData) -> Iterator[Act]:
    """Yield the sign-on of the first dealer if the prompt takes one."""
    prompt = view["prompt"]
    if view["dealer"] is None and prompt and prompt["entry"] == "sign_on":
        yield TouchPage(SignOn(number=FIRST_DEALER), once="first dealer")


def is_open(view: ViewData) -> bool:
    return bool(view["phase"] == "betting" and view["keys"]["no_more_bets"])


async def open_table(hands: Hands, stall: float = 20.0) -> ViewData:
    """Open the table and return the view with open bets. Raises TableStopped if it does not open."""
    dealer = Dealer("opening", lambda _view, _seat: False, lambda _view, _felt: False)
    return await play(hands, (FirstDealer(), dealer, Floorperson()), is_open, stall=stall)
