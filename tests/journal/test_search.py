"""The free-text search finds rounds by words in the fields that it covers, and never by a field that must not
be searched."""

from __future__ import annotations

from typing import Any

import pytest

from controller.record.journal.round_summary import parse_summary, summary_of, summary_text, with_corrections
from controller.record.journal.search import Terms, corpus, tokens
from controller.record.timeline.round_filters import Filters, filter_rounds
from tests.ended import ended_round

LATE = {"cents": -2500, "who": "B2", "why": "Cámara: pagó de más", "code": "mispaid"}


def night() -> list[dict[str, Any]]:
    """Return the records of three rounds: a plain one, a void one, and one with a reason and a correction."""
    wager = {"amount": 4500, "result": "win", "odds": 3, "payout": 13500, "uncut": 13500, "verified": True}
    seat = {"seat": 2, "wagers": {"middle": wager}, "paid": 13500, "taken": 2000}
    seat |= {"hands": {"middle": "full_house"}, "cards": ["AS", "AH"]}
    void = {"code": "wrong_count", "citation": "§ 1", "approved_by": "B7"}
    reasoned = [{"code": "card_differs", "reason": "Camera-checked: it is the nine"}]
    return [
        ended_round(1, cross={"middle": "QS"}),
        ended_round(2, outcome="void", void=void, dealer="0077", dealers=[{"number": "0077", "from": ""}]),
        ended_round(3, seats=[seat], irregularities=reasoned, corrections=[LATE], stub={"counted": 35}),
    ]


@pytest.mark.parametrize(
    ("find", "rounds"),
    [
        ("3", [3]), ("0412", [1, 3]), ("0077", [2]), ("77", []), ("b7", [2]), ("B2", [3]), ("b", [2, 3]),
        ("$135", [3]), ("135", [3]), ("135.00", [3]), ("$135.01", []), ("$45", [3]), ("$20", [3]),
        ("$25", [3]), ("$10", [1, 2]), ("camera", [3]), ("CÁMARA pago", [3]), ("nine camera", [3]),
        ("camera seven", []), ("camera-checked", [3]), ("cam $135 b2", [3]),
        ("amera", []), ("$", []), ("-", []), ("$0", []),
    ],
)  # fmt: skip
def test_every_word_must_match_regardless_of_case_and_accents(find: str, rounds: list[int]) -> None:
    assert [each.round for each in filter_rounds(map(summary_of, night()), Filters(find=find))] == rounds


@pytest.mark.parametrize("find", ["AS", "QS", "full", "full_house", "house", "AH", "35", "middle", "win"])
def test_cards_hands_and_stub_counts_are_never_found(find: str) -> None:
    assert list(filter_rounds(map(summary_of, night()), Filters(find=find))) == []


def test_rounds_that_differ_only_in_cards_have_the_same_searched_text() -> None:
    """If the search distinguished these rounds, it would reveal a face that the rules never turned."""
    plain, other = ended_round(1), ended_round(1)
    for record, face in ((plain, "2C"), (other, "AS")):
        record["seats"] = [{**record["seats"][0], "cards": [face, face], "hands": {"across": face}}]
        record |= {"cross": {"middle": face}, "bonus_cards": [face], "set_aside": [face]}
    assert summary_of(plain) == summary_of(other)


def test_a_late_correction_and_a_decision_are_found_with_the_rounds_own_words() -> None:
    own = with_corrections(summary_of(ended_round(1)), [LATE])  # type: ignore[list-item]
    assert [each.round for each in filter_rounds([own], Filters(find="camara $25 0412"))] == [1]
    decided = {1: corpus("B9", "patron left")}
    assert [each.round for each in filter_rounds([own], Filters(find="b9 patron b2"), decided)] == [1]
    assert list(filter_rounds([own], Filters(find="b9"))) == []


def test_the_stored_line_equals_that_of_its_record() -> None:
    for record in night():
        assert parse_summary(summary_text(record), "") == summary_of(record)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "   ", "ﬁne Ñandú İ", "9" * 100, "$" * 100, "\x00", "٣"])
def test_any_search_text_is_accepted(text: str) -> None:
    assert Terms(text).found(1, corpus(text), ()) in {True, False}
    assert all(word == word.casefold() for word in tokens(text))
