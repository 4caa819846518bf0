"""A round ends under the rules with which it began, and changed settings take effect only between rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.common.clock import ManualClock
from controller.game.model.events import FloorDecided, KeyPressed, SettingsChanged, Started
from controller.game.model.names import Key, Phase
from controller.game.model.state import TableState
from controller.game.table import Table
from controller.record.journal.journal import Journal
from controller.record.journal.replay import store_settings
from controller.record.journal.schema import NotOurJournal
from controller.settings.chip_register import read_rows, write_rows
from controller.settings.config import TableConfig, load_config
from controller.table.engine.digests import TOTAL, changed_names, digests
from controller.table.engine.inbox import Inbox
from controller.table.engine.settings_guard import SettingsGuard
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt
from tests.runtime.child import table_file


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.db")
    yield opened
    opened.close()


class Start:
    """Start of the daemon with a table file that differs from the one with which its journal began."""

    def __init__(self, folder: Path, journal: Journal, state: TableState, **more: object) -> None:
        self.journal, self.clock, self.inbox = journal, ManualClock(1000), Inbox()
        self.before = load_config(table_file(folder))
        store_settings(journal, self.clock.stamp(), self.before.pack, self.before.settings())
        self.now = load_config(table_file(folder, **more))
        self.table = Table(self.now.pack, self.now.settings(), state)

    def rules(self, known: bool = True) -> SettingsGuard:
        stored = digests(self.before) if known else {}
        self.table.state = replace(self.table.state, digests=stored)
        return SettingsGuard(self.now, self.journal, self.clock, self.table, self.inbox)

    @property
    def least(self) -> tuple[int, int]:
        """Return the minimum ante in play and the minimum that a replay of the journal would use."""
        kept = self.journal.settings()[-1].pack
        return self.table.pack.minimum_ante, 1500 if '"minimum_ante":1500' in kept else 500


def apply_waiting(start: Start) -> None:
    """Let settings that wait for the end of a round take effect."""
    start.table.state = replace(Felt().table.state, digests=start.table.state.digests)


def take_change(start: Start) -> SettingsChanged:
    event = start.inbox.take()
    assert isinstance(event, SettingsChanged)
    assert not start.inbox
    return event


def test_changed_rules_take_effect_after_the_round_in_progress(tmp_path: Path, journal: Journal) -> None:
    start = Start(tmp_path, journal, dealt().table.state, minimum_ante=15)
    rules = start.rules()
    rules.report_changes()
    rules.apply_waiting()
    assert start.least == (500, 500)
    assert rules.digests == digests(start.before)
    assert not start.inbox
    apply_waiting(start)
    rules.apply_waiting()
    assert start.least == (1500, 1500)
    assert take_change(start) == SettingsChanged(digests(start.now), ("rules",), signed=True)
    rules.apply_waiting()
    assert not start.inbox, "it is said once"


@pytest.mark.parametrize("known", [True, False])
def test_a_held_round_and_one_of_an_older_journal_keep_their_rules(
    tmp_path: Path, journal: Journal, known: bool
) -> None:
    felt = dealt()
    felt.report("hole_exposed", seat=1)
    assert felt.phase is Phase.HELD
    start = Start(tmp_path, journal, felt.table.state, minimum_ante=15)
    start.rules(known).apply_waiting()
    assert start.least == (500, 500)


def test_between_rounds_a_change_takes_effect_at_once_and_is_reported(
    tmp_path: Path, journal: Journal
) -> None:
    start = Start(tmp_path, journal, Felt().table.state, minimum_ante=15, dead_time_ms=1, decks=2)
    rules = start.rules()
    assert (start.least, rules.digests) == ((1500, 1500), digests(start.now))
    rules.report_changes()
    assert take_change(start).changed == ("settings", "rules")


def test_an_unchanged_table_reports_no_change(tmp_path: Path, journal: Journal) -> None:
    for state in (dealt().table.state, Felt().table.state):
        start = Start(tmp_path, journal, state)
        start.rules().report_changes()
        assert not start.inbox


def another_register(config: TableConfig) -> None:
    file = config.path("chips.csv")
    write_rows(file, [row.model_copy(update={"cents": "100000"}) for row in read_rows(file)])


def test_another_chip_register_takes_effect_only_after_the_round(tmp_path: Path, journal: Journal) -> None:
    """The value of a chip must not change from $1 to $1,000 in mid-round, and the journal does not store the
    register."""
    shipped = read_rows(Path(__file__).parents[2] / "config" / "chips.csv")[:30]
    write_rows(tmp_path / "chips.csv", shipped)
    start = Start(tmp_path, journal, dealt().table.state, chips="chips.csv")
    start.before = start.now
    known = digests(start.before)
    another_register(start.now)
    start.table.state = replace(start.table.state, digests=known)
    with pytest.raises(NotOurJournal, match="chips: the register was changed in mid-round") as caught:
        SettingsGuard(start.now, journal, start.clock, start.table, start.inbox)
    assert known["register"] in str(caught.value)
    apply_waiting(start)
    rules = SettingsGuard(start.now, journal, start.clock, start.table, start.inbox)
    rules.report_changes()
    assert take_change(start).changed == ("register",)


# ------------------------------------------------------------------ digests


def test_each_part_has_its_own_digest_and_one_covers_all(tmp_path: Path) -> None:
    one = digests(load_config(table_file(tmp_path)))
    assert sorted(one) == ["pins", "program", "register", "rules", "settings", "texts", "whole"]
    assert all(digest.startswith("sha256:") and len(digest) == 71 for digest in one.values())
    other = digests(load_config(table_file(tmp_path, floorpersons=["B1"], table="T-2")))
    assert changed_names(one, other) == ("settings",)
    assert one[TOTAL] != other[TOTAL]
    assert changed_names({}, other) == ()


def test_a_start_and_each_record_name_the_digests_in_use() -> None:
    felt = Felt()
    felt.event(Started((), {"rules": "sha256:a", "whole": "sha256:b"}))
    assert felt.table.state.digests["whole"] == "sha256:b"
    felt.event(Started(()))
    assert felt.table.state.digests["whole"] == "sha256:b", "a start of before says nothing"
    felt.event(SettingsChanged({"whole": "sha256:c"}, ("rules",), signed=False))
    assert felt.table.state.digests == {"whole": "sha256:c"}


# ------------------------------------------------------------------ signatures

OTHERWISE = SettingsChanged({"whole": "sha256:b"}, ("rules", "register"), signed=True)


def opened() -> Felt:
    return Felt()


def closed() -> Felt:
    felt = Felt()
    felt.floor("close")
    return felt


@pytest.mark.parametrize("made", [opened, closed])
def test_play_with_changed_rules_needs_a_reason_of_the_floor(made: Callable[[], Felt]) -> None:
    felt = made()
    stood = felt.phase
    felt.event(OTHERWISE)
    assert felt.phase is Phase.HELD
    assert felt.refused(KeyPressed(Key.NO_MORE_BETS)) is not None
    for without in ("", "  "):
        refused = felt.refused(FloorDecided("B1", "approve", reason=without))
        assert refused is not None
        assert refused.code == "reason_needed"
    assert felt.refused(FloorDecided("B1", "outcome", "void", reason="why")) is not None
    felt.event(FloorDecided("B1", "approve", reason="new limits from tonight"))
    assert felt.phase is stood


def test_the_signed_change_is_in_the_next_round_s_record() -> None:
    felt = Felt()
    felt.event(OTHERWISE)
    felt.event(FloorDecided("B2", "approve", reason="new limits from tonight"))
    felt.closed(3)
    felt.deal("2C 7D TH JS 4C", {3: "TD 9S"})
    felt.fold()
    felt.collect()
    [noted] = [each for each in felt.records[-1]["irregularities"] if each["code"] == "settings_changed"]
    assert noted["resolved"]
    assert felt.records[-1]["settings_digest"] == "sha256:b"


def test_a_mock_table_needs_no_signature_for_changed_rules() -> None:
    felt = Felt()
    felt.event(SettingsChanged({"whole": "sha256:b"}, ("rules",), signed=False))
    assert felt.phase is Phase.BETTING
