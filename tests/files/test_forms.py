"""A file is fitted to its form, or every mistake is reported with its line, its key and the allowed
values.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Discriminator, Field, Tag

from controller.common.files.forms import Flag, Form, fit, validation_error
from controller.common.files.yaml_lines import Lines, documents, read_documents, read_lines


class Seat(Form):
    number: int = Field(description="1 to 6", ge=1, le=6)
    cards: tuple[str, ...] = Field(default=(), strict=False)
    lamp: Literal["on", "off"] = "off"
    paid: Flag = False


class Put(Form):
    put: int


class Take(Form):
    take: int


def _deed(given: Any) -> str | None:
    return next(iter(given), None) if isinstance(given, dict) else None


def _ends(pair: list[int]) -> list[int]:
    if len(pair) == 2 and pair[0] > pair[1]:
        raise validation_error([((1,), f"allowed: {pair[0]} or more")])
    return pair


class Table(Form):
    """A form of every shape that a file has."""

    seats: dict[int, Seat] = Field(default={}, description="a seat by its number")
    deeds: list[
        Annotated[Annotated[Put, Tag("put")] | Annotated[Take, Tag("take")], Discriminator(_deed)]
    ] = Field(default=[], description="put or take")
    between: Annotated[list[int], AfterValidator(_ends)] = Field(default=[])


def mistakes(text: str) -> list[str]:
    (found,) = documents(text, "f")
    assert fit(Table, found) is None
    return found.report()


def test_a_valid_file_is_read() -> None:
    text = "seats: {1: {number: 1, cards: [10h], lamp: off, paid: yes}}\ndeeds: [put: 3]\n"
    (found,) = documents(text, "f")
    table = fit(Table, found)
    assert table is not None
    assert table.seats == {1: Seat(number=1, cards=("10h",), lamp="off", paid=True)}
    assert table.deeds == [Put(put=3)]
    assert found.report() == []


def test_all_mistakes_are_reported_at_once_with_their_lines() -> None:
    assert mistakes(
        """\
seats:
  1: {number: 7, cards: [2c, 3], lamp: of}
  x: {}
  2: 5
deeds:
  - put: 1.5
  - kick: 1
  - put: 1
    take: 2
between:
  - 5
  - 4
seets: 1
"""
    ) == [
        "f:2: seats.1.cards.1: allowed: words",
        "f:2: seats.1.lamp: allowed: on, off",
        "f:2: seats.1.number: allowed: 1 to 6",
        "f:3: seats.x.number: missing; allowed: 1 to 6",
        "f:3: seats.x: allowed: a seat by its number",
        "f:4: seats.2: allowed: number, cards, lamp, paid",
        "f:6: deeds.0.put: allowed: a whole number",
        "f:7: deeds.1: allowed: put or take",
        "f:9: deeds.2.take: unknown key; allowed: put",
        "f:12: between.1: allowed: 5 or more",
        "f:13: seets: unknown key; allowed: seats, deeds, between",
    ]


def test_a_scalar_is_text_unless_it_is_plainly_more() -> None:
    words = "a: off\nb: 12:30\nc: 2026-11-20\nd: 0012\ne: 0x10\nf: 1e3\nk: '5'\n"
    text = f"{words}g: 3.50\nh: -1_000\ni: ~\nj: True\n"
    (found,) = documents(text, "f")
    assert found.data == {
        "a": "off", "b": "12:30", "c": "2026-11-20", "d": "0012", "e": "0x10", "f": "1e3",
        "g": Decimal("3.50"), "h": -1000, "i": None, "j": True, "k": "5",
    }  # fmt: skip
    assert str(found.data["g"]) == "3.50"


def test_each_document_of_a_file_has_its_own_lines() -> None:
    one, two = documents("a: 1\n---\n---\nb:\n  c: 2\n", "f")
    assert (one.data, two.data) == ({"a": 1}, {"b": {"c": 2}})
    assert (one.line(("a",)), two.line(("b", "c"))) == (1, 5)


def test_an_unreadable_file_gives_one_document_with_the_reason(tmp_path: Path) -> None:
    (only,) = read_documents(tmp_path / "none.yaml")
    assert only.report() == [f"{tmp_path}/none.yaml:1: cannot be read: No such file or directory"]
    assert documents("a: 1\n---\n- b\n", "f")[1].report() == ["f:3: keys and values are wanted (key: value)"]


def test_only_an_ordinary_file_is_read() -> None:
    assert read_lines(Path("/dev/zero")).report() == ["/dev/zero:1: cannot be read: no ordinary file"]


@pytest.mark.parametrize("data", [3, [], "x"])
def test_a_file_without_a_mapping_is_refused(data: object) -> None:
    found = Lines("f", data)
    assert fit(Table, found) is None
    assert found.report() == ["f:1: allowed: seats, deeds, between"]


def test_a_mistake_is_one_line_whatever_the_key_contains() -> None:
    """The key contains a line break or terminal control characters."""
    assert mistakes('"a\\nb\\e[2J": 1\n') == ["f:1: a b [2J: unknown key; allowed: seats, deeds, between"]


@pytest.mark.parametrize("text", ["1_", "1__0", "-7_"])
def test_digits_with_a_stray_underscore_are_text_and_no_number(text: str) -> None:
    (found,) = documents(f"a: {text}\n", "f")
    assert found.data == {"a": text}
