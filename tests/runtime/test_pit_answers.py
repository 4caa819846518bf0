"""The daemon's socket for the answers of a pit accepts only this one kind of request, tested on the real
socket of a real table."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest

from controller.common.ipc.rpc import NoAnswer, RpcFailed, closing_client
from controller.game.model.events import FloorOnTheWay, KeyPressed, Stamp
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.pages.display.touches import OnTheWay
from controller.table.daemon.pit_answers import answers_path, open_pit_answers, show_at
from controller.table.engine.engine import FAULTED
from controller.table.engine.inbox import Inbox, PersonEvent
from tests.game.felt import Felt

CALLED_AT = "2026-11-24T09:00:00.000Z"
ABOUT = f"call {CALLED_AT}"


class Engine:
    """Stand-in for the daemon's engine, which accepts each touch as soon as it arrives."""

    def __init__(self, felt: Felt) -> None:
        self.felt, self.inbox = felt, Inbox()
        self.fault: Refusal | None = None
        self.inbox.wake = self._take

    def _take(self) -> None:
        touch = self.inbox.take()
        assert isinstance(touch, PersonEvent)
        refusal = self.fault or self.felt.table.verify(touch.event)  # type: ignore[arg-type]
        if refusal is None:
            self.felt.table.handle(touch.event, Stamp(self.felt.ms, CALLED_AT))  # type: ignore[arg-type]
        touch.answer(refusal)


@contextmanager
def serving(journal: Path, inbox: Inbox) -> Iterator[None]:
    stack = AsyncExitStack()
    open_pit_answers(journal, inbox, frozenset({"pit-1"}), stack)
    try:
        yield
    finally:
        asyncio.run(stack.aclose())


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def called() -> Engine:
    felt = Felt()
    felt.table.handle(KeyPressed(Key.FLOOR), Stamp(felt.ms, CALLED_AT))
    return Engine(felt)


def test_the_table_s_screens_show_the_pit_that_answered(journal: Path) -> None:
    engine = called()
    with serving(journal, engine.inbox):
        assert stat.S_IMODE(answers_path(journal).stat().st_mode) & 0o007 == 0
        assert show_at(journal, "pit-1", ABOUT)
        shown = engine.felt.table.view()["on_the_way"]
        assert shown is not None
        assert (shown["pit"], shown["who"]) == ("pit-1", "")
        assert show_at(journal, "pit-1", ABOUT), "the same answer twice is shown once"
    assert not answers_path(journal).exists()


def test_an_answer_to_a_call_that_has_ended_is_refused(journal: Path) -> None:
    engine = called()
    engine.felt.floor("answer")
    with serving(journal, engine.inbox):
        assert not show_at(journal, "pit-1", ABOUT)
        assert not show_at(journal, "pit-1", "hold 2026-11-24T09:00:00.000Z")
    assert engine.felt.table.view()["on_the_way"] is None


def test_an_unwritable_journal_does_not_end_the_call(journal: Path) -> None:
    """The call is not answered, so the pit repeats its request and is answered once the journal is written
    again."""
    engine = called()
    with serving(journal, engine.inbox):
        engine.fault = FAULTED
        with pytest.raises(RpcFailed):
            show_at(journal, "pit-1", ABOUT)
        engine.fault = None
        assert show_at(journal, "pit-1", ABOUT)


def test_a_restarted_daemon_accepts_a_repeated_answer(journal: Path) -> None:
    engine = called()
    with serving(journal, engine.inbox):
        assert show_at(journal, "pit-1", ABOUT)
    with pytest.raises(NoAnswer):
        show_at(journal, "pit-1", ABOUT)
    with serving(journal, engine.inbox):
        assert show_at(journal, "pit-1", ABOUT), "shown once, though it came before and after the start"


@pytest.mark.parametrize(
    "fields",
    [
        {"pit": "pit-2", "about": ABOUT},
        {"pit": "pit-1", "about": "call now; rm"},
        {"pit": "pit-1", "about": "call"},
        {"pit": ABOUT, "about": ABOUT},
    ],
)
def test_an_invalid_request_ends_the_connection(journal: Path, fields: dict[str, object]) -> None:
    engine = called()
    with serving(journal, engine.inbox), closing_client(answers_path(journal)) as client:
        with pytest.raises(NoAnswer):
            client.ask("show", **fields)
        for method in ("press", "touch", "decide"):
            with pytest.raises(NoAnswer):
                client.ask(method, key="confirm")
    assert engine.felt.table.view()["on_the_way"] is None


def test_without_a_daemon_a_request_stays_unanswered(journal: Path) -> None:
    with pytest.raises(NoAnswer):
        show_at(journal, "pit-1", ABOUT)


def test_an_unavailable_socket_gives_one_line_and_play_continues(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = tmp_path / ("x" * 120) / "journal.db"
    with serving(journal, Inbox()):
        pass
    assert "no pit can answer a call at this table" in caplog.text


def test_no_touch_of_a_page_can_name_a_pit() -> None:
    """A page answers a call with a badge; only the daemon's socket for pits may set `pit`."""
    assert "pit" not in OnTheWay.model_fields
    assert FloorOnTheWay(ABOUT).pit == ""
