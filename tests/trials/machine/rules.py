"""State machine: possible events at a table, and the invariants after each step (`Live.check`)."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.game.model.cards import DECK
from controller.game.model.irregularities import REPORTS
from controller.game.model.names import BONUS_PLACES, CROSS, SEATS, Circle, Key, cards_of
from controller.mock.bench.device_requests import READER_FAULTS, SHOE_FAULTS, FaultRequest
from controller.mock.bench.options import MockOptions, offered_wagers
from tests.game.test_properties import WAYS
from tests.trials.machine.live import Live
from tests.trials.machine.strikes import CUTS, ERRORS, Point
from tests.trials.machine.ways import BADGE, DECISIONS

PLACES = (*CROSS, *BONUS_PLACES, *(place for seat in SEATS for place in cards_of(seat)))
VALUES = (100, 500, 2_500, 10_000)
seats = st.sampled_from(tuple(SEATS))
faces = st.sampled_from(DECK)
places = st.sampled_from(PLACES)


class TableMachine(RuleBasedStateMachine):
    """Hypothesis's state machine of one table: its rules are acts of people, devices and the power, beginning
    with the opening of the table."""

    totals: ClassVar[Counter[str]] = Counter()

    @initialize(way=st.sampled_from(WAYS), seed=st.integers(0, 2**16), players=st.integers(1, 6))
    def opened(self, way: tuple[str, Any], seed: int, players: int) -> None:
        rules, method = way
        self.live = Live(MockOptions(rules=rules, method=method, seed=seed, wires=False), players)
        self.totals["tables"] += 1

    # ------------------------------------------------------------------ people

    @rule(acts=st.integers(1, 150), mended=st.booleans())
    def honest_people_go_on(self, acts: int, mended: bool) -> None:
        if mended:
            self.everything_is_put_right()
        self.live.go_on(acts)

    @rule(data=st.data(), seat=seats, cents=st.sampled_from(VALUES))
    def a_chip_is_laid(self, data: st.DataObject, seat: int, cents: int) -> None:
        circle = self.circle(data, seat)
        self.hands(lambda: self.live.bench.felt.add(circle, [cents]))

    @rule(data=st.data(), seat=seats)
    def a_circle_is_emptied(self, data: st.DataObject, seat: int) -> None:
        circle = self.circle(data, seat)
        self.hands(lambda: self.live.bench.felt.clear(circle))

    @rule(data=st.data(), seat=seats, kind=st.sampled_from(("unknown", "withdrawn", "copy")))
    def a_chip_that_is_no_wager_is_laid(self, data: st.DataObject, seat: int, kind: str) -> None:
        circle = self.circle(data, seat)
        self.hands(lambda: self.live.bench.felt.add_strange(circle, kind))

    @rule(key=st.sampled_from([key for key in Key if key is not Key.UNDO]))
    def a_key_is_pressed(self, key: Key) -> None:
        self.live.run(self.live.bench.press(key))

    @rule(
        seat=seats, place=places, face=faces, what=st.sampled_from(tuple(REPORTS)), number=st.integers(0, 52)
    )
    def something_is_reported(self, seat: int, place: str, face: str, what: str, number: int) -> None:
        self.touch(do="report", what=what, seat=seat, place=place, face=face, number=number)

    @rule(place=places, face=faces)
    def a_face_is_entered(self, place: str, face: str) -> None:
        self.touch(do="enter", place=place, face=face)

    @rule(data=st.data(), seat=seats, cents=st.sampled_from((0, *VALUES)))
    def an_amount_is_entered(self, data: st.DataObject, seat: int, cents: int) -> None:
        self.touch(do="amount", seat=seat, wager=self.circle(data, seat).wager, cents=cents)

    @rule(decision=st.sampled_from(DECISIONS), seat=seats)
    def the_floor_decides(self, decision: str, seat: int) -> None:
        hold = self.live.table.state.hold
        if hold is not None:
            outcome = hold.outcomes[seat % len(hold.outcomes)]
            self.touch(do="floor", badge=BADGE, decision="outcome", outcome=outcome, reason="seen")
        else:
            self.touch(do="floor", badge=BADGE, decision=decision, seat=seat, reason="seen")

    @rule(data=st.data(), number=st.integers(1, 8), seat=seats, cents=st.sampled_from((-500, 500)))
    def a_closed_round_is_corrected(self, data: st.DataObject, number: int, seat: int, cents: int) -> None:
        wager = self.circle(data, seat).wager
        self.touch(
            do="correct", badge=BADGE, round=number, seat=seat, wager=wager, cents=cents,
            reason="paid short", about=f"record {number}.0",
        )  # fmt: skip

    # ------------------------------------------------------------------ devices, time, disk, power

    @rule(kind=st.sampled_from(tuple(SHOE_FAULTS)))
    def the_shoe_has_a_fault(self, kind: str) -> None:
        self.hands(lambda: self.live.bench.fault(FaultRequest(None, kind)))

    @rule(data=st.data(), seat=seats, kind=st.sampled_from(tuple(READER_FAULTS)))
    def a_reader_has_a_fault(self, data: st.DataObject, seat: int, kind: str) -> None:
        self.hands(lambda: self.live.bench.fault(FaultRequest(self.circle(data, seat), kind)))

    @rule()
    def everything_is_put_right(self) -> None:
        self.hands(self.put_right)

    def put_right(self) -> None:
        bench = self.live.bench
        for circle in bench.config.reader_ports():
            bench.fault(FaultRequest(circle, "clear"))
        bench.fault(FaultRequest(None, "clear"))
        for circle, uids in list(bench.felt.circles.items()):
            bench.felt.place(circle, [uid for uid in dict.fromkeys(uids) if bench.felt.bank.cents(uid)])

    @rule(ms=st.sampled_from((1, 400, 1_500, 5_000, 60_000)))
    def time_passes(self, ms: int) -> None:
        self.live.pass_ms(ms)

    @rule(point=st.sampled_from(ERRORS), after=st.integers(0, 3), acts=st.integers(1, 10))
    def the_disk_reports_an_error(self, point: Point, after: int, acts: int) -> None:
        self.live.strikes.arm(point, after)
        self.live.go_on(acts)
        self.live.pass_ms(2_000)
        self.totals[f"disk {point}"] += 1

    @rule(point=st.sampled_from(CUTS), after=st.integers(0, 5), acts=st.integers(1, 20))
    def the_power_goes_in_a_write(self, point: Point, after: int, acts: int) -> None:
        self.live.strikes.arm(point, after)
        self.live.go_on(acts)
        self.live.strikes.disarm()

    @rule()
    def the_power_goes_between_two_writes(self) -> None:
        self.live.cut("between writes")

    # ------------------------------------------------------------------ invariants

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "live"):
            self.totals["steps"] += 1
            self.live.check()

    def teardown(self) -> None:
        if hasattr(self, "live"):
            self.totals.update(self.live.counts)
            self.totals["rows"] += self.live.disk.seq
            self.live.close()

    # ------------------------------------------------------------------ helpers

    def circle(self, data: st.DataObject, seat: int) -> Circle:
        return Circle(seat, data.draw(st.sampled_from(offered_wagers(self.live.bench.pack))))

    def touch(self, **body: Any) -> None:
        self.live.run(self.live.bench.touch(body))

    def hands(self, move: Any) -> None:
        async def moved() -> None:
            move()
            self.live.bench._pump()

        self.live.run(moved())
