"""Export of the evidence for a regulator: the figures with every decision, the values from which they follow,
and the proofs of the rounds.

Its format is in controller/evidence/EVIDENCE.md "The export". The proofs have the cards of the ended rounds,
as the records do. The folder is readable by its owner alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controller.common.files.atomic_write import replace_text
from controller.common.files.zones import machine_zone
from controller.evidence.early_wagers import win_chance
from controller.evidence.fixed import fixed_data
from controller.evidence.hypotheses import PackValues
from controller.evidence.known_middle import HOLE_KINDS, CardNumbers, Values
from controller.evidence.running_evidence import Chosen
from controller.evidence.seat_rounds import MAX_MISSED
from controller.evidence.shoe_orders import Orders
from controller.evidence.threshold import Threshold
from controller.game.model.cards import DECK, Card
from controller.game.model.side_bets import SIDE_BETS
from controller.record.audit.proof.prove import NoProof, proofs
from controller.record.timeline.archive import Archive
from controller.rules.odds.cards import NUMBER, Hole
from controller.rules.odds.pack import LINES

FIGURES = "evidence.jsonl"
VALUES = "values.json"
_FORMAT = 1
SHOE, DEALERS = "shoe.json", "dealers.json"
READ_ME = "README.txt"
_FOLDER_MODE = 0o700
WORDS = """Evidence of sittings at a Criss-Cross Table, for a regulator.

evidence.jsonl   one sitting a line: each hypothesis with its evidence and every decision
evidence.html    the same to read
values.json      pay tables and values of the first decisions, from which a stranger recomputes the figures
                 (controller/evidence/EVIDENCE.md "The export")
round-N.tlog-proof   proof that the record of round N is in the tree that the table signed (C2SP tlog-proof);
                 (controller/record/seal/SEAL.md has the programs that verify it without the journal)

To repeat the figures from a copy of the journal: crisscross evidence JOURNAL --json
Rounds without a proof, because the table had not signed them yet or has no key: {missing}
"""
_OF_PROOFS = """
round-N.tlog-proof   proof of the record of round N (controller/record/seal/SEAL.md)

controller/evidence/EVIDENCE.md "The export" says how a stranger recomputes the figures from both.
Rounds without a proof, because the table had not signed them yet or has no key: {missing}
"""
OTHER_WORDS = {
    SHOE: f"""Evidence against the shuffle of a Criss-Cross Table, for a regulator.

shoe.json            the figures, the places of each deal in the order in which the cards left the shoe, and
                     the rounds without an order, by reason{_OF_PROOFS}""",
    DEALERS: f"""Evidence of dealers at a Criss-Cross Table, for a regulator.

dealers.json         the dealers with the sittings at which they dealt, and with their errors at each seat
{_OF_PROOFS.lstrip()}""",
}


def export(
    folder: Path, chosen: Chosen, found: Sequence[dict[str, Any]], packs: Mapping[str, PackValues],
    html: str, threshold: Threshold | None = None,
) -> Iterator[str]:  # fmt: skip
    """Write the files of an export into a new or empty folder; yield a message for each round that has no
    proof.

    `chosen`: the journal and the options; `found`: sittings as the report's data; `packs`: values by digest
    of the rules; `html`: the page of the sittings. Raises FileExistsError if the folder has files, OSError if
    it cannot be written, JournalError if the journal cannot be read.
    """
    _make(folder)
    missing: list[int] = []
    numbers, holes, zone = _numbers_holes_zone(chosen.journals[0], found)
    yield from _prove(folder, chosen.journals[0], numbers, missing)
    values: dict[str, Any] = {
        "format": _FORMAT,
        "choice": _choice(chosen, zone),
        "fixed": fixed_data(chosen, threshold),
        "packs": {digest: _values(pack, holes) for digest, pack in packs.items()},
    }  # fmt: skip
    replace_text(folder / FIGURES, "".join(f"{json.dumps(each)}\n" for each in found))
    replace_text(folder / VALUES, f"{json.dumps(values)}\n")
    replace_text(folder / "evidence.html", html)
    replace_text(folder / READ_ME, WORDS.format(missing=", ".join(map(str, missing)) or "none"))


def export_shoe(folder: Path, chosen: Chosen, orders: Orders, figures: dict[str, Any]) -> Iterator[str]:
    """Write the evidence against the shuffle with the places of each deal and the proofs of the rounds, as
    `export` does. `figures`: as `shoe_data` returns them."""
    left_out = [number for rounds in orders.left_out.values() for number in rounds]
    numbers = sorted([*left_out, *(order.round for order in orders.found)])
    deals: dict[tuple[str, ...], list[int]] = {}
    for order in orders.found:
        deals.setdefault(order.places, []).append(order.round)
    data = {
        "fixed": fixed_data(chosen, None), "figures": figures, "left_out_rounds": dict(orders.left_out),
        "deals": [{"places": places, "rounds": rounds} for places, rounds in deals.items()],
    }  # fmt: skip
    yield from _write(folder, chosen, SHOE, data, numbers)


def export_dealers(
    folder: Path, chosen: Chosen, dealers: Sequence[dict[str, Any]], threshold: Threshold | None
) -> Iterator[str]:
    """Write the evidence of dealers and the proofs of their rounds, as `export` does. `dealers`: as
    `dealer_data` returns them."""
    parts = (part for dealer in dealers for part in dealer["parts"])
    numbers = sorted({number for part in parts for number in part["round_numbers"]})
    data = {"fixed": fixed_data(chosen, threshold), "dealers": list(dealers)}
    yield from _write(folder, chosen, DEALERS, data, numbers)


def _write(
    folder: Path, chosen: Chosen, name: str, data: dict[str, Any], numbers: Iterable[int]
) -> Iterator[str]:
    """Write a file of data, the proofs of the rounds and the text about both."""
    _make(folder)
    journal, missing = chosen.journals[0], list[int]()
    yield from _prove(folder, journal, numbers, missing)
    head = {"format": _FORMAT, "choice": _choice(chosen, _zone(journal))}
    replace_text(folder / name, f"{json.dumps({**head, **data})}\n")
    words = OTHER_WORDS[name].format(missing=", ".join(map(str, missing)) or "none")
    replace_text(folder / READ_ME, words)


def _make(folder: Path) -> None:
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder}: is not empty; name a new folder")


def _prove(folder: Path, journal: Path, numbers: Iterable[int], missing: list[int]) -> Iterator[str]:
    """Write the proofs of rounds; add those without a proof to `missing` and yield a line for each."""
    for number in numbers:
        try:
            for at, (kind, proof) in enumerate(proofs(journal, number)):
                name = f"round-{number}{f'-{kind}-{at}' if at else ''}.tlog-proof"
                replace_text(folder / name, proof)
        except NoProof as error:
            missing.append(number)
            yield str(error)


def _choice(chosen: Chosen, zone: str) -> dict[str, Any]:
    return {
        "dealer": chosen.dealer, "since": chosen.since and chosen.since.isoformat(),
        "zone": zone if chosen.since else None,
    }  # fmt: skip


def _zone(journal: Path) -> str:
    """Return the time zone of the table's days."""
    with Archive(journal).rounds() as rounds:
        return next((line.zone for line in rounds.lines()), "") or machine_zone()


