"""An event has the same name at the table, in the record, in the list of rounds, in figures and CSV, and at
the pit.

A cap is always named a late bet. Chips of a folded bet are never named a bet out of turn.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from controller.common.texts.catalogue import catalogue, languages
from controller.floor.pit.tile import Tile, after
from controller.floor.uplink.snapshot import floor_of
from controller.game.model.events import Started
from controller.game.model.irregularities import REPORTS, Code
from controller.game.model.names import SEATS, Phase, Wager
from controller.game.model.naming import FOLDED_BET, SPECIFIC_NAMES, as_code, entry_name, with_names
from controller.game.model.record import RoundRecord
from controller.game.model.transition import BEFORE_TURN_SINCE
from controller.pages.display.round_text import title
from controller.pages.display.words import render
from controller.record.journal.round_summary import summary_of
from controller.record.timeline.round_filters import as_csv
from controller.table.engine.tally import sums_of
from tests.game.felt import Felt

UTC = "2026-11-20T20:00:00.000Z"
NOTHING = "2C 7D 9H JS 4C"


def dealt(**hands: str) -> Felt:
    felt = Felt()
    seats = {int(name[1:]): cards for name, cards in hands.items()}
    felt.closed(*seats)
    felt.deal(NOTHING, seats)
    return felt


def finish(felt: Felt) -> RoundRecord:
    while not felt.records:
        if felt.phase is Phase.SETTLEMENT:
            felt.settle_one()
        else:
            felt.decide(s3=10, s4=10)
    return felt.records[-1]


def shown(felt: Felt) -> list[tuple[str, str]]:
    """Return the name and the text of each alert as shown on the dealer's page."""
    view = felt.table.view()
    return [(a["name"], w["what"]) for a, w in zip(view["alerts"], render(view, "en")["alerts"], strict=True)]


def test_a_cap_of_an_ante_is_a_late_bet_and_a_pinch_is_a_changed_bet() -> None:
    felt = dealt(s3="KD 3S", s4="QD 5S")
    felt.lay(3, ante_across=35)
    felt.lay(4, ante_down=5, five_card_bonus=5)
    felt.stand()
    assert sorted(shown(felt)) == [
        ("bet_changed", "Bet changed: $5 is missing"),
        ("late_bet", "Late bet: $25"),
        ("late_bet", "Late bet: $5"),
    ]
    felt.lay(3, ante_across=10)
    felt.lay(4, ante_down=10, five_card_bonus=0)
    record = finish(felt)
    assert sorted(map(entry_name, record["irregularities"])) == ["bet_changed", "late_bet", "late_bet"]
    assert [e["name"] for e in record["irregularities"] if e["code"] == "bet_changed" and "name" in e] == [
        "late_bet"
    ]
    summary = summary_of({**record, "started": UTC, "ended": UTC})
    assert dict(summary.wrong) == {"late_bet": 2, "bet_changed": 1}
    sums = sums_of(record)
    assert (sums["code:late_bet"], sums["code:bet_changed"]) == (2, 1)
    assert "late_bet:2" in as_csv([summary]) and "bet_changed:1" in as_csv([summary])


