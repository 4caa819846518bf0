"""`crisscross mock`: a bench, the people around it, and the round records they produce.

It ends cleanly on Ctrl-C, on SIGTERM and when the daemon ends: the child is stopped, the pseudo-terminals and
the temporary folder are removed. This module makes no decision about the game.
"""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from controller.common.http.server import ServerError
from controller.common.texts.plurals import counted
from controller.game.model.irregularities import Code
from controller.game.model.names import IN_PLAY
from controller.mock.bench.bench import Bench, Hands, Pace, Person, TableStopped, ViewData, play
from controller.mock.bench.layout import BankEmpty
from controller.mock.bench.options import BADGES, PIN, MockOptions, seats_to_play
from controller.mock.people.dealer import Dealer, Floorperson
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.error_log import table
from controller.mock.people.favouring_dealer import DEALER_ERRORS, USUAL_SHARE, FavouringDealer
from controller.mock.people.misbehaving import MisbehavingPlayers
from controller.mock.people.players import Choose, Players
from controller.mock.people.stopping_floor import StoppingFloor, void
from controller.mock.progress import RoundCounter
from controller.record.journal.schema import JournalError
from drivers.uart import NoTerminalError

ROUND_S = 100
"""Approximate seconds that simulated people take for a round of six seats at pace 1."""


@dataclass(frozen=True, slots=True)
class Run:
    """Options of `crisscross mock`; those of the table are in `table`."""

    table: MockOptions
    seats: int = 6
    rounds: int | None = None
    headless: bool = False
    as_json: bool = False
    mischief: float = 0.0
    clumsy: float = 0.0
    voids: float = 0.0
    manual: bool = False
    pace: float | None = None
    """Pace of the simulated people: 1 is real time, None does not wait. It differs from the table's `speed`,
    which devices without wires do not have."""
    felt_page_port: int = 0
    optimal: bool = False
    """Whether players always make the best decision."""
    cheat: int | None = None
    """Seat of a player who cheats; None for no such player."""
    cheats_by: str = "middle"
    """Kind of cheating of that player (controller/mock/people/cheating.py); `DEALER_ERRORS`: by the dealer,
    for that player."""


def make_bench(options: MockOptions) -> Bench:
    """Return a bench on wires, or one with simulated devices at the daemon's ports."""
    if options.wires:
        from controller.mock.bench.wired import WiresBench

        return WiresBench(options)
    from controller.mock.bench.in_process import DirectBench

    return DirectBench(options)


def chosen(run: Run, bench: Bench) -> Choose | None:
    """Return the function that decides for the players of this run, or None for random decisions."""
    if not run.optimal:
        return None
    from controller.mock.people.optimal import BestPlay

    return BestPlay(bench.pack, bench.felt)


def people(
    run: Run, choose: Choose | None = None, bench: Bench | None = None
) -> tuple[Sequence[Person], ErringDealer | None]:
    """Return the simulated people: dealer, floorperson and players; then the erring dealer for its log, or
    None. `choose`: decides for all players. `bench`: bench of the cheating player, if there is one."""
    seats = seats_to_play(run.seats)
    seed = run.table.seed
    players = Players(seed, seats, choose)
    if run.mischief:
        players = MisbehavingPlayers(seed, seats, run.mischief, choose)
    favours = run.cheat if run.cheats_by == DEALER_ERRORS else None
    if bench is not None and run.cheat is not None and favours is None:
        from controller.mock.people.cheating import cheat

        cheat(run.cheats_by, bench, players, run.cheat)
    floor = StoppingFloor(seed, run.voids)
    if run.clumsy or favours:
        share = run.clumsy or USUAL_SHARE
        if favours:
            clumsy: ErringDealer = FavouringDealer(seed, players.folds, players.ready, share, favours)
        else:
            clumsy = ErringDealer(seed, players.folds, players.ready, share)
        if isinstance(players, MisbehavingPlayers):
            clumsy.account.players = players.done
        return (clumsy, floor, players), clumsy
    patient = run.table.speed is not None
    return (Dealer(seed, players.folds, players.ready, patient=patient), floor, players), None


def pace_of(times: float) -> str:
    """Return a line with the usual duration of a round, for a user without a display."""
    return f"a round takes some {ROUND_S / times:.0f} s at this pace; --speed max plays as fast as it goes"


@contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """Let SIGINT and SIGTERM cancel the current task while the context is open."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if task is not None:
            loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


class Mock:
    """One mock table and the people at it. `name`: the table's name in each printed line if several tables
    run."""

    def __init__(self, run: Run, name: str = "", bench: Bench | None = None) -> None:
        self.run = run
        self.progress = RoundCounter(run.as_json, run.rounds, name)
        self.bench = bench or make_bench(run.table)
        if "proofs" in run.table.config:
            self.bench.felt.bank.plant_forged()

    async def play(self, beside: AbstractAsyncContextManager[object] | None = None) -> int:
        """Play and return the exit status. `beside`: context that is entered after the start and left before
        the end."""
        try:
            await self.bench.start()
            async with beside or nullcontext():
                return await self._play()
        except asyncio.CancelledError:
            return self._interrupted()
        except (TableStopped, BankEmpty, ServerError, NoTerminalError) as error:
            self.progress.fail(str(error))
            return 1
        except JournalError as error:
            self.progress.fail(str(error))
            return 2
        finally:
            await self.bench.stop()

    def _interrupted(self) -> int:
        enough = self.run.rounds is None or self.progress.done >= self.run.rounds
        self.progress.write(f"stopped after {counted(self.progress.done, 'round')}")
        return 0 if enough else 1

    async def _play(self) -> int:
        if self.run.headless and self.run.pace is not None:
            self.progress.write(pace_of(self.run.pace))
        hands = Hands(self.bench, Pace(self.run.pace, None if self.run.table.wires else self.bench.elapse))
        async with pages(self.run, self.bench, hands, self.progress.announce):
            try:
                if self.run.manual:
                    await self._watch()
                    return 0
                return await self._rounds(hands)
            finally:
                self.progress.write(closing_line(self.run.table.journal, recorded=self._is_recorded()))

    def _is_recorded(self) -> bool:
        """Return whether the journal is there and could be written until now."""
        journal = self.run.table.journal
        faults = [alert for alert in self.bench.view()["alerts"] if alert["code"] == Code.JOURNAL_FAULT]
        return not faults and journal is not None and journal.exists()

    async def _rounds(self, hands: Hands) -> int:
        hand, clumsy = people(self.run, chosen(self.run, self.bench), self.bench)
        await self._void_interrupted(hands)
        await play(hands, hand, self._finished, on_view=self._report_records, stall=self._stall())
        if clumsy is not None:
            self.progress.write("\n".join(table([clumsy.account])))
            self.progress.write(clumsy.account.words())
        return 0

    async def _void_interrupted(self, hands: Hands) -> None:
        """Void a round that an earlier run left unfinished. Its simulated chips and cards no longer exist."""
        view = await play(hands, (Floorperson(),), lambda view: view["hold"] is None, stall=self._stall())
        if view["phase"] in IN_PLAY:
            self.progress.write(
                f"round {view['round']} of an earlier run has lost its chips and cards: it is void"
            )
            await hands.do(void(view))

    def _stall(self) -> float:
        """Return the timeout in seconds after which a table without a new view counts as stalled. It is long
        at real pace, where a device may shuffle for a minute.
        """
        return 20.0 if self.run.pace is None else 300.0

    def _report_records(self, _view: ViewData) -> None:
        for record in self.bench.records():
            if not self._finished(_view):
                self.progress.record(record)

    def _finished(self, _view: ViewData) -> bool:
        return self.run.rounds is not None and self.progress.done >= self.run.rounds

    async def _watch(self) -> None:
        """Print the records of rounds that a person plays, until the command is stopped."""
        view = self.bench.view()
        while not self._finished(view):
            self._report_records(view)
            view = await self.bench.wait_for_view(view["version"], 3600.0)
        self._report_records(view)


def closing_line(journal: Path | None, *, recorded: bool = True) -> str:
    """Return the last line of a run: where its records are, or how to keep them next time. `recorded`:
    whether all of them could be written."""
    if journal is None:
        return "Its rounds are gone with the table. To keep them: crisscross mock --journal FILE"
    if not recorded:
        return f"Its last rounds are not in {journal}: the file was deleted or replaced, or not writable"
    return f"Its rounds are in {journal}: crisscross rounds list --journal {shlex.quote(str(journal))}"


WELCOME = """
Open {felt} in a browser: the felt, with the dealer's screen in it.
You are the dealer. The screen says what to do; press its keys. Chips, cards and the shoe are on the felt.
{first}Floorpersons sign on the floor page. This table knows the badges {badges}; the PIN of each is {pin}.
Ctrl-C ends it."""
FIRST = """First: OPEN THE TABLE on the screen, then bring both decks (Preshuffled is the shorter way).
Then "Players bet for me" under the screen, and NO MORE BETS.
"""


def welcome(felt: str, phase: str) -> str:
    """Return the first text for a dealer: how to open the table if it is closed, and how to sign."""
    first = FIRST if phase == "closed" else ""
    return WELCOME.format(felt=felt, first=first, badges=" and ".join(BADGES), pin=PIN)


@asynccontextmanager
async def pages(run: Run, bench: Bench, hands: Hands, write: Callable[[str], None]) -> AsyncIterator[None]:
    """Serve the felt and print the addresses of all pages while the table plays. Does nothing if the run is
    headless or without wires."""
    if run.headless or not run.table.wires:
        yield
        return
    from controller.mock.felt_page.crowd import Crowd
    from controller.mock.felt_page.hands import FeltHands
    from controller.mock.felt_page.page import FeltPage

    crowd = Crowd(bench, hands, run.table.seed, seats_to_play(run.seats), chosen(run, bench))
    page = FeltPage(FeltHands(bench, crowd))
    port = await page.start(run.felt_page_port)
    write(f"dealer display     http://127.0.0.1:{bench.port}/")
    write(f"floor page         http://127.0.0.1:{bench.port}/floor?idle=0")
    write(f"to look at         http://127.0.0.1:{bench.port}/table (a wall), /figures, /devices, /rounds")
    write(f"felt               http://127.0.0.1:{port}/")
    if run.manual:
        write(welcome(f"http://127.0.0.1:{port}/", bench.view()["phase"]))
    try:
        async with watched(run, bench, write):
            yield
    finally:
        await page.stop()


def watched(run: Run, bench: Bench, write: Callable[[str], None]) -> AbstractAsyncContextManager[None]:
    """Return a context that serves surveillance pages for a player who cheats, or one that does nothing if no
    player does."""
    if run.cheat is None:
        return nullcontext()
    from controller.mock.surveillance import surveillance

    return surveillance(bench.places.folder, bench.config.journal, bench.port, write)


def run(wanted: Run) -> int:
    """Play until the run has ended and return the exit status."""

    async def main() -> int:
        with cancelled_by_signals():
            return await Mock(wanted).play()

    try:
        return asyncio.run(main())
    except BrokenPipeError:
        # the reader of the records has closed the pipe, so standard output is unusable
        sys.stderr.close()
        return 1
