"""Texts of a view: prompt, next step, alerts, hold, and the acts of CONFIRM and UNDO.

`render` is pure: a public view in, texts out, all from the catalogue. It gets only the view, so it cannot
name a hidden face. Grammar of a prompt: place, wager, verb, amount, reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from controller.common.files.money import dollars
from controller.common.texts.catalogue import SEPARATOR, Catalogue, catalogue, title
from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES
from controller.game.model.rules import HOUSE_PROCEDURE
from controller.game.model.side_bets import BONUSES
from controller.game.showing.order_view import First
from controller.game.showing.signatures_view import Waiting
from controller.game.showing.view import Alert, Decision, Front, Hold, Prompt, Reading, Undoable, View
from controller.pages.display import phrases
from controller.pages.display.fallback_text import (
    alert_codes,
    code_text,
    front_codes,
    hold_codes,
    prompt_codes,
    render_or_code,
)
from controller.pages.display.signing import sign_keys
from controller.pages.display.values import headline, text_values

Words = dict[str, Any]
SLOTS = ("where", "do", "more")
MAX_CLAUSES = 2
"""Maximum number of clauses in the small line of a prompt that has acts on cards beside it."""
MENDING = ("hand_back", "fix_wagers", "ask", "enter_amount")


def render(view: View, language: str) -> Words:
    """Return the texts of a view; each is None if the view has no such part.

    {"prompt": line, "next": line, "parts": {"prompt": {"where", "do", "more", "confirm"}, "next": …},
    "alerts": [{"id", "text", "do", …}], "hold": {"text", "do", …}, "phase": str, "front": {"where", "do",
    "more", "then", "citation"}, "beside": {"where", "what", "do"}, "keys": {key: its effect}, "waiting":
    [str], "signs": [[key of the floor page]]}. Lines are for a log and a test; the page uses the parts, which
    it sets in different sizes.
    """
    texts = catalogue(language)
    due = {
        n: render_or_code(prompt_codes(view[n]), _prompt, texts, view, view[n]) for n in ("prompt", "next")
    }
    words: Words = {
        "parts": due,
        "alerts": [render_or_code(alert_codes(a), _alert, texts, view, a) for a in view["alerts"]],
        "hold": render_or_code(hold_codes(view["hold"]), _hold, texts, view["hold"]),
        "phase": texts.plain(f"phases.{view['phase']}"),
    }
    return {
        **words,
        **{name: _line(each) for name, each in due.items()},
        "front": render_or_code(front_codes(words), _front, texts, view["front"], words),
        "beside": render_or_code(front_codes(words), _aside, texts, view, words),
        "keys": render_or_code(dict.fromkeys(view["keys"]), _keys, texts, view, words),
        "waiting": [
            render_or_code(code_text(item["what"]), _waiting, texts, item, words) for item in view["waiting"]
        ],
        "signs": [
            render_or_code([code_text(item["what"])], sign_keys, texts, item) for item in view["waiting"]
        ],
    }


def refusal_text(code: str, values: Mapping[str, Any], language: str) -> str:
    """Return the reason why a touch was refused, as text."""
    texts = catalogue(language)
    keys = (f"refusals.{code}", f"codes.{code}.what", f"prompts.{code}.do")
    key = next((k for k in keys if texts.node(k) is not None), keys[0])
    plain = texts.plain("refusals.not_now")
    return render_or_code(code_text(code), lambda: texts.text(key, text_values(texts, values)) or plain)


def _line(parts: Mapping[str, str | None] | None, slots: Iterable[str] = SLOTS) -> str | None:
    if parts is None:
        return None
    return SEPARATOR.join(part for slot in slots if (part := parts[slot]))


def _prompt(texts: Catalogue, view: View, prompt: Prompt | None) -> dict[str, str | None] | None:
    if prompt is None:
        return None
    values = text_values(
        texts,
        {
            **_limits(view, prompt),
            **_hands(view, prompt),
            **_decks(view),
            **_hold_values(view, prompt),
            **prompt,
        },
    )
    cards = list(_beside(texts, prompt, values))
    values["cards"] = SEPARATOR.join(cards) or None
    values["then"] = values["step"] if len(cards) < MAX_CLAUSES else None
    values |= _pushes(texts, view, prompt)
    entry = f"prompts.{prompt['kind']}"
    if texts.node(entry) is None:
        return {"where": None, "do": texts.plain(entry), "more": None, "confirm": None}
    do, aside = headline(texts, f"{entry}.do", values)
    values["chips_aside"] = aside or values["chips_aside"]
    others = {slot: _slot(texts, f"{entry}.{slot}", values) for slot in ("where", "more", "confirm")}
    return {**others, "do": do}


def _hold_values(view: View, prompt: Prompt) -> dict[str, Any]:
    """Return the values of the placeholders that describe the hold in effect, or {} if the prompt is not
    about a hold. The counts of a stub are left out, because only the floor page shows them."""
    hold = view["hold"] if prompt["kind"] == "held" else None
    if hold is None:
        return {}
    facts = {name: hold[name] for name in ("fault", "number", "serial", "stranger", "rows")}
    return {**facts, **_disputed_card(hold["readings"])}


def _decks(view: View) -> dict[str, Any]:
    """Return the placeholders' values about the deck that is needed and the one that plays next."""
    deck = view["deck"]
    nth = None if deck["number"] is None else str(deck["number"])
    named = {name: deck[name] for name in ("number", "decks", "apart", "next")}
    return {"nth": nth, **named}


