"""Texts of a page about an ended round: head, cards, wagers, totals, irregularities and timeline.

The list of rounds takes its texts here too. A page or a printer only lays them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from controller.common.files.money import dollars
from controller.common.files.zones import at
from controller.common.texts.catalogue import SEPARATOR, Catalogue, catalogue
from controller.game.model.names import BONUS_PLACES, CROSS, cards_of
from controller.game.model.naming import entry_name
from controller.game.showing.view import Hand
from controller.pages.display import phrases
from controller.pages.display.round_text import (
    card_text,
    clock,
    day,
    entry_text,
    holder_words,
    places_text,
    since,
    title,
    trouble,
    zone_of,
)

Data = Mapping[str, Any]


def render_round(story: Data, language: str, machine: str) -> dict[str, Any]:
    """Return the texts of a round's page. `machine`: time zone to use if the table names none."""
    texts, zone, record = catalogue(language), story["zone"] or machine, story["record"]
    return {
        "number": record["round"],
        "title": texts.text("rounds_page.round", {"number": record["round"]}),
        "zone": texts.text("rounds_page.zone", {"zone": zone_of(record["started"], zone)}),
        "head": [{"label": label, "text": text} for label, text in _head(texts, story, zone)],
        "cross": {place: _card(story, place, record["cross"][place]) for place in CROSS},
        "bonus_cards": record["bonus_cards"] and _row(story, BONUS_PLACES, record["bonus_cards"]),
        "read_as": list(_read_as(texts, story)),
        "seats": [_seat(texts, story, seat) for seat in record["seats"]],
        "totals": _totals(record["seats"], record["corrections"]),
        "troubles": [trouble(texts, each) for each in story["troubles"]],
        "corrections": [_correction(texts, each, zone) for each in record["corrections"]],
        "entries": [entry_text(texts, each, zone) for each in story["entries"]],
    }


# ------------------------------------------------------------------ head of the page


def _head(texts: Catalogue, story: Data, zone: str) -> Iterator[tuple[str, str]]:
    record = story["record"]

    def label(name: str) -> str:
        return texts.plain(f"rounds_page.{name}")

    yield label("table"), record["table"]
    yield label("rules"), record["rules"]
    yield label("method"), texts.plain(f"methods.{record['method']}")
    yield label("day"), day(record["started"], zone)
    yield label("started"), clock(record["started"], zone)
    yield label("ended"), clock(record["ended"], zone)
    yield label("dealers"), "; ".join(_dealt(texts, each) for each in story["dealers"]) or label("no_dealer")
    yield label("outcome"), _outcome(texts, record)
    if left := record.get("unsigned"):
        yield label("unsigned"), "; ".join(_unsigned(texts, each) for each in left)
    back = record["deck"]["back"]
    named = {"back": texts.plain(f"backs.{back}") if back else None, "after": label(record["deck"]["after"])}
    yield label("deck"), SEPARATOR.join(each for each in named.values() if each)
    yield label("stub"), texts.text("rounds_page.stub_is", record["stub"]) or ""


def _unsigned(texts: Catalogue, each: Data) -> str:
    where = f"{texts.text('rounds_page.seat', each)}{SEPARATOR}{texts.plain('wagers.' + each['wager'])}"
    return f"{where}{SEPARATOR}{dollars(each['amount'])}"


def _dealt(texts: Catalogue, each: Data) -> str:
    """Return a text that names a dealer, with times if they dealt only a part of the round."""
    begun, ended = each["since"] is not None, each["until"] is not None
    form = {(False, False): "all", (True, False): "from", (False, True): "until", (True, True): "between"}
    return texts.text(f"rounds_page.dealt_{form[begun, ended]}", {
        "who": each["number"], "since": since(each["since"] or 0), "until": since(each["until"] or 0),
    }) or ""  # fmt: skip


def _outcome(texts: Catalogue, record: Data) -> str:
    void = record["void"]
    if void is None:
        return texts.plain("rounds_page.settled")
    return texts.text("rounds_page.void", {
        "trouble": title(texts, void["code"]), "who": void["approved_by"],
        "citation": phrases.citation(texts, void["citation"]),
    }) or ""  # fmt: skip


# ------------------------------------------------------------------ cards


def _card(story: Data, place: str, face: str | None) -> dict[str, Any]:
    """Return a card for the page as it lay at the end of the round: face up, face down, unknown or none. The
    face of an unturned card is shown only if `story` has it."""
    lying = story["lying"].get(place)
    if lying is None:
        return {"lies": "none", "face": None, "turned": False}
    lies = "up" if face else "down" if lying == "down" else "unknown"
    return {"lies": lies, "face": face, "turned": lying == "up"}


def _row(story: Data, names: Iterable[str], faces: Sequence[str | None]) -> list[dict[str, Any]]:
    return [_card(story, place, face) for place, face in zip(names, faces, strict=False)]


def _read_as(texts: Catalogue, story: Data) -> Iterator[str]:
    """Yield a text for each card that the shoe had read as another card."""
    for each in story["entries"]:
        if each["kind"] == "card_changed" and each.get("read"):
            named = {"places": places_text(texts, [each["place"]]), "read": card_text(each["read"])}
            yield texts.text("rounds_page.read_as", named) or ""


# ------------------------------------------------------------------ seats


