"""Figures are counted by shift and gaming day, and are compared with the expectation by the exact odds; a CSV
contains them all.
"""

from __future__ import annotations

import copy
import csv
import io
from collections import Counter
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli import main
from controller.common.files.packaged import data_dir
from controller.floor.pit import expected_win
from controller.floor.pit.figures import BadShifts, Shifts, as_csv, as_rows, columns, hours
from controller.floor.pit.tile import Tile, after
from controller.game.model.cards import DECK
from controller.game.model.names import Wager
from controller.rules.odds import odds_files
from controller.rules.odds.expected import expected_when_laid
from controller.rules.odds.figures import totals
from controller.rules.odds.pack import odds_of
from controller.rules.packs.loader import find_pack, load_pack
from controller.settings.config import load_config
from tests.odds.fortune import figures_of, records
from tests.pit.published_tables import Table, wager

PACK = load_pack(find_pack("pennsylvania"))


def record(*antes: int, **other: Any) -> dict[str, Any]:
    """Return a record of seats with these amounts on each ante."""
    made = Table().record() | {"rules_digest": PACK.digest} | other
    seat = made["seats"][0]
    bets = [{"ante_across": wager(ante, "lose"), "ante_down": wager(ante, "lose")} for ante in antes]
    return made | {"seats": [{**seat, "seat": n, "wagers": laid} for n, laid in enumerate(bets, 1)]}


@pytest.mark.parametrize(
    ("at", "shift", "day"),
    [
        ("2026-11-22T05:59", "2026-11-21T22:00", "2026-11-21T06:00"),
        ("2026-11-22T06:00", "2026-11-22T06:00", "2026-11-22T06:00"),
        ("2026-11-22T23:00", "2026-11-22T22:00", "2026-11-22T06:00"),
    ],
)
def test_shifts_and_gaming_days_begin_at_the_configured_times(at: str, shift: str, day: str) -> None:
    now, shifts = datetime.fromisoformat(at), Shifts()
    assert (shifts.shift(now), shifts.day(now)) == tuple(map(datetime.fromisoformat, (shift, day)))


def test_the_night_of_31_december_belongs_to_the_old_year() -> None:
    now = datetime.fromisoformat("2027-01-01T03:00")
    assert hours("year", now, Shifts()) == ("2026-01-01T06", "2027-01-01T03")
    assert hours("month", now, Shifts()) == ("2026-12-01T06", "2027-01-01T03")


@pytest.mark.parametrize("text_", ["", "6,6", "14,6", "24", "6;14", "-1"])
def test_invalid_shifts_are_refused_in_one_line(text_: str) -> None:
    with pytest.raises(BadShifts, match="as 6,14,22"):
        Shifts.parse(text_)


# ------------------------------------------------------------------ win against expectation


KNOWN = expected_win.shipped_odds()


def expected(played: Any, win: int = 0) -> Counter[str]:
    return expected_win.expected(played, win, KNOWN)


def shown(played: Any) -> dict[str, Any]:
    """Return the record as a pit receives it, without faces of folded hands."""
    seats = [
        {**seat, "cards": [None, None] if seat["folded_at"] else seat["cards"]} for seat in played["seats"]
    ]
    return {**played, "seats": seats, "rules_digest": PACK.digest}


def test_the_expectation_of_wagers_follows_the_odds() -> None:
    for played in records(PACK, 6, 20, 3):
        sums, found = expected(shown(played), 77), expected_when_laid(figures_of(PACK), played)
        assert sums["laid:expected"] == round(found.win * expected_win.MILLI)
        assert (sums["laid:rounds"], sums["laid:win"], sums["laid:variance"]) == (
            1,
            77,
            round(found.variance),
        )


def test_the_expectation_of_an_ante_is_the_edge_of_the_par_sheet() -> None:
    known = odds_files.find_odds(odds_of(PACK))
    assert known is not None
    edge = -totals(odds_of(PACK), known.counts).expectation
    assert expected(record(1000))["par:expected"] == round(edge * 1000 * expected_win.MILLI)
    assert edge == pytest.approx(Fraction(866, 10_000), abs=1e-4)


def test_seats_that_share_a_cross_have_a_wider_spread_than_single_seats() -> None:
    one, six = expected(record(1000)), expected(record(*[1000] * 6))
    assert six["par:expected"] == pytest.approx(6 * one["par:expected"], abs=6)
    alone, together = 6 * one["par:variance"], 36 * one["par:variance"]
    assert alone < six["par:variance"] < together


def test_a_void_round_does_not_count() -> None:
    assert expected(record(1000, outcome="void"), 5) == Counter()


def test_rounds_without_an_expectation_are_counted_by_reason() -> None:
    (played,) = (shown(each) for each in records(PACK, 1, 1, 9))
    seat = played["seats"][0]
    forfeited = {**played, "seats": [{**seat, "forfeited": {"phase": "down", "code": "player_left"}}]}
    dear = record(10**12, 10**12)
    for each, by_laid, by_par in (
        (record(1000, rules_digest="sha256:00"), "rules", "rules"),
        (forfeited, "forfeited", "forfeited"),
        (dear, "cards", "amounts"),
    ):
        assert expected(each) == {f"laid:out:{by_laid}": 1, f"par:out:{by_par}": 1}
    whole = shown(next(each for each in records(PACK, 1, 30, 6) if "middle" in each["seats"][0]["wagers"]))
    whole["seats"][0]["cards"] = ["2C", None]
    assert expected(whole)["laid:out:cards"] == 1


