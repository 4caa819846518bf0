"""The file of people and `crisscross people` give each person one credential and store no PIN."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import main
from controller.common import secret_hash
from controller.common.files.mistakes import Mistakes
from controller.common.secret_hash import fits, has_own_costs, hash_secret
from controller.mock.bench.options import PIN_HASH
from controller.settings.people.register import Person, read_people, write_people

PIN = "270182"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.yaml"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of answers, which the terminal's questions take in order."""
    answers: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda _request: answers.pop(0))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    return answers


def people(act: str, *more: str, file: Path) -> int:
    return main(["people", act, *more, "--people", str(file)])


def mistakes(file: Path, text: str) -> list[str]:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Mistakes) as caught:
        read_people(file)
    return [line.removeprefix(f"{file}:") for line in caught.value.lines]


def test_a_pin_fits_its_own_hash_alone() -> None:
    kept = hash_secret(PIN)
    assert kept.startswith("$argon2id$v=19$")
    assert [fits(pin, kept) for pin in (PIN, "270183", "")] == [True, False, False]
    assert hash_secret(PIN) != kept, "each has a salt of its own"


def test_nobodys_pin_is_none() -> None:
    assert not fits("0000", None)
    assert not fits(PIN, None)


def test_what_is_written_is_read(file: Path) -> None:
    listed = {
        "4711": Person(name="F-07", roles=["floorperson", "auditor"], pin=hash_secret(PIN), tag="04A1B2C3"),
        "0012": Person(name="D-12", roles=["dealer"]),
        "99": Person(name="T-1", roles=["technician"], withdrawn=True),
    }
    write_people(file, listed)
    assert read_people(file) == listed
    assert file.stat().st_mode & 0o777 == 0o640


def test_no_hash_is_in_what_is_shown_of_a_person() -> None:
    assert "argon2" not in repr(Person(name="F-07", roles=["floorperson"], pin=hash_secret(PIN)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A1: {name: F, roles: [boss]}\n", "1: A1.roles.0: allowed: a list of dealer, floorperson"),
        ("A1: {name: F, roles: []}\n", "1: A1.roles: allowed: a list of dealer, floorperson"),
        ("A1: {roles: [dealer]}\n", "1: A1.name: missing; allowed: what is shown and journalled of them"),
        ("A1: {name: unknown, roles: [dealer]}\n", "1: A1.name: allowed: what is shown and journalled"),
        ("A1: {name: F, roles: [dealer], pin: '1234'}\n", "1: A1.pin: allowed: what `crisscross people pin`"),
        ("A1: {name: F, roles: [dealer], pni: x}\n", "1: A1.pni: unknown key; allowed: name, roles, pin"),
        ("12: {name: F, roles: [dealer]}\n", "1: 12: allowed: what they type, 1 to 16 letters"),
        ("A 1: {name: F, roles: [dealer]}\n", "1: A 1: allowed: what they type, 1 to 16 letters"),
        ("A1: {name: F, roles: [dealer]}\nB1: {name: F, roles: [dealer]}\n", "2: B1.name: F is another"),
        ("A1: {name: F, roles: [dealer]}\nA1: {name: G, roles: [dealer]}\n", "2: A1: "),
    ],
)  # fmt: skip
def test_a_mistake_has_its_line_its_key_and_what_is_allowed(file: Path, text: str, message: str) -> None:
    found = mistakes(file, text)
    assert len(found) == 1
    assert found[0].startswith(message)


# ------------------------------------------------------------------ the command


def test_a_floorperson_is_added_with_a_pin_that_is_nowhere(
    file: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    typed += [PIN, PIN]
    assert people("add", "4711", "F-07", "floorperson", file=file) == 0
    person = read_people(file)["4711"]
    assert (person.name, person.roles, fits(PIN, person.pin)) == ("F-07", ["floorperson"], True)
    printed = capsys.readouterr()
    assert PIN not in printed.out + printed.err + file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("role", "needs_pin"), [("dealer", True), ("technician", False), ("auditor", False)])
def test_whoever_proves_themselves_at_the_table_is_asked_for_a_pin(
    file: Path, typed: list[str], role: str, needs_pin: bool
) -> None:
    typed += [PIN, PIN] if needs_pin else []
    assert people("add", "812", "D-12", role, file=file) == 0
    assert (read_people(file)["812"].pin is not None, typed) == (needs_pin, [])