def _slot(texts: Catalogue, key: str, values: Mapping[str, object]) -> str | None:
    return texts.text(key, values) if texts.node(key) is not None else None


def _hands(view: View, prompt: Prompt) -> dict[str, Any]:
    """Return the placeholders' values for both hands of the prompt's seat, None for an unturned hand."""
    if prompt["seat"] is None:
        return {}
    hands = view["seats"][prompt["seat"] - 1]["hands"]
    return {"across_hand": hands["across"], "down_hand": hands["down"]}


def _beside(texts: Catalogue, prompt: Prompt, values: Mapping[str, object]) -> Iterator[str]:
    """Yield a text for each act on cards of the prompt's step, without those that are still uncertain."""
    shown = (texts.text(f"cards.{name}", values) for name in prompt["cards"] or ())
    yield from (text for text in shown if text)


def _pushes(texts: Catalogue, view: View, prompt: Prompt) -> dict[str, str | None]:
    """Return the placeholders' values for several pushes that one CONFIRM leaves in place: wagers, sum and
    amounts, without chips that the floor signed away.

    There are none for a single push. If the amounts differ, `each` is None and `pushes_apart` has each wager
    with its amount.
    """
    if not prompt["too"] or prompt["seat"] is None:
        return {}
    circles = view["seats"][prompt["seat"] - 1]["circles"]
    wagers = [wager for wager in (prompt["wager"] or "", *prompt["too"]) if circles[wager]["amount"]]
    if len(wagers) < 2:
        return {}
    cents = [circles[wager]["amount"] or 0 for wager in wagers]
    names = [texts.plain(f"wagers.{wager}") for wager in wagers]
    apart = [f"{name} {dollars(amount)}" for name, amount in zip(names, cents, strict=True)]
    same = len(set(cents)) == 1
    return {
        "pushes": ", ".join(names), "sum": dollars(sum(cents)), "all": texts.plain(f"alls.{len(wagers)}"),
        "each": dollars(cents[0]) if same else None, "pushes_apart": None if same else ", ".join(apart),
    }  # fmt: skip


def _limits(view: View, prompt: Prompt) -> dict[str, Any]:
    """Return the limits of the prompt's circle, and the amount that should lie there."""
    own = {"table": view["table"], "by": view["dealer"], "should": prompt["amount"], **_mended(view, prompt)}
    return {**own, **_house(view), **_range(view, prompt["wager"])}


def _house(view: View) -> dict[str, Any]:
    """Return the values of the house's chips as a placeholder, since sums are shown as chips."""
    return {"denominations": view["denominations"]}


def _range(view: View, wager: str | None) -> dict[str, Any]:
    """Return a wager's minimum and maximum as placeholders; none if they depend on other wagers."""
    limits = view["limits"]
    if wager in BONUSES:
        return {"least": limits["bonus_minimum"], "most": limits["bonus_maximum"]}
    if wager is None or wager in ANTES:
        return {"least": limits["minimum_ante"], "most": limits["maximum_ante"]}
    return {}


def _mended(view: View, prompt: Prompt) -> dict[str, Any]:
    """Return the placeholders' values for a prompt to correct a circle: the chips in it, and `uneven` for an
    amount between two options."""
    if prompt["kind"] not in MENDING or prompt["seat"] is None or prompt["wager"] is None:
        return {}
    circle = view["seats"][prompt["seat"] - 1]["circles"][prompt["wager"]]
    lies, options = circle["amount"], prompt["options"] or ()
    uneven = lies if lies and options and min(options) < lies < max(options) else None
    return {"lies": lies, "uneven": uneven, **_lying(view, prompt)}


def _lying(view: View, about: Prompt | Alert) -> dict[str, Any]:
    """Return the placeholders' values about chips: those in the circle of a prompt or alert, and the amount
    in each circle of its seat."""
    if about["seat"] is None or about["wager"] is None:
        return {}
    circles = view["seats"][about["seat"] - 1]["circles"]
    amounts = {name: circle["amount"] for name, circle in circles.items()}
    lying = circles[about["wager"]]["chips"] if about["wager"] in circles else None
    return {**amounts, "lying": lying}


