"""Marks of a trainee in one drill: what counts as an error, the times of phases, the number of touches.

Pure: marks are computed from the public view and the round record; times are arguments, in whole
milliseconds. Only an error that the table has reported counts. Faults that the drill's file causes are not
errors of the trainee; alerts for them count only as noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import ViewData
from controller.mock.people.error_log import kind_named
from controller.practice.themes import Drill

AT_THE_CARDS: Mapping[str, str] = {
    Code.DRAWN_IN_ERROR: "card_drawn",
    Code.CARD_BEFORE_CLOSE: "card_early",
    Code.CARD_DIFFERS: "card_misplaced",
    Code.WRONG_COUNT: "card_misplaced",
}
"""Kind of a trainee's error with cards, by the code of the alert that names it."""
RecordView = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MarkedAlert:
    """An alert of the table. `kind`: the trainee's error, or None if the trainee is not at fault. `cents`:
    excess over the right amount, negative if too little; None without an amount."""

    kind: str | None
    code: str
    seat: int | None
    wager: str | None
    cents: int | None
    stood_ms: int
    citation: str
    resolved: bool


HELPED = MarkedAlert("helped", "helped", None, None, None, 0, "house procedure", True)


@dataclass(frozen=True, slots=True)
class DrillMarks:
    """Marks of one drill that has been dealt. `noticed`: alerts in it, with the trainee's errors among them;
    `phases_ms`: duration of each phase in ms; `touches`, `chips`: numbers of touches and of movements of
    chips."""

    drill: str
    section: tuple[str, ...]
    outcome: str
    noticed: tuple[MarkedAlert, ...]
    phases_ms: Mapping[str, int]
    touches: int
    chips: int

    @property
    def errors(self) -> tuple[MarkedAlert, ...]:
        return tuple(item for item in self.noticed if item.kind is not None)

    @property
    def total_ms(self) -> int:
        return sum(self.phases_ms.values())

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Standing:
    """Beginning and end of an alert in ms, and its amount in cents. `until_ms` grows while the alert is
    active.
    """

    since_ms: int
    until_ms: int
    cents: int | None


_Key = tuple[str, int | None, str | None]


@dataclass(slots=True)
class Watcher:
    """Observer of the view from the first ante to the cleared table."""

    drill: Drill
    exam: bool = False
    """Whether the drill belongs to an exam. A call to the floor is then an error, since the trainee could not
    continue."""
    _called: bool = False
    _phases: dict[str, int] = field(default_factory=dict)
    _phase: str = ""
    _at_ms: int = 0
    _stood: dict[_Key, list[_Standing]] = field(default_factory=dict)
    _open: dict[_Key, _Standing] = field(default_factory=dict)

    def see(self, view: ViewData, now_ms: int) -> None:
        if self._phase:
            self._phases[self._phase] = self._phases.get(self._phase, 0) + now_ms - self._at_ms
        self._phase, self._at_ms = view["phase"], now_ms
        self._called = self._called or (self.exam and view["floor_called"])
        named: dict[_Key, ViewData] = {}
        for alert in (*view["alerts"], *([view["hold"]] if view["hold"] else [])):
            named.setdefault((alert["code"], alert["seat"], alert["wager"]), alert)
        for key, alert in named.items():
            standing = self._open.get(key)
            if standing is None:
                standing = self._open[key] = _Standing(now_ms, now_ms, difference(alert))
                self._stood.setdefault(key, []).append(standing)
            standing.until_ms = now_ms
        for key in self._open.keys() - named.keys():
            self._open.pop(key).until_ms = now_ms

    def dealt(self, record: RecordView, touches: int, chips: int) -> DrillMarks:
        """Return the marks of the drill, once its round has a record. `touches`: number of touches and keys
        in the drill; `chips`: number of times that chips were moved."""
        left = {key: list(found) for key, found in self._stood.items()}
        noticed = tuple(self._noticed(each, record, left) for each in record["irregularities"])
        noticed += (HELPED,) if self._called else ()
        drill = self.drill
        return DrillMarks(
            drill.name, drill.section, record["outcome"], noticed, dict(self._phases), touches, chips
        )

    def _noticed(
        self, entry: RecordView, record: RecordView, left: dict[_Key, list[_Standing]]
    ) -> MarkedAlert:
        key = (entry["code"], entry["seat"], entry["wager"])
        stood = left[key].pop(0) if left.get(key) else None
        return MarkedAlert(
            self._kind(entry, record), *key,
            None if stood is None else stood.cents,
            0 if stood is None else stood.until_ms - stood.since_ms,
            entry["citation"], entry["resolved"],
        )  # fmt: skip

    def _kind(self, entry: RecordView, record: RecordView) -> str | None:
        code, seat, wager = entry["code"], entry["seat"], entry["wager"]
        if code in AT_THE_CARDS:
            return None if self.drill.troubled else AT_THE_CARDS[code]
        if not Code(code).kind.mispay or (wager and Circle(seat, Wager(wager)) in self.drill.circles):
            return None
        return kind_named(code, result_of(record, seat, wager))


def difference(alert: ViewData) -> int | None:
    """Return the cents in excess of the right amount; None for a hold or an alert without amounts."""
    lies, should = alert.get("lies"), alert.get("should")
    return None if lies is None or should is None else int(lies) - int(should)


def result_of(record: RecordView, seat: int | None, wager: str | None) -> str | None:
    for each in record["seats"]:
        if each["seat"] == seat and wager in each["wagers"]:
            return str(each["wagers"][wager]["result"])
    return None
