"""Figures for a monitor as OpenMetrics 1.0 or as the older text format of Prometheus. The caller passes valid
names and label values; they are not checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

OPENMETRICS = "application/openmetrics-text"
MEDIA_TYPES = {True: f"{OPENMETRICS}; version=1.0.0; charset=utf-8",
               False: "text/plain; version=0.0.4; charset=utf-8"}  # fmt: skip
"""Content type of OpenMetrics (True) and of the text format (False)."""
_PREFIX = "crisscross_"
Labels: TypeAlias = Mapping[str, str]
Samples: TypeAlias = Iterable[tuple[Labels, float]]
"""Labels and value of each sample of a family."""


@dataclass(frozen=True, slots=True)
class Family:
    """One figure for a monitor, with all its samples. `words`: its help text. `rows`: suffix of the name,
    labels and value of each sample."""

    name: str
    kind: Literal["gauge", "counter", "histogram"]
    words: str
    rows: tuple[tuple[str, Labels, float], ...]

    def lines(self, *, openmetrics: bool) -> Iterator[str]:
        """Yield the lines of the figure. In the text format of Prometheus the name of a counter ends in
        `_total` in its TYPE and HELP lines too."""
        name = self.name if openmetrics or self.kind != "counter" else f"{self.name}_total"
        yield f"# HELP {name} {self.words}"
        yield f"# TYPE {name} {self.kind}"
        for ending, labels, value in self.rows:
            named = ",".join(f'{key}="{each}"' for key, each in labels.items())
            yield f"{self.name}{ending}{f'{{{named}}}' if named else ''} {value}"


def family(
    name: str, kind: Literal["gauge", "counter"], words: str, samples: Samples, prefix: str = _PREFIX
) -> Family:
    """Return a family `prefix` + `name` with one sample for each item of `samples`. `words`: its
    description."""
    ending = "_total" if kind == "counter" else ""
    return Family(prefix + name, kind, words, tuple((ending, labels, value) for labels, value in samples))


class Histogram:
    """Distribution of observed values: their number, their sum, and the number up to each of `bounds`."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        self._counts[sum(value > bound for bound in self._bounds)] += 1
        self._sum += value

    def family(self, name: str, words: str) -> Family:
        """Return the figure. As OpenMetrics requires, each bucket also counts the values of all smaller
        buckets."""
        rows: list[tuple[str, Labels, float]] = []
        below = 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            below += count
            rows.append(("_bucket", {"le": bound}, below))
        rows += [("_sum", {}, self._sum), ("_count", {}, below)]
        return Family(_PREFIX + name, "histogram", words, tuple(rows))


def exposition(families: Iterable[Family], accept: str) -> tuple[bytes, str]:
    """Return the complete text of these families and its content type.

    It is OpenMetrics if a monitor asks for that (`accept`: its header), else the text format.
    """
    accepted = (each.partition(";")[0].strip().lower() for each in accept.split(","))
    openmetrics = OPENMETRICS in accepted
    lines = [line for each in families for line in each.lines(openmetrics=openmetrics)]
    end = ["# EOF"] if openmetrics else []
    return "".join(f"{line}\n" for line in (*lines, *end)).encode(), MEDIA_TYPES[openmetrics]