def _numbers_holes_zone(journal: Path, found: Sequence[dict[str, Any]]) -> tuple[list[int], set[Hole], str]:
    """Return the numbers of the rounds to prove, each pair of hole cards that these seats held, and the time
    zone that decides on which day a round was played."""
    played = {(number, each["seat"]) for each in found for number in each["round_numbers"]}
    with Archive(journal).rounds() as rounds:
        lines = list(rounds.lines())
        every = {number: rounds.record(number)["seats"] for number, _ in played}
    held = [
        each["cards"] for number, seats in every.items() for each in seats if (number, each["seat"]) in played
    ]
    zone = next((line.zone for line in lines), "") or machine_zone()
    return _numbers({line.round for line in lines}, found), set(_holes(held)), zone


def _numbers(ended: set[int], found: Sequence[dict[str, Any]]) -> list[int]:
    """Return the rounds to prove: every ended round from the first to the last of each sitting, also those
    that the player sat out, and MAX_MISSED + 1 rounds before and after. These show that the sitting neither
    began earlier nor ended later. `ended`: numbers of all ended rounds."""
    around = MAX_MISSED + 1
    spans = (range(each["first_round"] - around, each["last_round"] + around + 1) for each in found)
    return sorted(ended & {number for span in spans for number in span})


def _holes(held: Iterable[Sequence[Card | None]]) -> Iterator[Hole]:
    """Yield each complete pair of hole cards as card numbers, the lower one first. `held`: cards of each
    seat, None for an unknown one."""
    for hand in (sorted(NUMBER[card] for card in cards if card) for cards in held):
        if len(hand) == 2:
            yield hand[0], hand[1]


def _values(pack: PackValues, holes: set[Hole]) -> dict[str, Any]:
    """Return the data of a pack that a reader needs to recompute the evidence: pay tables, chances, rules,
    and the values of the first decision for these holes."""
    odds, first = pack.odds, pack.first
    bonuses = {
        wager: {
            "cards": [part for part in ("cross", "own", "bonus_cards") if getattr(SIDE_BETS[wager], part)],
            "pays": pays, "chance": win_chance(odds, wager),
        }
        for wager, pays in odds.side_bets
    }  # fmt: skip
    tables = {"middle": first.middle, "across": first.across, "down": first.down}
    return {
        "lines": LINES, "bets": odds.bets, "antes": odds.antes, "multiples": odds.multiples,
        "bonuses": bonuses, "rules": {**pack.rules},
        "worth": dict(zip((kind.name for kind in HOLE_KINDS), first.middle.holes.tolist(), strict=True)),
        "holes": {
            " ".join(DECK[card] for card in hole): {
                name: _by_card(table.at(hole, _left(hole))[1:], hole) for name, table in tables.items()
            }
            for hole in sorted(holes)
        },
    }  # fmt: skip


def _left(hole: Hole) -> CardNumbers:
    return np.array([card for card in range(len(DECK)) if card not in hole])


def _by_card(bets: Values, hole: Hole) -> dict[str, list[float]]:
    """Return the values of the smallest and of the largest bet, for each card that may be the known one.
    `bets`: (bet, card)."""
    return dict(zip((DECK[card] for card in _left(hole)), bets.T.tolist(), strict=True))
