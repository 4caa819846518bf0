"""Evidence of sittings and dealers as text and as data. It must never name a card or a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from textwrap import wrap
from typing import Any

from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
from controller.evidence.dealer_errors import ErrorPairs
from controller.evidence.factor import KNOWING, RoundEvidence
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.sitting import DealerEvidence, Sitting, Strand
from controller.evidence.threshold import Threshold
from controller.evidence.words import sentence, text_of, threshold_words

TEN = log(10)
_MAX_DECISIONS = 5
"""Maximum number of decisions printed for each sitting; those with the largest weights are printed."""
WIDTH = 105
ENGLISH = catalogue(FIRST_LANGUAGE)


def sitting_data(
    sitting: Sitting, threshold: Threshold | None = None, ahead: Sequence[Sitting] | None = None
) -> dict[str, Any]:
    """Return a sitting as the data that controller/COMMANDS.md describes; logarithms to base 10. The fields
    outside `hypotheses` repeat those of the hypothesis on the middle card. `ahead`: sittings at seats that
    act earlier and have high evidence too; None if the other seats were not computed."""
    strands = {name.value: _strand(name, strand) for name, strand in sitting.strands.items()}
    return {
        "hypothesis": Hypothesis.MIDDLE.value, "table": sitting.table, "seat": sitting.seat,
        "player": sitting.player,
        "first_round": sitting.rounds[0], "last_round": sitting.rounds[-1], "rounds": len(sitting.rounds),
        "round_numbers": sitting.rounds, **strands[Hypothesis.MIDDLE],
        "combined": now(sitting), "hypotheses": strands, **_above(sitting, threshold),
        "earlier_seats": None if ahead is None else [
            {"seat": each.seat, "first_round": each.rounds[0], "last_round": each.rounds[-1], **now(each)}
            for each in ahead
        ],
    }  # fmt: skip


def dealer_data(dealer: DealerEvidence, threshold: Threshold | None = None) -> dict[str, Any]:
    """Return a dealer as the data that controller/COMMANDS.md describes, the strongest sittings first.
    `threshold`: of the dealer, and of their errors at one seat."""
    parts = sorted(dealer.sittings, key=lambda each: -each.peak)
    return {
        "dealer": dealer.number, "rounds": dealer.rounds, "sittings": len(dealer.sittings), **now(dealer),
        **_above(dealer, threshold),
        "parts": [{**sitting_data(each), "errors": errors_data(each.errors, threshold)} for each in parts],
    }  # fmt: skip


def errors_data(errors: ErrorPairs, threshold: Threshold | None = None) -> dict[str, Any]:
    """Return a dealer's errors at one seat as the data that controller/COMMANDS.md describes."""
    counts = {"pairs": errors.pairs, "unequal": errors.unequal, "for_seat": errors.for_seat}
    return {**counts, **now(errors), **_above(errors, threshold)}


def now(running: Sitting | Strand | DealerEvidence | ErrorPairs) -> dict[str, float]:
    return {"log10": _tens(running.log), "peak_log10": _tens(running.peak)}


def _above(running: Sitting | DealerEvidence | ErrorPairs, threshold: Threshold | None) -> dict[str, Any]:
    if threshold is None:
        return {"threshold_log10": None, "above": None}
    bound, above = threshold.bound(running.order), threshold.reached(running.peak / TEN, running.order)
    return {"threshold_log10": round(bound, 4), "above": above}


def _strand(hypothesis: Hypothesis, strand: Strand) -> dict[str, Any]:
    return {
        "with_evidence": len(strand.rounds),
        **now(strand),
        "decisions": [_decision(hypothesis, *each) for each in strand.decisions()],
    }


def _tens(logarithm: float) -> float:
    return round(logarithm / TEN, 4)


def _decision(
    hypothesis: Hypothesis, number: int, found: RoundEvidence, decision: int, column: int
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "round": number, "wager": found.wagers[decision].value,
        "log10": _tens(float(found.weights[decision, column])), "antes": round(found.bets[decision], 4),
        "knowing_player": KNOWING[found.best_at(decision, column)], "cards": found.cards,
    }  # fmt: skip
    if (seat := found.hand(column)) is not None:
        data["hand_of"] = seat
    return {**data, "sentence": sentence(ENGLISH, hypothesis, data)}