def _seat(texts: Catalogue, story: Data, seat: Data) -> dict[str, Any]:
    own = str(seat["seat"]) == seat["player"]
    name = texts.text("rounds_page.seat" if own else "rounds_page.seat_player", seat)
    hands = story["hands"].get(str(seat["seat"]), {})
    stacks = story["record"].get("stacks", {}).get(str(seat["seat"]), {})
    return {
        "seat": seat["seat"],
        "name": name,
        "state": _state(texts, seat),
        "cards": _row(story, cards_of(seat["seat"]), seat["cards"]),
        "wagers": [
            {
                **_wager(texts, name, wager, hands.get(name)),
                "chips": phrases.stack(texts, stacks.get(name, ())),
            }
            for name, wager in seat["wagers"].items()
        ],
        "totals": _totals([seat]),
    }


def _state(texts: Catalogue, seat: Data) -> str:
    if seat["forfeited"]:
        values = {"trouble": title(texts, seat["forfeited"]["code"])}
        return texts.text("rounds_page.forfeited", values) or ""
    if seat["folded_at"]:
        return texts.text("rounds_page.folded", {"phase": texts.plain(f"phases.{seat['folded_at']}")}) or ""
    return ""


def _wager(texts: Catalogue, name: str, wager: Data, hand: Hand | None) -> dict[str, str]:
    cut = {"amount": dollars(wager["uncut"])} if wager["uncut"] != wager["payout"] else None
    notes = [texts.text("rounds_page.cut", cut) if cut else None]
    notes.append(None if wager["verified"] else texts.plain("rounds_page.on_word"))
    odds = {"odds": wager["odds"]} if wager["odds"] is not None else None
    return {
        "name": texts.plain(f"wagers.{name}"),
        "amount": dollars(wager["amount"]),
        "result": texts.plain(f"results.{wager['result']}"),
        "outcome": wager["result"],
        "hand": phrases.hand(texts, hand) if hand else "",
        "odds": (texts.text("rounds_page.odds_are", odds) or "") if odds else "",
        "payout": dollars(wager["payout"]) if wager["payout"] else "",
        "note": SEPARATOR.join(note for note in notes if note),
    }


def _totals(seats: Iterable[Data], corrections: Sequence[Data] = ()) -> dict[str, str]:
    """Return the amounts wagered, paid and taken, and the players' net win, before corrections and after
    them; the last is empty if no correction moved money."""
    found = list(seats)
    paid, taken = sum(seat["paid"] for seat in found), sum(seat["taken"] for seat in found)
    wagered = sum(wager["amount"] for seat in found for wager in seat["wagers"].values())
    sums = {"wagered": wagered, "paid": paid, "taken": taken, "net": paid - taken}
    later = sum(each["cents"] or 0 for each in corrections)
    return {
        **{name: dollars(cents) for name, cents in sums.items()},
        "corrected": dollars(paid - taken + later) if later else "",
    }


def _correction(texts: Catalogue, each: Data, zone: str) -> dict[str, str]:
    what = "" if each["code"] == "mispaid" else title(texts, entry_name(each))
    parts = (what, holder_words(texts, each["cents"]), each["why"])
    return {
        "clock": f"{day(each['when'], zone)} {clock(each['when'], zone)}",
        "where": f"{texts.text('rounds_page.seat', each)}{SEPARATOR}{texts.plain('wagers.' + each['wager'])}",
        "text": SEPARATOR.join(each for each in parts if each),
        "who": each["who"],
    }


# ------------------------------------------------------------------ list of rounds


def render_list(lines: Iterable[Data], language: str, machine: str) -> list[dict[str, Any]]:
    """Return the texts of a list of rounds, a row for each. `machine`: time zone to use if the table names
    none."""
    texts = catalogue(language)
    return [_line(texts, each, each["zone"] or machine) for each in lines]


def _line(texts: Catalogue, each: Data, zone: str) -> dict[str, Any]:
    void = title(texts, each["void"]) if each["void"] else None
    there = at(each["started"], zone).isoformat(" ", "seconds")
    return {
        "number": each["round"],
        "day": there[:10],
        "clock": there[11:19],
        "zone": zone,
        "dealers": ", ".join(each["dealers"]),
        "outcome": f"{texts.plain('phases.void')}: {void}" if void else texts.plain("rounds_page.settled"),
        "void": void is not None,
        "seats": len(each["seats"]),
        "wagered": dollars(each["wagered"]),
        "paid": dollars(each["paid"]),
        "taken": dollars(each["taken"]),
        "wrong": [*_wrong(texts, each), *_left_unsigned(texts, each)],
        "corrected": _corrected(texts, each),
    }


def _wrong(texts: Catalogue, each: Data) -> Iterator[str]:
    yield from (_times(texts, title(texts, code), count) for code, count in each["wrong"])


def _left_unsigned(texts: Catalogue, each: Data) -> Iterator[str]:
    """Yield the sum of the amounts that were entered by hand and not signed, as text; nothing if there are
    none."""
    if left := [cents for _, _, cents in each["unsigned"]]:
        yield f"{texts.plain('rounds_page.unsigned')}: {dollars(sum(left))}"


def _times(texts: Catalogue, what: str, count: int) -> str:
    return what if count == 1 else texts.text("rounds_page.times", {"what": what, "number": count}) or ""


def _corrected(texts: Catalogue, each: Data) -> str:
    """Return a text with the number of corrections, and the players' net win after them if they moved
    money.
    """
    count = each["corrections"]
    if count == 0:
        return ""
    form = "corrected_once" if count == 1 else "corrected_often"
    corrected = texts.text(f"rounds_page.{form}", {"number": count}) or ""
    if not each["corrected"]:
        return corrected
    net = dollars(each["paid"] - each["taken"] + each["corrected"])
    return texts.text("rounds_page.corrected_to", {"corrected": corrected, "net": net}) or ""