def test_a_record_marks_what_came_before_the_turn_of_its_seat() -> None:
    """Seat 3 is asked first. A seat that was asked, has bet or has folded can no longer bet before its
    turn."""
    felt = dealt(s3="KD 3S", s4="QD 5S")
    felt.lay(3, ante_across=35)
    felt.lay(4, ante_across=35)
    felt.stand()
    felt.lay(3, ante_across=10)
    felt.lay(4, ante_across=10)
    felt.decide(s3=10, s4=10)
    felt.lay(3, ante_down=35)
    felt.stand()
    felt.lay(3, ante_down=10)
    felt.bet(10)
    felt.lay(3, ante_down=35)
    felt.lay(4, ante_down=35)
    felt.stand()
    felt.lay(3, ante_down=10)
    felt.lay(4, ante_down=10)
    entries = [(e["phase"], e["seat"], e.get("before_turn", False)) for e in finish(felt)["irregularities"]]
    assert entries == [
        ("across", 3, False), ("across", 4, True), ("down", 3, False), ("down", 3, False), ("down", 4, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("procedures", "marked"), [(BEFORE_TURN_SINCE, True), (BEFORE_TURN_SINCE - 1, False)]
)
def test_a_replay_of_an_older_journal_marks_nothing(procedures: int, marked: bool) -> None:
    felt = dealt(s3="KD 3S", s4="QD 5S")
    felt.table.state = replace(felt.table.state, procedures=procedures)
    felt.lay(4, ante_across=35)
    felt.stand()
    felt.lay(4, ante_across=10)
    [entry] = finish(felt)["irregularities"]
    assert ("before_turn" in entry) is marked
    assert "before_turn" not in as_code(entry)


def test_a_cap_that_becomes_a_pinch_has_two_names_and_two_entries() -> None:
    felt = dealt(s3="KD 3S")
    felt.lay(3, ante_across=35)
    felt.stand()
    felt.lay(3, ante_across=5)
    felt.stand()
    assert shown(felt) == [("bet_changed", "Bet changed: $5 is missing")]
    felt.lay(3, ante_across=10)
    assert [entry_name(e) for e in finish(felt)["irregularities"]] == ["late_bet", "bet_changed"]


def test_a_cap_of_a_bet_that_was_made_is_a_late_bet() -> None:
    felt = dealt(s3="KD 3S")
    felt.decide(s3=10)
    felt.pay(3, "across", 2500)
    felt.stand()
    [(name, words)] = shown(felt)
    assert name == "late_bet" and words.startswith("Late bet")


def test_a_folded_bet_is_not_a_bet_out_of_turn() -> None:
    felt = dealt(s3="KD 3S", s4="QD 5S")
    felt.lay(3, across=10)
    felt.fold()
    felt.stand()
    assert shown(felt) == [(FOLDED_BET, "Bet of a folded hand: $10")]
    felt.lay(3, across=0)
    felt.collect()
    record = finish(felt)
    [entry] = record["irregularities"]
    assert (entry["code"], entry["name"]) == (Code.BET_OUT_OF_TURN, FOLDED_BET)
    assert dict(summary_of(record).wrong) == {FOLDED_BET: 1}


def test_a_bet_laid_before_its_turn_keeps_its_name() -> None:
    felt = dealt(s3="KD 3S")
    felt.lay(3, middle=10)
    felt.stand()
    assert [name for name, _ in shown(felt)] == ["bet_out_of_turn"]


def test_entries_of_an_older_journal_are_named_by_their_codes() -> None:
    felt = dealt(s3="KD 3S")
    felt.event(Started(tuple((seat, wager) for seat in SEATS for wager in Wager), procedures=1))
    felt.lay(3, ante_across=35)
    felt.stand()
    assert [alert.name for alert in felt.table.state.alerts] == [""]
    felt.lay(3, ante_across=10)
    assert not any(entry.name for entry in felt.round.irregularities)


def test_a_signature_has_the_name_of_its_alert() -> None:
    felt = dealt(s3="KD 3S")
    felt.lay(3, ante_across=35)
    felt.stand()
    felt.floor("sign", seat=3, wager=Wager.ANTE_ACROSS, reason="lies there")
    [signed] = felt.round.ledger.signed
    assert signed.name == "late_bet"


# ------------------------------------------------------------------ at the pit


def test_the_pit_names_a_folded_bet_and_a_cap_as_the_table_does() -> None:
    """The pit receives only codes. A folded bet and a cap keep the code of an alert that pits of earlier
    versions know."""
    felt = dealt(s3="KD 3S", s4="QD 5S")
    felt.lay(3, across=10)
    felt.fold()
    felt.lay(4, ante_down=15)
    felt.stand()
    view = felt.table.view()
    sent = floor_of(view)["alerts"]
    tile = Tile(phase="across", folded=(3,))
    for each in sent:
        tile = after(tile, "alert", UTC, {"round": 1, "ms": 1, **each})
    assert sorted(each.code for each in tile.alerts) == sorted(a["name"] for a in view["alerts"])
    felt.lay(3, across=0)
    felt.lay(4, ante_down=10)
    felt.collect()
    record = finish(felt)
    coded = {**record, "irregularities": [as_code(entry) for entry in record["irregularities"]]}
    assert all(entry["code"] in set(Code) and "name" not in entry for entry in coded["irregularities"])
    again = with_names(coded)["irregularities"]
    assert [*map(entry_name, again)] == [*map(entry_name, record["irregularities"])]


# ------------------------------------------------------------------ the whole catalogue

FACTS = {
    Code.BET_OUT_OF_RANGE: "No whole multiple of the ante: asked for again, and in no record",
    Code.DECK_COUNT: "the counts themselves",
    Code.WRONG_CIRCLE: "the place where the chips belong",
}
"""Codes whose text states a fact instead of repeating the name of the alert, each with this fact."""


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [*Code, *SPECIFIC_NAMES])
def test_every_text_of_an_irregularity_has_its_name(name: str, language: str) -> None:
    texts = catalogue(language)
    what = texts.node(f"codes.{name}.what")
    assert what is not None
    if name in FACTS or not isinstance(what, list):
        return
    known = _stems(title(texts, name))
    if name == Code.BET_CHANGED:
        known |= _stems(title(texts, Code.LATE_BET))
    assert all(_stems(text) & known for text in what), what


def _stems(text: str) -> set[str]:
    """Return the first five letters of each longer word, so that inflected forms of a word compare as
    equal."""
    return {word[:5].lower() for word in re.findall(r"\w{4,}", re.sub(r"\{\w+\}", "", text))}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", [code for code in REPORTS if code in set(Code)])
def test_a_report_has_the_name_of_its_hold(code: Code, language: str) -> None:
    texts = catalogue(language)
    assert texts.plain(f"reports.{code}") == title(texts, code)


@pytest.mark.parametrize("name", [*Code, *SPECIFIC_NAMES])
def test_exports_have_codes(name: str) -> None:
    assert as_code({"code": Code.BET_OUT_OF_TURN, "name": name})["code"] in set(Code)