def _alert(texts: Catalogue, view: View, alert: Alert) -> dict[str, Any]:
    """Return the texts of an alert, in the parts in which the page shows them. `own` has only its circle and
    name, for a floorperson's signature."""
    device = {**_decks(view), "fault": view["shoe"]["fault"]}
    facts = {**_range(view, alert["wager"]), **_lying(view, alert), **_house(view), **device, **alert}
    values = text_values(texts, facts)
    for name, place in (("home", alert["home"]), ("due_at", alert["due_at"])):
        values[name] = texts.text("alert.where", text_values(texts, place)) if place else None
    values["by_hand"] = _by_hand(view, alert)
    values["plays_on"] = texts.plain("alert.plays_on") if _plays_on(view, alert) else None
    values["exchange"] = texts.plain("alert.exchange") if alert["signable"] else None
    key = f"codes.{alert['name']}"
    own = where = texts.text("alert.where", values)
    do, aside = headline(texts, f"{key}.do", values)
    plain = texts.text(f"{key}.what", values)
    if alert["first"]:
        where, do, aside = _first(texts, view, alert["first"])
        values["done_at"] = own
    what = _joined(aside, texts.text(f"{key}.what", values))
    return {
        "id": alert["id"], "text": _joined(where, what), "do": do, "where": where, "what": what,
        "own": _joined(own, plain), "citation": phrases.citation(texts, alert["citation"]),
    }  # fmt: skip


def _joined(*parts: str | None) -> str:
    return SEPARATOR.join(part for part in parts if part)


def _first(texts: Catalogue, view: View, first: First) -> tuple[str | None, str | None, str | None]:
    """Return place and act of the step that must be done before an alert can be corrected, and the chips that
    do not fit into the act's line."""
    paid = first["verb"] in ("pay", "add")
    chips = phrases.made_of(first["cents"], view["denominations"]) if paid else None
    values = text_values(texts, {**first, "amount": first["cents"], "chips": chips})
    verb = "turn_bonus" if first["verb"] == "turn" and first["seat"] is None else first["verb"]
    return texts.text("first.where", values), *headline(texts, f"first.{verb}", values)


def _plays_on(view: View, alert: Alert) -> bool:
    """Return whether an alert concerns a bonus wager of a folded hand, which stays in play."""
    seat = view["seats"][alert["seat"] - 1] if alert["seat"] else None
    folded = seat is not None and seat["folded_at"] is not None and not seat["forfeited"]
    return folded and alert["wager"] in BONUSES


def _by_hand(view: View, alert: Alert) -> str | None:
    """Return the amount that the dealer entered for an alert's unreadable circle, or None."""
    circles = view["seats"][alert["seat"] - 1]["circles"] if alert["seat"] else {}
    circle = circles.get(alert["wager"] or "")
    return dollars(circle["amount"] or 0) if circle and circle["reading"] == "entered" else None


def _front(texts: Catalogue, front: Front, words: Words) -> Words:
    """Return the texts at the front of the dealer's screen: the largest line, with the next act, and the
    lines under it. A hold comes before an alert, an alert before the prompt."""
    prompt, hold = words["parts"]["prompt"], words["hold"]
    cited = {"citation": phrases.citation(texts, front["citation"])}
    if hold is not None:
        slots = {"where": texts.plain("page.hold"), "do": hold["do"], "more": hold["blind"]}
        return {**cited, **slots, "then": hold["proposed"]}
    then = _line(words["parts"][front["then"]], ("where", "do")) if front["then"] else None
    if front["alert"] is not None:
        alert = _alert_words(words, front["alert"])
        where = alert["where"] or texts.plain("page.alert")
        return {**cited, "where": where, "do": alert["do"], "more": alert["what"], "then": then}
    if prompt is None:
        nothing = texts.plain("page.nothing_now")
        return {**cited, "where": words["phase"], "do": nothing, "more": None, "then": None}
    return {**cited, "where": prompt["where"], "do": prompt["do"], "more": prompt["more"], "then": then}


def _aside(texts: Catalogue, view: View, words: Words) -> Words:
    """Return the texts of a trouble beside the front of the screen. It may be a card that came out face up,
    which is not an alert, because it is still in the device."""
    beside = view["beside"]
    if beside["alert"] is not None:
        alert = _alert_words(words, beside["alert"])
        where = alert["where"] or texts.plain(f"page.{beside['grade']}")
        return {"where": where, "what": alert["what"], "do": alert["do"]}
    if beside["grade"] is not None:
        aside = {slot: texts.text(f"codes.card_face_up.{slot}") for slot in ("what", "do")}
        return {"where": texts.plain(f"page.{beside['grade']}"), **aside}
    if view["front"]["alert"] is not None:
        where = texts.plain("page.alert_above")
    elif beside["unfit"]:
        seats = ", ".join(map(str, beside["unfit"]))
        where = f"{texts.plain('page.seat')} {seats}: {texts.plain('page.unfit')}"
    else:
        where = texts.plain("page.no_alerts")
    return {"where": where, "what": None, "do": None}


