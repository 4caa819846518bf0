"""Plot of a trainee's sessions as one small SVG: the errors of the trainee per drill as columns, seconds
per drill as a line.

Pure. It has no styles (the page's stylesheet colours it) and no external resources. Every column states its
numbers as text, which the canvas of uPlot (the page of figures) cannot do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from controller.common.files.svg import SVG, element, text_element
from controller.common.texts.catalogue import Catalogue
from controller.practice.book import BookEntry

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 170, 34, 40, 14, 26
MAX_SESSIONS = 20
"""Maximum number of sessions drawn, the newest."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of all drills of one practice, drawn as one column. `when`: its start; `seconds`: time for all its
    drills."""

    when: str
    drills: int
    errors: int
    seconds: int

    @property
    def errors_a_drill(self) -> float:
        return self.errors / self.drills

    @property
    def seconds_a_drill(self) -> float:
        return self.seconds / self.drills

    def words(self, texts: Catalogue) -> str:
        """Return day and numbers as text in the language of the texts."""
        values = {
            "day": self.when[:10],
            "drills": texts.counted("practice.drills_number", self.drills),
            "errors": f"{self.errors_a_drill:.1f}",
            "seconds": f"{self.seconds_a_drill:.0f}",
        }
        return texts.text("practice.plot_session", values) or ""


def sessions(entries: Iterable[BookEntry]) -> list[_Sums]:
    found = []
    for when, group in groupby(entries, key=lambda entry: entry.session):
        dealt = list(group)
        errors, spent = sum(len(entry.errors) for entry in dealt), sum(entry.total_ms for entry in dealt)
        found.append(_Sums(when, len(dealt), errors, round(spent / 1000)))
    return found[-MAX_SESSIONS:]


def svg(found: Sequence[_Sums], texts: Catalogue) -> str:
    """Return the plot as SVG text, with its words in the language of `texts`; "" if there is no session.
    `found`: sums of each session, oldest first."""
    if not found:
        return ""
    most_errors = max(1.0, *(each.errors_a_drill for each in found))
    most_seconds = max(10.0, *(each.seconds_a_drill for each in found))
    step = (WIDTH - LEFT - RIGHT) / len(found)
    middles = [LEFT + step * (number + 0.5) for number in range(len(found))]
    columns = [
        _column(middle, min(step * 0.6, 40), each.errors_a_drill / most_errors, each.words(texts))
        for middle, each in zip(middles, found, strict=True)
    ]
    points = [
        (middle, _y(each.seconds_a_drill / most_seconds)) for middle, each in zip(middles, found, strict=True)
    ]
    return element(
        "svg", "".join([*_frame(most_errors, most_seconds, found, texts), *columns, *_line(points)]),
        xmlns=SVG, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", class_="plot",
    )  # fmt: skip


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _text(x: float, y: float, words: str, anchor: str, kind: str) -> str:
    return text_element(words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=kind)


def _frame(
    most_errors: float, most_seconds: float, found: Sequence[_Sums], texts: Catalogue
) -> Iterator[str]:
    base = HEIGHT - BOTTOM
    all_of_them = "; ".join(each.words(texts) for each in found)
    yield element("title", escape(texts.text("practice.plot_title", {"sessions": all_of_them}) or ""))
    yield element("line", x1=LEFT, y1=base, x2=WIDTH - RIGHT, y2=base, class_="axis")
    yield _text(LEFT - 4, TOP + 4, f"{most_errors:.1f}", "end", "errors")
    yield _text(LEFT - 4, base, "0", "end", "errors")
    yield _text(WIDTH - RIGHT + 4, TOP + 4, f"{most_seconds:.0f} s", "start", "seconds")
    yield _text(WIDTH - RIGHT + 4, base, "0 s", "start", "seconds")
    yield _text(LEFT, HEIGHT - 6, found[0].when[:10], "start", "when")
    if len(found) > 1:
        yield _text(WIDTH - RIGHT, HEIGHT - 6, found[-1].when[:10], "end", "when")


def _column(middle: float, width: float, share: float, words: str) -> str:
    top = _y(share)
    return element(
        "rect", element("title", escape(words)), x=f"{middle - width / 2:.1f}", y=f"{top:.1f}",
        width=f"{width:.1f}", height=f"{HEIGHT - BOTTOM - top:.1f}", class_="errors",
    )  # fmt: skip


def _line(points: Sequence[tuple[float, float]]) -> Iterator[str]:
    yield element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_="seconds")
    for x, y in points:
        yield element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, class_="seconds")
