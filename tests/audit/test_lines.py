"""Each filter of the list of rounds finds the right rounds, and the list can be exported as CSV for a
spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import Any

import pytest

from controller.common.texts.catalogue import catalogue
from controller.pages.display.round_page_text import render_list
from controller.record.audit.printed import list_lines
from controller.record.journal.round_summary import RoundSummary, parse_summary, summary_of, summary_text
from controller.record.timeline.round_filters import Filters, as_csv, day, filter_rounds
from tests.ended import ended_round

NEW_YORK = "America/New_York"


def found(wanted: Filters, *records: dict[str, Any]) -> list[int]:
    newest_first = (summary_of(each, NEW_YORK) for each in reversed(records))
    return [summary.round for summary in filter_rounds(newest_first, wanted)][::-1]


def wrong(*codes: str) -> list[dict[str, str]]:
    return [{"code": code} for code in codes]


def test_a_day_is_the_table_s_local_day() -> None:
    """03:30 UTC is still the evening of the day before in New York."""
    late = ended_round(2, started="2026-11-23T03:30:00.000Z")
    assert day(summary_of(late, NEW_YORK)) == date(2026, 11, 22)
    assert found(Filters(day=date(2026, 11, 22)), ended_round(1), late) == [1, 2]
    assert found(Filters(day=date(2026, 11, 23)), ended_round(1), late) == []


def test_a_filter_finds_a_dealer_of_part_of_a_round() -> None:
    relieved = ended_round(2, dealers=[{"number": "7", "from": ""}, {"number": "0412", "from": ""}])
    assert found(Filters(dealer="7"), ended_round(1), relieved) == [2]
    assert found(Filters(dealer="0412"), ended_round(1), relieved) == [1, 2]


@pytest.mark.parametrize(
    ("kind", "rounds"), [("any", [2, 3]), ("overpaid", [2]), ("void", [3]), ("corrected", [4])]
)
def test_a_filter_finds_rounds_by_irregularity(kind: str, rounds: list[int]) -> None:
    void = ended_round(3, void={"code": "wrong_count"}, outcome="void", irregularities=wrong("wrong_count"))
    corrected = ended_round(4, corrections=[{"cents": -500}])
    overpaid = ended_round(2, irregularities=wrong("overpaid", "overpaid"))
    assert found(Filters(irregularity=kind), ended_round(1), overpaid, void, corrected) == rounds


def test_an_amount_is_the_largest_wager_or_payout() -> None:
    assert found(Filters(amount=1000), ended_round(1)) == [1]
    assert found(Filters(amount=1001), ended_round(1)) == []


def test_the_last_rounds_are_the_last_matching_ones() -> None:
    some = [ended_round(n, irregularities=wrong("overpaid") if n % 2 else []) for n in range(1, 8)]
    assert found(Filters(last=2, irregularity="overpaid"), *some) == [5, 7]
    assert found(Filters(last=99), *some) == list(range(1, 8))
    assert found(Filters(seat=4), *some) == []


def test_a_kind_is_listed_once_with_its_number() -> None:
    assert summary_of(ended_round(1, irregularities=wrong("overpaid", "late_bet", "overpaid")), "").wrong == (
        ("overpaid", 2), ("late_bet", 1),
    )  # fmt: skip


def rows(*lines: RoundSummary) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(lines))))


@pytest.mark.parametrize(
    ("find", "rounds"),
    [("overpaid", [1]), ("pagado de más", [1]), ("corrected", [2]), ("corregida", [2]), ("late bet", [3]),
     ("settled", [1, 2, 3, 4]), ("not signed", [4]), ("void", [])],
)  # fmt: skip
def test_a_search_finds_the_words_of_the_list_in_each_language(find: str, rounds: list[int]) -> None:
    records = [
        ended_round(1, irregularities=wrong("overpaid")),
        ended_round(2, corrections=[{"cents": -2500}]),
        ended_round(3, irregularities=wrong("late_bet")),
        ended_round(4, unsigned=UNSIGNED),
    ]
    assert found(Filters(find=find), *records) == rounds


def test_a_spreadsheet_has_whole_cents_and_both_clocks() -> None:
    [row] = rows(summary_of(ended_round(1, corrections=[{"cents": -2500}]), NEW_YORK))
    assert (row["wagered_cents"], row["paid_cents"], row["corrected_cents"]) == ("1000", "1000", "-2500")
    assert row["started_local"].startswith("2026-11-22T15:00:00")
    assert (row["zone"], row["dealers"], row["seats"]) == (NEW_YORK, "0412", "3")


UNSIGNED = [
    {"seat": 3, "wager": "across", "amount": 2000},
    {"seat": 4, "wager": "ante_down", "amount": 550},
]


def test_unsigned_amounts_are_in_the_list_and_its_csv() -> None:
    record: Any = ended_round(1, unsigned=UNSIGNED)
    kept = parse_summary(summary_text(record), NEW_YORK)
    assert kept == summary_of(record, NEW_YORK)
    [row, signed] = rows(kept, summary_of(ended_round(2), NEW_YORK))
    assert (row["unsigned"], row["unsigned_cents"]) == ("3:across:2000 4:ante_down:550", "2550")
    assert (signed["unsigned"], signed["unsigned_cents"]) == ("", "0")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Entered, not signed: $25.50"), ("es", "Anotado, sin firmar: $25.50")],
)
def test_the_list_states_the_unsigned_sum(language: str, words: str) -> None:
    lines = [summary_of(ended_round(1, unsigned=UNSIGNED), NEW_YORK), summary_of(ended_round(2), NEW_YORK)]
    shown = render_list((each._asdict() for each in lines), language, NEW_YORK)
    assert [each["wrong"] for each in shown] == [[words], []]
    assert words in " ".join(" ".join(list_lines(shown, catalogue(language), 200)).split())


def test_typed_text_is_never_a_formula() -> None:
    [row] = rows(summary_of(ended_round(1, dealer="=1+1"), NEW_YORK))
    assert row["dealers"] == "'=1+1"
