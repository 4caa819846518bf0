"""The simulated shoe also works without a line, and a technician can cause its faults at the console."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from drivers.ports import ShoeReport
from drivers.shoe.sim.console import HELP, Console
from drivers.shoe.sim.in_process import DirectShoe
from drivers.shoe.sim.line import VERBS, Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator

pytestmark = pytest.mark.serial


async def quiet() -> None:
    """Run the loop until no callback is ready."""
    for _ in range(200):
        await asyncio.sleep(0)


async def test_reports_are_accepted_in_order_and_commands_run_one_at_a_time() -> None:
    loop, seen = asyncio.get_running_loop(), list[ShoeReport]()
    model = ShoeModel(3, pace=Pace.max())
    shoe = DirectShoe(model, loop, loop.time)
    shoe.start(seen.append, None)
    await quiet()
    assert [report.kind for report in seen] == ["WELCOME", "STATE"]
    assert seen[-1].resumed
    with pytest.raises(ValueError, match="no STATE waits"):
        shoe.accept(seen[1])
    for report in tuple(seen):
        shoe.accept(report)
    shoe.command("DEAL", "2")
    shoe.command("DEAL", "2")
    shoe.command("HOLD")
    for _ in range(12):
        await quiet()
        if len(seen) > 2:
            shoe.accept(seen.pop(2))
    assert model.state()[2] == "2", "the second DEAL was refused: the stack lies in the exit"
    shoe.stop()


async def test_reports_that_a_dead_runtime_did_not_accept_go_to_the_next() -> None:
    loop, lost, reports = asyncio.get_running_loop(), list[ShoeReport](), list[ShoeReport]()
    shoe = DirectShoe(ShoeModel(3, pace=Pace.max()), loop, loop.time)
    shoe.command("HOLD")
    assert shoe.statistics().counts["commands_void"] == 1
    shoe.start(lost.append, None)
    await quiet()
    shoe.unplug()
    shoe.start(reports.append, None)
    await quiet()
    assert [report.kind for report in reports] == ["WELCOME", "STATE"]
    shoe.stop()


async def test_thousands_of_cards_are_dealt_without_a_timer() -> None:
    loop, seen = asyncio.get_running_loop(), list[str]()
    model = ShoeModel(3, pace=Pace.max())
    shoe = DirectShoe(model, loop, loop.time)
    done = asyncio.Event()

    def sink(report: ShoeReport) -> None:
        seen.append(report.kind)
        shoe.accept(report)
        if report.kind in ("STATE", "READY") and report.fields[0] != "SHUFFLING":
            shoe.command("STUBOUT")
        elif report.kind == "DONE" and report.fields[0] == "STUBOUT":
            model.put_deck_in("RED")
            shoe.command("SHUFFLE")
        if len(seen) > 3000:
            done.set()

    model.listen(lambda event: None if event != "stub" else _take(model))
    shoe.start(sink, None)
    await asyncio.wait_for(done.wait(), 20)
    assert seen.count("STUB") > 300
    shoe.stop()


def _take(model: ShoeModel) -> None:
    model.take_stub()


async def test_unplugging_is_a_lost_link_and_a_resumption_even_without_a_line() -> None:
    loop, seen = asyncio.get_running_loop(), list[ShoeReport]()
    model = ShoeModel(3, mode="SINGLE", pace=Pace.max())
    shoe = DirectShoe(model, loop, loop.time)

    def sink(report: ShoeReport) -> None:
        seen.append(report)
        shoe.accept(report)

    shoe.start(sink, None)
    await quiet()
    shoe.unplug()
    model.draw()
    await quiet()
    shoe.plug()
    await quiet()
    shoe.stop()
    kinds = [report.kind for report in seen]
    assert kinds == ["WELCOME", "STATE", "LINK_LOST", "WELCOME", "CARD", "STATE"]
    assert "**" in repr(seen[4])


async def test_only_a_pending_report_can_be_accepted() -> None:
    loop = asyncio.get_running_loop()
    shoe = DirectShoe(ShoeModel(), loop, loop.time)
    with pytest.raises(ValueError, match="no CARD waits"):
        shoe.accept(ShoeReport("CARD", ("1", "QH"), "direct:01"))


def console_run(tmp_path: Path, *lines: str) -> list[str]:
    answers: list[str] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        model = ShoeModel(3, pace=Pace.max())
        simulator = ShoeSimulator(model, Pty(tmp_path / "shoe"), loop, rng=Random(1))
        console = Console(simulator, loop.time)
        simulator.start()
        for line in lines:
            if line.startswith("!"):
                kind, *fields = line[1:].split(",")
                model.command(kind, tuple(fields), loop.time())
            else:
                answers.append(console(line))
        simulator.stop()

    asyncio.run(scenario())
    return answers


def test_the_console_accepts_every_word_of_its_help(tmp_path: Path) -> None:
    words = [line.split()[0].rstrip(",") for line in HELP.splitlines()]
    ours = [word for word in words if word not in ("VERB", "quit")]
    answers = console_run(tmp_path, *ours, *VERBS, "unplug", "plug", "power", "clear")
    assert not [answer for answer in answers if "no such command" in answer]


def test_the_console_explains_mistakes_and_shows_no_face(tmp_path: Path) -> None:
    answers = console_run(
        tmp_path, "frob", "fault", "fault x", "drop many", "count", "deck GREEN", "lift", "load 1X", ""
    )
    assert all("help" in answer for answer in answers[:-1])
    assert answers[-1] == ""
    shown = console_run(tmp_path, "load QH TD", "!DEAL,2", "status", "lift", "status")
    assert shown[2] == "2 cards lifted"
    assert not [text for text in shown if "QH" in text or "TD" in text]


def test_auto_lifts_stacks_and_takes_stubs_by_itself(tmp_path: Path) -> None:
    answers = console_run(tmp_path, "auto on", "!DEAL,2", "!DEAL,2", "!STUBOUT", "status", "jam", "status")
    assert "out 4, in the exit nothing" in answers[1]
    assert answers[2] == "ok"