def _alert_words(words: Words, number: int) -> Mapping[str, Any]:
    return next(alert for alert in words["alerts"] if alert["id"] == number)


def _keys(texts: Catalogue, view: View, words: Words) -> dict[str, str | None]:
    """Return for each lit key a text about its effect; for CONFIRM, the act that it confirms."""
    prompt, lit = view["prompt"], view["keys"]
    seat = prompt["seat"] if prompt else None
    keys = {
        "confirm": words["parts"]["prompt"]["confirm"] if prompt else None,
        "fold": f"{texts.plain('page.seat')} {seat}" if seat else None,
        "undo": _undo(texts, view["last"]),
    }
    called = {"floor": texts.plain("page.called") if view["floor_called"] else None}
    return {key: text if lit[key] else None for key, text in keys.items()} | called


def _waiting(texts: Catalogue, item: Waiting, words: Words) -> str:
    """Return the text of an item to be signed: an amount entered by hand, or a difference with the text of
    its alert.
    """
    if item["alert"] is not None:
        return str(_alert_words(words, item["alert"])["own"])
    return texts.text(f"signatures.{item['what']}", text_values(texts, item)) or ""


def _queued(texts: Catalogue, hold: Hold, other: Mapping[str, Any]) -> str | None:
    """Return the text of a hold that waits until the present hold is decided. A stopped shoe is named with
    its fault, as in its own hold."""
    values = text_values(texts, other)
    if other["code"] == Code.SHOE_FAULT:
        fault = {name: hold[name] for name in ("fault", "number")}
        values |= {"trouble": texts.text("codes.shoe_fault.what", text_values(texts, fault))}
    return texts.text("hold.then", values)


def _hold(texts: Catalogue, hold: Hold | None) -> dict[str, Any] | None:
    if hold is None:
        return None
    values = text_values(texts, {**hold, **(hold["stub"] or {}), **_disputed_card(hold["readings"])})
    where, what = texts.text("alert.where", values), texts.text(f"codes.{hold['code']}.what", values)
    name = title(texts.node(f"codes.{hold['code']}.what"))
    plain = name if hold["stub"] else what
    house = hold["citation"] == HOUSE_PROCEDURE
    return {
        "text": SEPARATOR.join(part for part in (where, what) if part),
        "blind": SEPARATOR.join(part for part in (where, plain) if part),
        "do": texts.plain("hold.do"),
        "where": where,
        "what": name if hold["readings"] else what,  # without the cards, which the page draws
        "proposed": _proposed(texts, hold, values),
        "then": [_queued(texts, hold, other) for other in hold["then"]],
        "keys": [_verdict(texts, hold["code"], key, values) for key in hold["decisions"]],
        "says": texts.plain(f"says.{'house' if house else hold['proposed'] or 'floor'}"),
        "citation": phrases.citation(texts, hold["citation"]),
    }


def _proposed(texts: Catalogue, hold: Hold, values: Mapping[str, object]) -> str:
    """Return the line with the proposed outcome of a hold.

    If the floor's key has its own text for this hold, the plain name of the outcome would contradict it; the
    line then names no outcome.
    """
    own = texts.node(f"verdicts.{hold['code']}.{hold['proposed']}") is not None
    return (None if own else texts.text("hold.proposed", values)) or texts.plain("hold.open")


def _disputed_card(readings: Sequence[Reading]) -> dict[str, Any]:
    """Return the face that the shoe read and the one that a person reports, as placeholders; none unless
    exactly one card is disputed."""
    if len(readings) != 1:
        return {}
    return {"read": readings[0]["read"]["face"], "said": readings[0]["said"]["face"]}


def _verdict(texts: Catalogue, code: str, key: Decision, values: Mapping[str, object]) -> str:
    """Return a text about the effect of a floorperson's key on cards and money. It is the one written for
    this trouble or, if there is none, the general one."""
    does = "refuse" if key["decision"] == "refuse" else key["outcome"]
    if key["section"] is not None:
        does, values = f"{does}_part", {**values, "section": key["section"]}
    own = f"verdicts.{code}.{does}"
    return texts.text(own if texts.node(own) is not None else f"verdicts.any.{does}", values) or ""


def _undo(texts: Catalogue, last: Undoable | None) -> str | None:
    if last is None:
        return None
    return texts.text(f"last.{last['kind']}", text_values(texts, last))
