"""Replaces typed badges and numbers in people's events by names; refuses people who do not authenticate.

No later event contains typed input. A person of another role must get the same answer as an unknown badge.
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.model import events
from controller.pages.display.ports import Refused
from controller.settings.people.register import Role
from controller.table.display_source.authenticator import Authenticator

DECIDES: tuple[Role, ...] = ("floorperson",)
DEALS: tuple[Role, ...] = ("dealer",)
RELIEVES: tuple[Role, ...] = ("dealer", "floorperson")


async def authenticate_event(
    authenticator: Authenticator, event: events.PeopleEvent, pin: str | None
) -> events.PeopleEvent | Refused:
    """Return the event with the typed badge or number replaced by the person's name, or a refusal with the
    reason. `pin`: the typed PIN, or None."""
    if isinstance(event, events.FloorDecided | events.FloorOnTheWay | events.RoundCorrected):
        who = await authenticator.authenticate(event.badge, pin, DECIDES)
        return who if isinstance(who, Refused) else replace(event, badge=who)
    if isinstance(event, events.DealerSignedOn):
        who = await _dealer(authenticator, DEALS, event.number, pin)
        return who if isinstance(who, Refused) else replace(event, number=who)
    if isinstance(event, events.DealerRelieved):
        who = await _dealer(authenticator, RELIEVES, event.by, pin)
        return who if isinstance(who, Refused) else replace(event, by=who)
    return event


async def _dealer(
    authenticator: Authenticator, roles: tuple[Role, ...], typed: str, pin: str | None
) -> str | Refused:
    """Return the name of the person who takes over the table or signs the dealer off, or a refusal.

    A touch without a PIN does not count as an attempt: its refusal requests the PIN.
    """
    if not authenticator.dealers_authenticate:
        return authenticator.dealer(typed)
    if pin is None:
        return Refused("pin_needed")
    return await authenticator.authenticate(typed, pin, roles)
