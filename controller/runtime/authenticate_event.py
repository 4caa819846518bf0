"""What people touch, with their names in place of what they typed; refused where that is not proven.

Behind it no event holds what was typed. It must never tell somebody of another role from somebody whom nobody
knows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from controller.display.ports import Refused
from controller.game.model.events import (
    DealerRelieved,
    DealerSignedOn,
    FloorDecided,
    PeopleEvent,
    RoundCorrected,
)
from controller.people.register import Role
from controller.runtime.authenticator import Authenticator

DEALS: tuple[Role, ...] = ("dealer",)
RELIEVES: tuple[Role, ...] = ("dealer", "floorperson")


async def authenticate_event(
    authenticator: Authenticator, event: PeopleEvent, pin: str | None, channel: str
) -> PeopleEvent | Refused:
    if isinstance(event, FloorDecided | RoundCorrected):
        who = await authenticator.authenticate(event.badge, pin, channel)
        return replace(event, badge=who) if who else Refused("not_proven")
    if isinstance(event, DealerSignedOn):
        deals = await _dealer(authenticator, DEALS, event.number, pin, channel)
        return deals if isinstance(deals, Refused) else replace(event, number=deals)
    if isinstance(event, DealerRelieved):
        by = await _dealer(authenticator, RELIEVES, event.by, pin, channel)
        return by if isinstance(by, Refused) else replace(event, by=by)
    return event


async def _dealer(
    authenticator: Authenticator, roles: Collection[Role], typed: str, pin: str | None, channel: str
) -> str | Refused:
    """Who takes the table, or sends the dealer away. A touch without a PIN is no try: it is asked for."""
    if not authenticator.dealers_authenticate:
        return authenticator.dealer(typed)
    if pin is None:
        return Refused("pin_needed")
    return await authenticator.authenticate_as(roles, typed, pin, channel) or Refused("not_proven")
