"""Plot of a trainee's sessions as one small SVG: errors per drill as columns, seconds per drill as a line.

Pure. It has no styles (the page's stylesheet colours it) and no external resources. Every column states its
numbers in text, which the canvas of uPlot (the page of figures) cannot do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape

from controller.practice.book import Entry

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 170, 34, 40, 14, 26
MAX_SESSIONS = 20
"""Number of newest sessions that are drawn."""


@dataclass(frozen=True, slots=True)
class Session:
    """Sums of one practice."""

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

    @property
    def words(self) -> str:
        return (
            f"{self.when[:10]}: {self.drills} drills, {self.errors_a_drill:.1f} errors a drill, "
            f"{self.seconds_a_drill:.0f} s a drill"
        )


def sessions(entries: Iterable[Entry]) -> list[Session]:
    found = []
    for when, group in groupby(entries, key=lambda entry: entry.session):
        dealt = list(group)
        errors, spent = sum(len(entry.errors) for entry in dealt), sum(entry.total_ms for entry in dealt)
        found.append(Session(when, len(dealt), errors, round(spent / 1000)))
    return found[-MAX_SESSIONS:]


def svg(found: Sequence[Session]) -> str:
    """Return the SVG; "" if there is no session."""
    if not found:
        return ""
    most_errors = max(1.0, *(each.errors_a_drill for each in found))
    most_seconds = max(10.0, *(each.seconds_a_drill for each in found))
    step = (WIDTH - LEFT - RIGHT) / len(found)
    middles = [LEFT + step * (number + 0.5) for number in range(len(found))]
    columns = [
        _column(middle, min(step * 0.6, 40), each.errors_a_drill / most_errors, each.words)
        for middle, each in zip(middles, found, strict=True)
    ]
    points = [
        (middle, _y(each.seconds_a_drill / most_seconds)) for middle, each in zip(middles, found, strict=True)
    ]
    return "".join([_frame(most_errors, most_seconds, found), *columns, *_line(points), "</svg>"])


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _text(x: float, y: float, words: str, anchor: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def _frame(most_errors: float, most_seconds: float, found: Sequence[Session]) -> str:
    told = escape("Sessions, the oldest first. " + "; ".join(each.words for each in found))
    base = HEIGHT - BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="plot">'
        f"<title>{told}</title>"
        f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" class="axis"/>'
        + _text(LEFT - 4, TOP + 4, f"{most_errors:.1f}", "end", "errors")
        + _text(LEFT - 4, base, "0", "end", "errors")
        + _text(WIDTH - RIGHT + 4, TOP + 4, f"{most_seconds:.0f} s", "start", "seconds")
        + _text(WIDTH - RIGHT + 4, base, "0 s", "start", "seconds")
        + _text(LEFT, HEIGHT - 6, found[0].when[:10], "start", "when")
        + (_text(WIDTH - RIGHT, HEIGHT - 6, found[-1].when[:10], "end", "when") if len(found) > 1 else "")
    )


def _column(middle: float, width: float, share: float, words: str) -> str:
    top = _y(share)
    return (
        f'<rect x="{middle - width / 2:.1f}" y="{top:.1f}" width="{width:.1f}" '
        f'height="{HEIGHT - BOTTOM - top:.1f}" class="errors"><title>{escape(words)}</title></rect>'
    )


def _line(points: Sequence[tuple[float, float]]) -> list[str]:
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="seconds"/>' for x, y in points]
    return [f'<polyline points="{joined}" class="seconds"/>', *dots]