# ------------------------------------------------------------------ in words


def sitting_lines(found: Sequence[dict[str, Any]], threshold: Threshold | None = None) -> Iterator[str]:
    """Yield the lines about sittings for a terminal, the strongest evidence first. `found`: sittings as
    `sitting_data` returns them."""
    yield from wrap(f"{text_of(ENGLISH, 'head')} {text_of(ENGLISH, 'weigh')}", WIDTH)
    if threshold is not None:
        yield from wrap(threshold_words(ENGLISH, threshold), WIDTH)
    many = len({each["table"] for each in found}) > 1
    for data in sorted(found, key=lambda each: -float(each["combined"]["peak_log10"])):
        yield ""
        yield from _sitting_lines(data, f"table {data['table']}, " if many else "")


def dealers_in_words(found: Sequence[dict[str, Any]], threshold: Threshold | None = None) -> Iterator[str]:
    """Yield the lines about dealers for a terminal, the strongest evidence first. `found`: dealers as
    `dealer_data` returns them."""
    yield from wrap(" ".join(text_of(ENGLISH, key) for key in ("head", "head_dealers", "head_errors")), WIDTH)
    if threshold is not None:
        yield from wrap(threshold_words(ENGLISH, threshold, "threshold_dealers"), WIDTH)
    if not found:
        yield "no round names a dealer: none signed on"
    for data in sorted(found, key=lambda each: -float(each["peak_log10"])):
        yield ""
        many = f"{data['rounds']} rounds, {data['sittings']} sittings"
        yield f"dealer {data['dealer']}, {many}: {_now(data)}{_over(data)}"
        for part in data["parts"][:_MAX_DECISIONS]:
            yield f"  table {part['table']}, {_seat(part)}: {_now(part['combined'])}"
        yield from _error_lines(data["parts"])


def _error_lines(parts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each seat that a dealer's errors may favour, the strongest evidence first. `parts`: a
    dealer's sittings as data."""
    favoured = [part for part in parts if part["errors"]["unequal"]]
    for part in sorted(favoured, key=lambda each: -float(each["errors"]["peak_log10"]))[:_MAX_DECISIONS]:
        errors = part["errors"]
        many = f"{errors['for_seat']} of {errors['unequal']} unequal pairs of errors are for the player"
        yield f"  table {part['table']}, {_seat(part)}: {many}: {_now(errors)}{_over(errors)}"


def _sitting_lines(data: dict[str, Any], where: str) -> Iterator[str]:
    yield f"{where}{_seat(data)}: all hypotheses {_now(data['combined'])}{_over(data)}"
    for name, strand in data["hypotheses"].items():
        many = f"{strand['with_evidence']} of {data['rounds']} rounds give evidence"
        yield f"  {name}: {_now(strand)}; {many}"
    if ahead := data["earlier_seats"]:
        yield from wrap(text_of(ENGLISH, "ahead", seats=seats_in_words(ahead)), WIDTH, initial_indent="  ")
    name, strand = max(data["hypotheses"].items(), key=lambda each: float(each[1]["peak_log10"]))
    yield f"  heaviest decisions for {name}:"
    if (count := len(strand["decisions"])) > _MAX_DECISIONS:
        yield f"  {text_of(ENGLISH, 'shown', shown=_MAX_DECISIONS, count=count)}"
    for each in strand["decisions"][:_MAX_DECISIONS]:
        yield f"  round {each['round']}, {each['wager']}: {each['sentence']}"


def seats_in_words(seats: Sequence[dict[str, Any]]) -> str:
    """Return seats with their largest evidence. `seats`: `earlier_seats` of a sitting's data."""
    return ", ".join(f"{each['seat']} (10^{each['peak_log10']:.1f})" for each in seats)


def _seat(data: dict[str, Any]) -> str:
    return f"seat {data['seat']}, rounds {data['first_round']} to {data['last_round']}"


def _over(data: dict[str, Any]) -> str:
    return "; ABOVE THE THRESHOLD" if data["above"] else ""


def _now(data: dict[str, Any]) -> str:
    return f"now 10^{data['log10']:.1f}, at most 10^{data['peak_log10']:.1f}"
