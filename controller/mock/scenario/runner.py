"""`crisscross scenario`: plays each scenario on a fresh mock table, prints one line per step, and a count at
the end.

All files are checked before anything is played. Exit status 0: all passed; 1: one failed; 2: a document is
not valid (with --keep-going the other documents are played first).
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.common.files.mistakes import Mistakes
from controller.common.terminal import ProgressLine, coloured
from controller.game.model.names import Method
from controller.game.model.rules import RulePack
from controller.mock.bench.bench import Hands, Pace, TableStopped
from controller.mock.bench.options import MockOptions, offered_wagers
from controller.mock.bench.table_file import mistakes, pack_of
from controller.mock.run import make_bench
from controller.mock.scenario.file import load_each
from controller.mock.scenario.run import Runner, ScenarioResult
from controller.mock.scenario.steps import Action, RoundStep, Scenario
from controller.mock.scenario.values import Multiple

SEED = 1


class Reporter:
    """Printer of results: lines of text, or with --json only JSON on standard output."""

    def __init__(self, as_json: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._as_json = as_json
        self._clock = clock
        self._began = clock()
        self._progress = ProgressLine()

    def begin(self, scenario: Scenario, number: int, of: int) -> None:
        self.write(f"{scenario.name}  ({scenario.file}:{scenario.line})")
        self._progress.show(f"{number} of {of}")

    def write(self, words: str) -> None:
        self._progress.clear()
        if not self._as_json:
            print(words, flush=True)

    def record(self, record: Mapping[str, Any]) -> None:
        if self._as_json:
            print(json.dumps(record, separators=(",", ":")), flush=True)

    def result(self, result: ScenarioResult) -> None:
        self._progress.clear()
        if self._as_json:
            print(json.dumps(result.as_json(), separators=(",", ":")), flush=True)
        elif not result.passed:
            print(f"{coloured('FAILED', 'red')}  {result.name}: {result.message}", flush=True)

    def total(self, passed: int, failed: int) -> None:
        stream = sys.stderr if self._as_json else sys.stdout
        words = coloured(f"{passed} passed, {failed} failed", "red" if failed else "green", stream)
        took = f" in {self._clock() - self._began:.1f} s" if stream.isatty() else ""
        print(f"{words}{took}", file=stream, flush=True)


def options_of(scenario: Scenario, speed: float | None, wires: bool) -> MockOptions:
    """Return the options of the scenario's table. If no method is configured, the table deals as its first
    `round` step does.
    """
    actions = [step.action for step in scenario.steps]
    methods = [action.round.method for action in actions if action.round]
    changes = [action.floor.method for action in actions if action.floor]
    ways = tuple(way for way in (*methods, *changes) if way is not None)
    config = dict(scenario.config)
    named = config.pop("method", None)
    method = Method(named) if named in tuple(Method) else methods[0] if methods else None
    return MockOptions(scenario.rules, method, config, seed=SEED, speed=speed, wires=wires, ways=ways)


def load_all(files: Sequence[Path], speed: float | None, wires: bool) -> tuple[list[Scenario], list[str]]:
    """Return the scenarios of the files that can be played under their rule packs, and the mistakes of all
    others. `speed`, `wires`: options of the tables on which they would be played."""
    wrong: list[str] = []
    scenarios: list[Scenario] = []
    known: set[str] = set()
    for path in files:
        found, mistakes = load_each(path)
        wrong += mistakes
        for scenario in found:
            refused = scenario_mistakes(scenario, options_of(scenario, speed, wires), known)
            wrong += refused
            scenarios += () if refused else (scenario,)
    return scenarios, wrong


def scenario_mistakes(scenario: Scenario, options: MockOptions, known: set[str] | None = None) -> list[str]:
    """Return the mistakes of a scenario: options that no table may have, and steps that its table cannot
    play. `known`: options already found valid.
    """
    good = known if known is not None else set()
    table = json.dumps(
        [options.rules, options.method, options.ways, options.config], sort_keys=True, default=str
    )
    if table not in good:
        if found := mistakes(options, scenario.config_lines, scenario.file):
            return found
        good.add(table)
    pack = pack_of(options)
    return [
        f"{scenario.file}:{step.line}: {step.name}: {words}"
        for step in scenario.steps
        for words in _step_mistakes(step.action, pack)
    ]


def _step_mistakes(action: Action, pack: RulePack) -> list[str]:
    wagers = offered_wagers(pack)
    moved = action.chips or action.passing or action.carry
    named: set[str] = set(moved.circles) if moved else set()
    wrong: list[str] = []
    if action.round:
        named = {wager for plan in action.round.seats.values() for wager in (*plan.laid, *plan.decisions)}
        wrong = _impossible_round(action.round, pack)
    odd = sorted(named - set(wagers))
    return wrong + [f"{wager}; allowed under {pack.key}: {', '.join(wagers)}" for wager in odd]


def _impossible_round(step: RoundStep, pack: RulePack) -> list[str]:
    wrong = []
    if step.method is not None and step.method not in pack.deals:
        wrong.append(f"method {step.method}; allowed under {pack.key}: {', '.join(pack.deals)}")
    if step.bonus and not pack.lays_bonus_cards:
        wrong.append(f"bonus; {pack.key} deals no bonus cards")
    return wrong + _impossible_bets(step, pack)


def _impossible_bets(step: RoundStep, pack: RulePack) -> list[str]:
    """Return the bets of a round that the rules refuse. A scenario lays such bets with `chips`."""
    least, most = min(pack.bet_multiples), max(pack.bet_multiples)
    return [
        f"seat {seat}: {wager}: {decision.times}x; a round lays {least}x to {most}x under {pack.key}"
        for seat, plan in step.seats.items()
        for wager, decision in plan.decisions.items()
        if isinstance(decision, Multiple) and not least <= decision.times <= most
    ]


async def play_one(
    scenario: Scenario, options: MockOptions, write: Callable[[str], None], out: Reporter
) -> ScenarioResult:
    """Play one scenario on a fresh table with these options and return its result. `write`: prints a line
    about each step."""
    bench = make_bench(options)
    try:
        await bench.start()
        hands = Hands(bench, Pace(options.speed), on_refusal=lambda words: write(f"        refused: {words}"))
        return await Runner(bench, scenario, hands, write, out.record).run()
    except TableStopped as error:
        return ScenarioResult(scenario.name, False, None, str(error))
    finally:
        await bench.stop()


async def play_all(
    scenarios: Sequence[Scenario], speed: float | None, wires: bool, keep_going: bool, out: Reporter
) -> list[ScenarioResult]:
    results = []
    for number, scenario in enumerate(scenarios, 1):
        out.begin(scenario, number, len(scenarios))
        result = await play_one(scenario, options_of(scenario, speed, wires), out.write, out)
        out.result(result)
        results.append(result)
        if not result.passed and not keep_going:
            break
    return results


async def _until_signal(work: Any) -> Any:
    """Wait for the work, or cancel it at Ctrl-C or SIGTERM, so that no process and no file is left behind."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    return await task