SOME = [shown(each) for each in records(PACK, 2, 8, 5)]


@given(st.data())
def test_no_valid_record_breaks_the_figures(data: st.DataObject) -> None:
    """Contradictory parts of a record are left out: no error is raised, and no value exceeds 64 bits."""
    played = copy.deepcopy(data.draw(st.sampled_from(SOME)))
    seat = played["seats"][0]
    faces = st.sampled_from([*DECK, None])
    seat["cards"] = data.draw(st.lists(faces, max_size=3))
    seat["folded_at"] = data.draw(st.sampled_from([None, "across", "down", "middle", "nowhere"]))
    place = data.draw(st.sampled_from(sorted(played["cross"])))
    played["cross"][place] = data.draw(faces)
    if data.draw(st.booleans()):
        del played["cross"][place]
    wagers = st.sampled_from([*map(str, Wager), "tip"])
    amounts = st.integers(-(10**12), 10**12)
    seat["wagers"] |= data.draw(
        st.dictionaries(wagers, amounts.map(lambda cents: wager(cents, "win", cents)))
    )
    assert all(abs(amount) <= expected_win.MAX_SUM for amount in expected(played).values())


def test_only_a_win_outside_the_band_is_marked() -> None:
    sums = {"laid:rounds": 50, "laid:expected": 10_000, "laid:variance": 10_000}
    for win, outside in ((10, False), (205, False), (207, True), (-187, True)):
        found = expected_win.against_expectation({**sums, "laid:win": win}, "laid")
        assert found is not None
        assert (found["outside"], found["low"], found["high"]) == (outside, -186, 206)
    assert expected_win.against_expectation({}, "laid") is None


def test_a_win_above_the_best_play_s_expectation_is_not_marked() -> None:
    sums = {"par:rounds": 50, "par:expected": 10_000, "par:variance": 10_000}
    found = [expected_win.against_expectation({**sums, "par:win": win}, "par") for win in (5000, -187)]
    assert [each and each["outside"] for each in found] == [False, True]


def test_a_few_rounds_have_no_band() -> None:
    sums = {"laid:rounds": 49, "laid:expected": 10_000, "laid:variance": 10_000, "laid:out:rules": 3}
    found = expected_win.against_expectation(sums, "laid")
    assert found is not None
    assert (found["z"], found["low"], found["outside"], found["expected"]) == (None, None, False, 10)
    assert found["left_out"] == {"rules": 3}


def test_a_pack_with_its_own_limits_is_known_by_its_file(tmp_path: Path) -> None:
    """A pack with other limits has another digest and the same odds."""
    file = tmp_path / "CC-07.yaml"
    text_ = (data_dir("config") / "table.yaml").read_text()
    (tmp_path / "people.yaml").write_text("{}\n")
    file.write_text(text_.replace("minimum_ante: 5\n", "minimum_ante: 25\n"))
    digest = load_config(file).pack.digest
    assert digest not in KNOWN
    assert (
        expected_win.load_odds([str(file)], lambda named: load_config(named).pack)[digest].units
        == KNOWN[PACK.digest].units
    )


def test_rules_without_counted_odds_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.yaml"
    text_ = (data_dir("config") / "rules" / "pennsylvania.yaml").read_text()
    file.write_text(text_.replace("flush: 8", "flush: 9"))
    assert main(["pit", "--rules", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"crisscross pit: --rules: {file}:1: its odds are in no file; type crisscross par {file}\n"
    )


# ------------------------------------------------------------------ for a spreadsheet, for a monitor


def test_the_csv_always_has_the_same_columns() -> None:
    rows = list(csv.reader(io.StringIO(as_csv({"=CC": Counter({"rounds": 2, "win:across": -500})}, "table"))))
    assert rows[0] == ["table", *columns()]
    found = dict(zip(rows[0], rows[1], strict=True))
    assert (found["table"], found["rounds"], found["win_cents_across"]) == ("'=CC", "2", "-500")
    assert list(csv.reader(io.StringIO(as_csv({}, "day")))) == [["day", *columns()]]


def test_a_rate_over_zero_rounds_is_unknown() -> None:
    row = as_rows({"CC-01": Counter({"rounds": 1})}, "table", "2026-11-22T06", "UTC")["rows"][0]
    assert [row[name] for name in ("hold", "errors_per_1000", "seconds_a_round")] == [None] * 3
    assert row["luck"] == {"laid": None, "par": None}


@given(
    st.lists(
        st.sampled_from(["alert", "alert_over", "held", "hold_over", "trouble", "trouble_over"]), max_size=30
    )
)
def test_a_stored_tile_is_read_back_unchanged(kinds: list[str]) -> None:
    tile = Tile()
    for n, kind in enumerate(kinds):
        data = {"round": n, "ms": n, "id": n % 3, "code": "overpaid", "seat": n % 6 + 1}
        tile = after(tile, kind, f"2026-11-22T20:00:{n:02d}Z", data)
        assert Tile.parse(tile.text()) == tile
    assert len(tile.alerts) <= 3
    assert len(tile.troubles) <= 1
