"""What the figures say: shifts and gaming days, what is expected by the exact odds, and a CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.odds import shelf
from controller.odds.figures import totals
from controller.odds.pack import odds_of
from controller.packs.loader import find_pack, load_pack
from controller.pit import expecting
from controller.pit.figures import BadShifts, Shifts, as_csv, columns, hours, told
from controller.pit.metrics import text
from controller.pit.tile import Tile, after
from tests.pit.speaking import Table, wager

PACK = load_pack(find_pack("pennsylvania"))


def record(*antes: int, **other: Any) -> dict[str, Any]:
    """Of seats that laid so much on each ante."""
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
def test_a_shift_and_a_gaming_day_begin_when_the_house_says(at: str, shift: str, day: str) -> None:
    now, shifts = datetime.fromisoformat(at), Shifts()
    assert (shifts.shift(now), shifts.day(now)) == tuple(map(datetime.fromisoformat, (shift, day)))


def test_the_night_of_the_last_of_december_is_of_the_old_year() -> None:
    now = datetime.fromisoformat("2027-01-01T03:00")
    assert hours("year", now, Shifts()) == ("2026-01-01T06", "2027-01-01T03")
    assert hours("month", now, Shifts()) == ("2026-12-01T06", "2027-01-01T03")


@pytest.mark.parametrize("text_", ["", "6,6", "14,6", "24", "6;14", "-1"])
def test_shifts_that_are_none_are_one_line(text_: str) -> None:
    with pytest.raises(BadShifts, match="as 6,14,22"):
        Shifts.parse(text_)


# ------------------------------------------------------------------ win against expectation


def test_an_ante_is_expected_to_bring_the_edge_that_par_tells() -> None:
    known = shelf.known(odds_of(PACK))
    assert known is not None
    edge = -totals(odds_of(PACK), known.counts).expectation
    sums = expecting.expected(record(1000), 0)
    assert sums[expecting.EXPECTED] == round(edge * 1000 * expecting.MILLI)
    assert edge == pytest.approx(Fraction(866, 10_000), abs=1e-4)


def test_seats_that_share_the_cross_spread_wider_than_each_for_itself() -> None:
    one, six = expecting.expected(record(1000), 0), expecting.expected(record(*[1000] * 6), 0)
    assert six[expecting.EXPECTED] == pytest.approx(6 * one[expecting.EXPECTED], abs=6)
    alone, together = 6 * one[expecting.VARIANCE], 36 * one[expecting.VARIANCE]
    assert alone < six[expecting.VARIANCE] < together


def test_a_void_round_counts_for_nothing_and_other_rules_are_said_to_be_left_out() -> None:
    assert expecting.expected(record(1000, outcome="void"), 5) == Counter()
    assert expecting.expected(record(1000, rules_digest="sha256:00"), 5) == {expecting.NOT_KNOWN: 1}


def test_a_win_outside_of_the_band_is_said_and_one_inside_is_not() -> None:
    sums = Counter({expecting.ROUNDS: 1, expecting.EXPECTED: 10_000, expecting.VARIANCE: 10_000})
    for win, outside in ((10, False), (205, False), (207, True), (-187, True)):
        found = expecting.told(sums | {expecting.WIN: win} if win > 0 else {**sums, expecting.WIN: win})
        assert found is not None
        assert (found["outside"], found["low"], found["high"]) == (outside, -186, 206)
    assert expecting.told({}) is None


# ------------------------------------------------------------------ for a spreadsheet, for a monitor


def test_the_csv_has_the_same_columns_whatever_was_played() -> None:
    rows = list(csv.reader(io.StringIO(as_csv({"=CC": Counter({"rounds": 2, "win:across": -500})}, "table"))))
    assert rows[0] == ["table", *columns()]
    found = dict(zip(rows[0], rows[1], strict=True))
    assert (found["table"], found["rounds"], found["win_cents_across"]) == ("'=CC", "2", "-500")
    assert list(csv.reader(io.StringIO(as_csv({}, "day")))) == [["day", *columns()]]


def test_a_rate_of_nothing_is_not_known() -> None:
    row = told({"CC-01": Counter({"rounds": 1})}, "table", "2026-11-22T06", "UTC")["rows"][0]
    assert (row["hold"], row["errors_per_1000"], row["seconds_a_round"], row["luck"]) == (
        None,
        None,
        None,
        None,
    )


@given(
    st.lists(
        st.sampled_from(["alert", "alert_over", "held", "hold_over", "trouble", "trouble_over"]), max_size=30
    )
)
def test_a_tile_is_the_same_after_it_was_kept(kinds: list[str]) -> None:
    tile = Tile()
    for n, kind in enumerate(kinds):
        data = {"round": n, "ms": n, "id": n % 3, "code": "overpaid", "seat": n % 6 + 1}
        tile = after(tile, kind, f"2026-11-22T20:00:{n:02d}Z", data)
        assert Tile.parse(tile.text()) == tile
    assert len(tile.alerts) <= 3
    assert len(tile.troubles) <= 1


def test_a_monitor_is_told_in_openmetrics() -> None:
    from controller.pit.floor import Floor
    from controller.pit.keeper import Counts

    floor = Floor(lambda: 0.0, lambda: 0.0)
    floor.kept({"CC-01": (Tile(), 17)})
    said = text(floor, Counts(kept=17)).splitlines()
    assert 'crisscross_pit_table_events{table="CC-01"} 17' in said
    assert "crisscross_pit_events_kept_total 17" in said
    assert 'crisscross_pit_tables{speaks="here"} 1' in said
    assert (said[-1], len([line for line in said if line == "# EOF"])) == ("# EOF", 1)