def test_another_pin_and_then_nothing_any_more(file: Path, typed: list[str]) -> None:
    typed += [PIN, PIN, "445566", "445566"]
    people("add", "4711", "F-07", "floorperson", file=file)
    assert people("pin", "F-07", file=file) == 0
    assert fits("445566", read_people(file)["4711"].pin)
    assert people("withdraw", "F-07", file=file) == 0
    gone = read_people(file)["4711"]
    assert (gone.decides, gone.pin, gone.withdrawn) == (False, None, True)


def test_the_list_says_neither_what_is_typed_nor_a_hash(
    file: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    typed += [PIN, PIN]
    people("add", "4711", "F-07", "floorperson", file=file)
    capsys.readouterr()
    assert people("list", file=file) == 0
    output = capsys.readouterr().out
    assert output.split() == ["F-07", "floorperson", "PIN"]


@pytest.fixture
def one(file: Path) -> Iterator[Path]:
    write_people(file, {"4711": Person(name="F-07", roles=["floorperson"])})
    before = file.read_bytes()
    yield file
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("pins", "arguments", "message"),
    [
        (["123", "123"], ("pin", "F-07"), "that is no PIN; allowed: 4 to 12 digits"),
        (["letters", "letters"], ("pin", "F-07"), "that is no PIN; allowed: 4 to 12 digits"),
        ([PIN, "270183"], ("pin", "F-07"), "the two are not the same; nothing was changed"),
        ([], ("pin", "F-08"), "has no F-08; allowed: F-07"),
        ([], ("withdraw", "F-08"), "has no F-08; allowed: F-07"),
        ([], ("add", "4711", "F-08", "dealer"), "already in use"),
        ([], ("add", "4712", "F-07", "dealer"), "already in use"),
        ([], ("add", "4 2", "F-09", "dealer"), "4 2: allowed: what they type"),
        ([], ("add", "42", "unknown", "dealer"), "name: allowed: what is shown and journalled"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(
    one: Path, typed: list[str], pins: list[str], arguments: tuple[str, ...],
    message: str, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    typed += pins
    act, *more = arguments
    assert people(act, *more, file=one) == 2
    words = capsys.readouterr().err
    assert message in words
    assert words.count("\n") == 1
    assert all(pin not in words for pin in pins)


def test_a_pin_is_typed_at_a_terminal_and_nowhere_else(
    one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert people("pin", "F-07", file=one) == 2
    assert "a PIN is typed at a terminal, without an echo" in capsys.readouterr().err


# ------------------------------------------------------------------ the costs of a hash

OTHER_COSTS = (
    "$argon2id$v=19$m=9999999,t=2,p=1$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
    "$argon2id$v=19$m=1024,t=2,p=1$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
    "$argon2id$v=19$m=19456,t=99,p=1$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
    "$argon2id$v=19$m=19456,t=2,p=8$0uHlIq9ka+BspZ2saEXlGw$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
    "$argon2id$v=19$m=19456,t=2,p=1$0uHlIq9ka+BspZ2saEXlGw$aGFzaA",
    "$argon2id$v=19$m=19456,t=2,p=1$0uHlIq9ka+BspZ2saEXlGx$/ctiinJkn3sEu8WAzPvwpFVx/Kqa89rmk1nmCihZnIs",
)
"""Hashes whose memory, time, lanes, salt length or hash length differ from the program's, and one whose salt
no encoder can produce."""


@pytest.mark.parametrize("kept", OTHER_COSTS)
def test_a_hash_of_other_costs_is_one_line_that_says_how_to_renew_it(file: Path, kept: str) -> None:
    (line,) = mistakes(file, f"'4711':\n  name: F-07\n  roles: [floorperson]\n  pin: {kept}\n")
    assert line == (
        "4: 4711.pin: allowed: an argon2id hash of m=19456,t=2,p=1 as this program writes it; "
        "renew it by `crisscross people pin F-07`"
    )


def test_old_hashes_are_renewed_one_person_after_the_other(
    file: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    old = {"4711": "F-07", "4712": "F-08"}
    write_people(
        file,
        {badge: Person(name=name, roles=["floorperson"], pin=OTHER_COSTS[1]) for badge, name in old.items()},
    )
    assert people("list", file=file) == 0
    assert capsys.readouterr().out.count("PIN to renew") == 2
    for name in old.values():
        typed += [PIN, PIN]
        assert people("pin", name, file=file) == 0
    assert all(fits(PIN, person.pin) for person in read_people(file).values())


def test_hashes_of_earlier_versions_are_the_programs_own() -> None:
    """The program accepts a hash stored by version f98257e and its own."""
    assert has_own_costs(PIN_HASH)
    assert has_own_costs(hash_secret(PIN))
    assert has_own_costs(secret_hash._DECOY)
