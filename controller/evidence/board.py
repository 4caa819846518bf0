"""List of all sittings and dealers, the strongest evidence first, for surveillance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from controller.common.texts.catalogue import Catalogue
from controller.evidence.page import header, link, paragraph, powers, row
from controller.evidence.report import TEN, errors_data, now
from controller.evidence.running_evidence import RunningEvidence
from controller.evidence.running_shoes import RunningShoes
from controller.evidence.shuffle import HYPOTHESES
from controller.evidence.sitting import DealerEvidence, Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.threshold import Threshold
from controller.evidence.words import text_of, threshold_words


class Board:
    """Lists of all sittings and dealers as HTML, from the evidence that is kept up to date in `evidence`.

    `costs`: cost of one false accusation, and the cost of them that the house accepts, in one unit of money;
    None if the house set no threshold. `many`: number of sittings that share the accepted cost; None for any
    number.
    """

    def __init__(
        self, evidence: RunningEvidence, costs: tuple[int, int] | None = None, many: int | None = None,
        shoes: RunningShoes | None = None,
    ) -> None:  # fmt: skip
        self._evidence, self._costs, self._many, self.running_shoes = evidence, costs, many, shoes

    @property
    def sittings(self) -> Sittings:
        return self._evidence.sittings

    def threshold(self) -> Threshold | None:
        """Return the threshold of a sitting, or None if the house set no costs."""
        return None if self._costs is None else Threshold(*self._costs, self._many)

    def threshold_of_dealers(self) -> Threshold | None:
        """Return the threshold of a dealer, which also applies to a dealer's errors at one seat; None if the
        house set no costs."""
        return None if self._costs is None else Threshold(*self._costs)

    def many_above(self) -> int:
        """Return the number of sittings, dealers and seats with a dealer's errors that are above the
        threshold; 0 if the house set no costs."""
        threshold, dealers = self.threshold(), self.sittings.dealers.values()
        return (
            sum(_is_above(each, threshold) for each in self.sittings.found)
            + sum(map(self.is_dealer_above, dealers))
            + sum(self.are_errors_above(part) for dealer in dealers for part in dealer.sittings)
        )

    def is_dealer_above(self, dealer: DealerEvidence) -> bool:
        threshold = self.threshold_of_dealers()
        return threshold is not None and threshold.reached(dealer.peak / TEN, dealer.order)

    def are_errors_above(self, part: Sitting) -> bool:
        """Return whether a dealer's errors at one seat are above the threshold. `part`: the dealer's rounds
        of a sitting."""
        threshold = self.threshold_of_dealers()
        return threshold is not None and threshold.reached(part.errors.peak / TEN, part.errors.order)

    def overview(self, texts: Catalogue) -> Iterator[str]:
        """Yield the HTML of the lists of sittings and dealers."""
        yield paragraph(text_of(texts, "only"))
        if count := self.many_above():
            yield f'<p role="alert">{text_of(texts, "above_now", count=count)}</p>'
        yield paragraph(text_of(texts, "head"))
        for why in self._evidence.faults.values():
            yield f'<p role="alert">{escape(text_of(texts, "unread", why=why))}</p>'
        if not self.sittings.found:
            yield paragraph(text_of(texts, "none"))
            return
        yield paragraph(text_of(texts, "read", rounds=self.sittings.rounds))
        yield f"<h2>{text_of(texts, 'sittings')}</h2>"
        threshold = self.threshold()
        if threshold is not None:
            yield paragraph(f"{threshold_words(texts, threshold)}.")
        yield from _listed(texts, self.sittings.found, "/sittings/", threshold)
        yield from self._dealers(texts)
        yield from self._overview_of_shoes(texts)

    def shoes(self) -> Mapping[int, tuple[str, dict[str, Any]]]:
        """Return the table and the figures of each shoe, by index of its journal."""
        return self.running_shoes.found if self.running_shoes else {}

    def _overview_of_shoes(self, texts: Catalogue) -> Iterator[str]:
        if not self.shoes():
            return
        yield f"<h2>{text_of(texts, 'shoes')}</h2>"
        yield header(texts, "table", "orders", "strongest", "now", "most")
        for at, (table, data) in sorted(self.shoes().items(), key=lambda each: -each[1][1]["peak_log10"]):
            name = max(HYPOTHESES, key=lambda each: data["hypotheses"][each]["peak_log10"])
            most = powers(data["hypotheses"][name])[1]
            strongest = escape(f"{text_of(texts, f'shuffle.{name}')}: {most}")
            numbers = [link(f"/shoes/{at}", each) for each in powers(data)]
            yield row([escape(table), str(data["orders"]), strongest], numbers)
        yield "</table>"

    def parts(self, texts: Catalogue, dealer: DealerEvidence, at: str) -> Iterator[str]:
        """Yield the HTML of a dealer's page: the sittings at which they dealt, and their errors seat by seat.
        `at`: address to which the index of a sitting is appended."""
        yield from _listed(texts, dealer.sittings, at, None)
        yield f"<h2>{text_of(texts, 'errors')}</h2>"
        yield paragraph(text_of(texts, "head_errors"))
        yield header(texts, "table", "seat", "rounds", "pairs", "unequal", "for_seat", "now", "most")
        threshold = self.threshold_of_dealers()
        for sitting in sorted(dealer.sittings, key=lambda each: -each.errors.peak):
            data = errors_data(sitting.errors, threshold)
            cells = [escape(sitting.table), str(sitting.seat), f"{sitting.rounds[0]}-{sitting.rounds[-1]}"]
            counts = [data[name] for name in ("pairs", "unequal", "for_seat")]
            yield row(cells, [*counts, *powers(data)], above=bool(data["above"]))
        yield "</table>"

    def _dealers(self, texts: Catalogue) -> Iterator[str]:
        if not self.sittings.dealers:
            return
        yield f"<h2>{text_of(texts, 'dealers')}</h2>"
        threshold = self.threshold_of_dealers()
        if threshold is not None:
            yield paragraph(f"{threshold_words(texts, threshold, 'threshold_dealers')}.")
        yield header(texts, "dealer_number", "sittings", "rounds", "now", "most", "most_errors")
        for dealer in sorted(self.sittings.dealers.values(), key=lambda each: -each.peak):
            above = self.is_dealer_above(dealer) or any(map(self.are_errors_above, dealer.sittings))
            errors = max((each.errors.peak for each in dealer.sittings), default=0.0)
            where = f"/dealers/{quote(dealer.number, safe='')}"
            numbers = [
                len(dealer.sittings),
                dealer.rounds,
                *(link(where, each) for each in (*powers(now(dealer)), f"10^{errors / TEN:.1f}")),
            ]
            yield row([link(where, dealer.number)], numbers, above=above)
        yield "</table>"


def _is_above(sitting: Sitting, threshold: Threshold | None) -> bool:
    return threshold is not None and threshold.reached(sitting.peak / TEN, sitting.order)


def _listed(texts: Catalogue, sittings: list[Sitting], at: str, threshold: Threshold | None) -> Iterator[str]:
    yield header(texts, "table", "seat", "rounds", "strongest", "now", "most")
    for place, sitting in sorted(enumerate(sittings), key=lambda each: -each[1].peak):
        name = sitting.strongest
        where = f"{at}{place}"
        rounds = f"{sitting.rounds[0]}-{sitting.rounds[-1]}"
        strongest = link(
            f"{where}#{name}", f"{text_of(texts, f'knew.{name}')}: {powers(now(sitting.strands[name]))[1]}"
        )
        cells = [escape(sitting.table), str(sitting.seat), rounds, strongest]
        yield row(
            cells, [link(where, each) for each in powers(now(sitting))], above=_is_above(sitting, threshold)
        )
    yield "</table>"
