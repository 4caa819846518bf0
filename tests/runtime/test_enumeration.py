"""No answer of a real daemon or its pages distinguishes a known badge from an unknown one.

The guesses are made before, during and after the lockout of unknown badges, as touches of the dealer's and
the floor page.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.game.phases.lockout import FREE_ATTEMPTS
from controller.mock.bench.options import PIN, PIN_HASH
from controller.settings.people.register import Person, write_people
from tests.runtime.child import USER, Child, run_arguments, started, table_file

WRONG = "9999"
GUESSES = ("4711", "812", "99", "0001", "ABC", "A-NAME-OF-16-CHR")
TOUCHES: tuple[dict[str, Any], ...] = (
    {"do": "floor", "badge": "", "decision": "answer", "prompt": None},
    {
        "do": "correct",
        "badge": "",
        "round": 1,
        "seat": 1,
        "wager": "down",
        "cents": 1,
        "reason": "x",
        "about": "record 1.0",
    },
    {"do": "sign_on", "number": ""},
    {"do": "relieve", "number": ""},
)


def people(folder: Path) -> None:
    listed = {
        "4711": Person(name="F-07", roles=["floorperson"], pin=PIN_HASH),
        "812": Person(name="DEALER-IN-FULL", roles=["dealer"], pin=PIN_HASH),
        "99": Person(name="A-1", roles=["auditor"]),
    }
    write_people(folder / "people.yaml", listed)


def real(folder: Path) -> list[str]:
    """Return the command-line options of a real table, which requires a PIN for every act."""
    display = {"port": 0, "port_file": "port", "user": USER, "touches_a_second": 10_000}
    file = table_file(folder, floorpersons=None, display=display)
    people(folder)
    return [argument for argument in run_arguments(file) if argument != "--mock"]


def rows(folder: Path) -> list[int]:
    """Return the lengths of the journal's rows about attempts, oldest first."""
    with closing(sqlite3.connect(f"file:{folder}/journal.db?mode=ro", uri=True)) as journal:
        found = journal.execute("SELECT length(body) FROM events WHERE kind = 'PersonTried' ORDER BY seq")
        return [length for (length,) in found]


async def observed(child: Child, folder: Path, body: dict[str, Any]) -> tuple[Any, ...]:
    before = len(rows(folder))
    status, answer = await child.touch(**body)
    view = json.dumps(await child.get("/api/view"))
    newest = {**(await child.get("/api/floor"))["events"][0], "utc": ""}
    return status, answer, view, newest, rows(folder)[before:]


def guess(touch: dict[str, Any], typed: str) -> dict[str, Any]:
    return {**{key: typed if value == "" else value for key, value in touch.items()}, "pin": WRONG}


@pytest.mark.complete
@pytest.mark.parametrize("touch", TOUCHES, ids=lambda touch: str(touch["do"]))
async def test_all_guesses_are_answered_shown_and_written_alike(
    tmp_path: Path, touch: dict[str, Any]
) -> None:
    async with started(tmp_path, real(tmp_path)) as child:
        await child.ready()
        before = [(await observed(child, tmp_path, guess(touch, typed))) for typed in GUESSES]
        for _ in range(FREE_ATTEMPTS + 1):
            await child.touch(**guess(touch, "NOBODY"))
        during = [(await observed(child, tmp_path, guess(touch, typed))) for typed in GUESSES]
        for seen in (before, during):
            assert {(status, answer["code"]) for status, answer, *_ in seen} == {(409, "not_proven")}
            assert len({view for _, _, view, *_ in seen}) == 1, "neither what is shown nor its version"
            assert [newest for *_, newest, _ in seen] == [seen[0][3]] * len(GUESSES)
            assert [lengths for *_, lengths in seen] == [seen[0][4]] * len(GUESSES)
            assert len(seen[0][4]) == 1, "one row each"
        assert await child.end() == 0


@pytest.mark.complete
async def test_wrong_pins_under_forty_names_do_not_lock_a_known_person_out(tmp_path: Path) -> None:
    """While unknown badges are locked out, a known person without a lockout can still authenticate with the
    right PIN."""
    async with started(tmp_path, real(tmp_path)) as child:
        await child.ready()
        for number in range(40):
            _, answer = await child.touch(**guess(TOUCHES[0], f"NAME-{number}"))
            assert answer["code"] == "not_proven"
        assert (await child.touch(do="sign_on", number="812", pin=PIN))[0] == 200
        assert await child.end() == 0
    with closing(sqlite3.connect(tmp_path / "journal.db")) as journal:
        bodies = journal.execute("SELECT body FROM events WHERE kind = 'PersonTried'").fetchall()
    tries = [json.loads(body) for (body,) in bodies]
    assert len(tries) == 41
    assert [each["who"] for each in tries if each["proven"]] == ["DEALER-IN-FULL"]
    assert not any("NAME-" in body for (body,) in bodies)
    assert len([each for each in tries if not each["early"] and not each["proven"]]) < 40 / 2
