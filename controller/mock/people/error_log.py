"""Log of a simulated dealer's errors, with the time at which an alert named each, and of false alarms.

It uses only the public view and the errors that the dealer reports to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from controller.game.model.irregularities import Code
from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import ViewData

NAMED_BY: Mapping[str, tuple[tuple[Code, str], ...]] = {
    "push_paid": ((Code.OVERPAID, "circle"),),
    "push_swept": ((Code.PUSH_DISTURBED, "circle"),),
    "losing_left": ((Code.LOSING_BET_LEFT, "circle"),),
    "short": ((Code.UNDERPAID, "circle"),),
    "over": ((Code.OVERPAID, "circle"),),
    "over_afterwards": ((Code.OVERPAID, "circle"),),
    # the amount in the wrong circle may be due there by chance
    "wrong_circle": (
        (Code.WRONG_CIRCLE, "circle"), (Code.SETTLED_OUT_OF_ORDER, "circle"), (Code.OVERPAID, "circle"),
        (Code.UNDERPAID, "due"),
    ),
    # the step may have become due since, so that putting its chips back is wrong
    "out_of_order": (
        (Code.SETTLED_OUT_OF_ORDER, "circle"), (Code.LOSING_BET_LEFT, "due"), (Code.UNDERPAID, "due"),
        (Code.WRONG_CIRCLE, "circle"),
    ),
    "from_neighbour": (
        (Code.WRONG_CIRCLE, "due"), (Code.BET_CHANGED, "circle"), (Code.SETTLED_OUT_OF_ORDER, "circle"),
        (Code.PUSH_DISTURBED, "circle"), (Code.LOSING_BET_LEFT, "due"), (Code.UNDERPAID, "due"),
        (Code.WRONG_CIRCLE, "circle"),
    ),
    "stack_spread": ((Code.CARD_DIFFERS, "places"),),
    "stack_delivered": ((Code.CARD_DIFFERS, "places"),),
}  # fmt: skip
"""Codes of alerts that name each kind of error, each with its subject: `circle` for the circle of the error,
`due` for the circle to be settled, or the `places` of its cards.
"""


AFTERWARDS = ("over_afterwards", "stack_spread", "stack_delivered")
"""Errors made before or after the settlement of their seat. They cannot be named late."""

ROUTINE_ALERTS = (Code.DECK_CHANGE_DUE,)
"""Codes of alerts that occur without any error, such as an old deck."""


@dataclass(slots=True)
class Error:
    """One error, made while `due` was to be settled. `circle`: circle of the error, None for an error with
    cards. `places`: misplaced cards. They cannot be noticed before one of them is turned, and never if all
    players fold."""

    round: int
    kind: str
    due: Circle | None
    circle: Circle | None
    places: tuple[str, ...] = ()
    caught: bool = False
    late: bool = False
    """Whether another seat was prompted before an alert named the error."""
    turned: bool = False

    @property
    def counts(self) -> bool:
        return self.turned or self.caught or not self.places

    def named_by(self, alert: ViewData) -> bool:
        where = (alert["seat"], alert["wager"])
        named = {
            "circle": self.circle is not None and where == tuple(self.circle),
            "due": self.due is not None and where == tuple(self.due),
            "places": alert["place"] in self.places,
        }
        return any(alert["code"] == code and named[place] for code, place in NAMED_BY[self.kind])


@dataclass(slots=True)
class Account:
    """Errors of one dealer, with the times at which alerts named them, and the false alarms."""

    errors: list[Error] = field(default_factory=list)
    false_alarms: list[tuple[int, str]] = field(default_factory=list)
    players: Container[tuple[int, Circle]] = frozenset()
    """Rounds, by number, and circles where players misbehave; alerts there are not false alarms."""
    _known: set[tuple[int, object]] = field(default_factory=set)

    def made(self) -> list[Error]:
        """Return the errors that could be noticed."""
        return [error for error in self.errors if error.counts]

    def see(self, view: ViewData) -> None:
        """Compare each new alert with the logged errors, and mark late ones."""
        alerts = [alert for alert in view["alerts"] if alert["grade"] != "notice"]
        for alert in alerts:
            key = (view["round"], alert["id"])
            if key not in self._known:
                self._known.add(key)
                self._judge(view["round"], alert)
        if view["hold"] is not None and (view["round"], view["hold"]["place"]) not in self._known:
            self._known.add((view["round"], view["hold"]["place"]))
            self._judge(view["round"], view["hold"])
        self._look_at_cards(view)
        self._lag(view)
        if view["phase"] == "void":  # all wagers are returned, so unnamed errors no longer matter
            kept = [e for e in self.errors if e.caught or e.round != view["round"]]
            self.errors[:] = kept

    def _look_at_cards(self, view: ViewData) -> None:
        hidden = [error for error in self._of_round(view["round"]) if not error.counts]
        if hidden:
            up = turned(view)
            for error in hidden:
                error.turned = not up.isdisjoint(error.places)

    def _of_round(self, number: int) -> Iterator[Error]:
        return takewhile(lambda error: error.round == number, reversed(self.errors))

    def _judge(self, number: int, alert: ViewData) -> None:
        found = [error for error in self._of_round(number) if error.named_by(alert)]
        theirs = alert["wager"] and (number, Circle(alert["seat"], Wager(alert["wager"]))) in self.players
        if not (found or theirs) and alert["code"] not in ROUTINE_ALERTS:
            self.false_alarms.append((number, alert["code"]))
        for error in found:
            error.caught = True

    def _lag(self, view: ViewData) -> None:
        """Mark the last error as late if another seat is prompted before any alert has named the error."""
        seat = (view["prompt"] or {}).get("seat")
        for error in self.errors[-1:]:
            waits = error.due and not error.caught and error.kind not in AFTERWARDS
            if waits and error.due and seat not in (None, error.due.seat):
                error.late = True

    def words(self) -> str:
        made = self.made()
        caught = sum(error.caught for error in made)
        missed = [error for error in made if not error.caught]
        kinds = ", ".join(sorted(f"{error.kind} in round {error.round}" for error in missed))
        return (
            f"{len(made)} errors of the dealer: {caught} caught, {len(missed)} missed, "
            f"{len(self.false_alarms)} false alarms"
            + (f"; missed: {kinds}" if kinds else "")
            + self._alarms()
        )

    def _alarms(self) -> str:
        alarms = ", ".join(f"{code} in round {number}" for number, code in self.false_alarms)
        return f"; false: {alarms}" if alarms else ""


def turned(view: ViewData) -> set[str]:
    """Return the places of the cards that lie face up."""
    up = {place for place, card in view["cross"].items() if card["lies"] == "up"}
    for seat in view["seats"]:
        up |= {f"seat_{seat['seat']}_{n}" for n, card in enumerate(seat["cards"], 1) if card["lies"] == "up"}
    return up


def table(accounts: Sequence[Account]) -> Iterator[str]:
    """Yield a Markdown table with a row per kind of error: errors made, named, named before the next seat,
    missed."""
    errors = [error for account in accounts for error in account.made()]
    yield "| the dealer | done | named | before the next seat | missed |"
    yield "|---|---:|---:|---:|---:|"
    for kind in NAMED_BY:
        yield _row(kind, [error for error in errors if error.kind == kind])
    yield _row("all", errors)
    false = Counter(code for account in accounts for _, code in account.false_alarms)
    yield "\n" + without_cause(false)


def kind_named(code: str, result: str | None) -> str | None:
    """Return the first kind of error that an alert's code names, or None. `result`: result of the wager at
    its circle.
    """
    if code == Code.OVERPAID:
        return "push_paid" if result == "push" else "over"
    return next((kind for kind, names in NAMED_BY.items() if names[0] == (code, "circle")), None)


WITHOUT_CAUSE = "Named without cause:"


def without_cause(false: Mapping[str, int]) -> str:
    """Return a line with the number of false alarms for each code."""
    counts = ", ".join(f"{code} {count}" for code, count in sorted(false.items())) or "none"
    return f"{WITHOUT_CAUSE} {counts}."


def _row(name: str, errors: Iterable[Error]) -> str:
    found = list(errors)
    named = sum(error.caught for error in found)
    early = sum(error.caught and not error.late for error in found)
    return f"| `{name}` | {len(found)} | {named} | {early} | {len(found) - named} |"
