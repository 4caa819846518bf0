"""The parser of citations understands a bare number as a continuation of the citation before it, as people
write them."""

from __future__ import annotations

import pytest

from controller.rules.packs.cited import cites_section, sections_of

PA, MA, MD, HOUSE = (
    "58 Pa. Code § 674a.", "MGC Criss-Cross Poker § ", "Md. Standard Rules Criss Cross Poker ",
    "House rules, ",
)  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "rest", "named"),
    [
        (PA, "8(b), 674a.9(a)(3), 674a.10(a)(2)", ["8(b)", "9(a)(3)", "10(a)(2)"]),
        (PA, "11(b), (d), (f)", ["11(b)", "11(d)", "11(f)"]),
        (PA, "5(c)(2), (d)", ["5(c)(2)", "5(d)"]),
        (PA, "4(a)-(c)", ["4(a)", "4(b)", "4(c)"]),
        (MA, "7(b), 8(a)(3)", ["7(b)", "8(a)(3)"]),
        (MD, "11.I(3)(b), (c)", ["11.I(3)(b)", "11.I(3)(c)"]),
        (MD, "8.E, 9.C", ["8.E", "9.C"]),
        (HOUSE, "Paying Out; 6 Card Bonus Wager", ["Paying Out", "6 Card Bonus Wager"]),
    ],
)
def test_a_citation_is_split_into_its_sections(prefix: str, rest: str, named: list[str]) -> None:
    assert sections_of(prefix, prefix + rest) == named


def test_a_citation_of_another_text_names_no_section_of_this_one() -> None:
    assert sections_of(PA, "house procedure") == sections_of(PA, MA + "7(b)") == []


@pytest.mark.parametrize(
    ("section", "covers"),
    [
        ("11(h)", True),
        ("11(h)(1)", True),
        ("11(h)(1)(i)", True),
        ("11(h)(2)", False),
        ("1", False),
        ("11", True),
    ],
)
def test_a_citation_covers_enclosing_and_enclosed_sections(section: str, covers: bool) -> None:
    assert cites_section(PA, PA + "11(h)(1)", section) is covers


def test_a_heading_covers_its_paragraphs() -> None:
    assert cites_section(HOUSE, HOUSE + "Paying Out", "Paying Out 3")
    assert not cites_section(HOUSE, HOUSE + "Paying Out", "Round of Play 3")