def _under(rules: str, scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Return the scenarios under one pack. Raises Mistakes if there are none, since a run without scenarios
    must not count as passed.
    """
    if found := [scenario for scenario in scenarios if scenario.rules == rules]:
        return found
    named = ", ".join(sorted({scenario.rules for scenario in scenarios}))
    raise Mistakes([f"crisscross scenario: --rules {rules}: these files name {named}"])


def _playable(
    files: Sequence[Path], rules: str | None, speed: float | None, wires: bool, keep_going: bool
) -> tuple[list[Scenario], list[str]]:
    """Return the scenarios to play, and the mistakes of invalid documents. Raises Mistakes if there are
    mistakes and not `keep_going`, or if nothing is left to play.
    """
    scenarios, refused = load_all(files, speed, wires)
    if refused and not (keep_going and scenarios):
        raise Mistakes(refused)
    return (scenarios if rules is None else _under(rules, scenarios)), refused


def run(
    files: Sequence[Path], *, rules: str | None, as_json: bool, keep_going: bool, speed: float | None,
    wires: bool,
) -> int:  # fmt: skip
    """Play the scenarios of the files and return the exit status."""
    out = Reporter(as_json)
    try:
        scenarios, refused = _playable(files, rules, speed, wires, keep_going)
    except Mistakes as error:
        sys.stderr.write("\n".join(error.lines) + "\n")
        return 2
    sys.stderr.writelines(f"{line}\n" for line in refused)
    try:
        results = asyncio.run(_until_signal(play_all(scenarios, speed, wires, keep_going, out)))
    except asyncio.CancelledError:
        sys.stderr.write("stopped\n")
        return 1
    failed = sum(not result.passed for result in results)
    out.total(len(results) - failed, failed)
    return 2 if refused else 1 if failed else 0
