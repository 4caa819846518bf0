"""Who decides: a PIN proves a person, and nothing else does where the table is a real one."""

from __future__ import annotations

import asyncio

import pytest

from controller.mock.bench.options import PIN, PIN_HASH
from controller.people.register import Person
from controller.runtime.door import Door

PEOPLE = {
    "4711": Person(name="F-07", roles=["floorperson"], pin=PIN_HASH),
    "4712": Person(name="F-08", roles=["floorperson"]),
}


@pytest.mark.parametrize(
    ("typed", "pin", "name"),
    [
        ("4711", PIN, "F-07"),
        ("4711", "9999", None),
        ("4711", None, None),
        ("4712", PIN, None),
        ("4712", None, None),
        ("F-07", PIN, None),
        ("ZZZ", PIN, None),
        ("ZZZ", "0000", None),
        ("ZZZ", None, None),
    ],
)
def test_on_a_real_table_it_takes_the_pin(typed: str, pin: str | None, name: str | None) -> None:
    assert asyncio.run(Door(PEOPLE).proven(typed, pin)) == name


@pytest.mark.parametrize(
    ("typed", "pin", "name"),
    [("4711", None, "F-07"), ("B1", None, "B1"), ("4711", PIN, "F-07"), ("4711", "9999", None)],
)
def test_a_mock_table_believes_a_badge_and_no_wrong_pin(typed: str, pin: str | None, name: str) -> None:
    assert asyncio.run(Door(PEOPLE, open_=True).proven(typed, pin)) == name
