"""The words of a view: prompt, next, alerts, hold, what CONFIRM confirms and UNDO takes back.

`render` is pure: a public view in, texts out, everything in the catalogue. It never sees what the view
does not hold, so it cannot name a hidden face. Grammar of a prompt: place, wager, verb, amount, reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from controller.display import phrases
from controller.display.catalogue import SEPARATOR, Catalogue, catalogue
from controller.display.saying import attempt, bare, bare_alert, bare_front, bare_hold, bare_prompt
from controller.display.signing import sign_keys
from controller.files.money import dollars
from controller.game.model.names import ANTES
from controller.game.model.side_bets import BONUSES
from controller.game.showing.front import SETTLES
from controller.game.showing.signatures_view import Waiting
from controller.game.showing.view import (
    Alert,
    Decision,
    Front,
    Hold,
    Prompt,
    Reading,
    Undoable,
    View,
)

Words = dict[str, Any]
SLOTS = ("where", "do", "more")
MENDING = ("hand_back", "fix_wagers", "ask", "enter_amount")


def render(view: View, language: str) -> Words:
    """{"prompt": line, "next": line, "parts": {"prompt": {"where", "do", "more", "confirm"}, "next": …},
    "alerts": [{"id", "text", "do", …}], "hold": {"text", "do", …}, "phase": str,
    "front": {"where", "do", "more", "then"}, "beside": {"where", "what", "do"}, "keys": {key: what it does},
    "waiting": [str], "signs": [[key of the floor page]]}; None where there is none. Lines are for a log and a
    test, the rest for the page, which sets its parts apart in size."""
    texts = catalogue(language)
    due = {n: attempt(bare_prompt(view[n]), _prompt, texts, view, view[n]) for n in ("prompt", "next")}
    words: Words = {
        "parts": due,
        "alerts": [attempt(bare_alert(a), _alert, texts, view, a, due["prompt"]) for a in view["alerts"]],
        "hold": attempt(bare_hold(view["hold"]), _hold, texts, view["hold"]),
        "phase": texts.plain(f"phases.{view['phase']}"),
    }
    return {
        **words,
        **{name: _line(each) for name, each in due.items()},
        "front": attempt(bare_front(words), _front, texts, view["front"], words),
        "beside": attempt(bare_front(words), _aside, texts, view, words),
        "keys": attempt(dict.fromkeys(view["keys"]), _keys, texts, view, words),
        "waiting": [attempt(bare(item["what"]), _waiting, texts, item, words) for item in view["waiting"]],
        "signs": [attempt([bare(item["what"])], sign_keys, texts, item["signs"]) for item in view["waiting"]],
    }


def refusal(code: str, values: Mapping[str, Any], language: str) -> str:
    """Why a touch was not taken, in words."""
    texts = catalogue(language)
    keys = (f"refusals.{code}", f"codes.{code}.what", f"prompts.{code}.do")
    key = next((k for k in keys if texts.node(k) is not None), keys[0])
    plain = texts.plain("refusals.not_now")
    return attempt(bare(code), lambda: texts.text(key, text_values(texts, values)) or plain)


def _line(parts: Mapping[str, str | None] | None, slots: Iterable[str] = SLOTS) -> str | None:
    if parts is None:
        return None
    return SEPARATOR.join(said for slot in slots if (said := parts[slot]))


def _prompt(texts: Catalogue, view: View, prompt: Prompt | None) -> dict[str, str | None] | None:
    if prompt is None:
        return None
    values = text_values(
        texts,
        {**_limits(view, prompt), **_hands(view, prompt), **_decks(view), **_of_hold(view, prompt), **prompt},
    )
    values["cards"] = SEPARATOR.join(_beside(texts, prompt, values)) or None
    values["too"] = " ".join(_too(texts, view, prompt)) or None
    entry = f"prompts.{prompt['kind']}"
    if texts.node(entry) is None:
        return {"where": None, "do": texts.plain(entry), "more": None, "confirm": None}
    return {slot: _slot(texts, f"{entry}.{slot}", values) for slot in ("where", "do", "more", "confirm")}


def _of_hold(view: View, prompt: Prompt) -> dict[str, Any]:
    """What is held is told to the dealer too, in the same numbers and cards."""
    hold = view["hold"] if prompt["kind"] == "held" else None
    if hold is None:
        return {}
    told = {name: hold[name] for name in ("fault", "number", "serial", "stranger", "rows")}
    return {**told, **(hold["stub"] or {}), **_told(hold["readings"])}


def _decks(view: View) -> dict[str, Any]:
    """Which deck has to come, and which one plays next, where there are two."""
    deck = view["deck"]
    nth = None if deck["number"] is None else str(deck["number"])
    named = {name: deck[name] for name in ("number", "decks", "apart", "next")}
    return {"nth": nth, **named}


def _slot(texts: Catalogue, key: str, values: Mapping[str, object]) -> str | None:
    return texts.text(key, values) if texts.node(key) is not None else None


def _hands(view: View, prompt: Prompt) -> dict[str, Any]:
    """The two hands of the seat that a prompt is about, None while its cards lie face down."""
    if prompt["seat"] is None:
        return {}
    hands = view["seats"][prompt["seat"] - 1]["hands"]
    return {"across_hand": hands["across"], "down_hand": hands["down"]}


def _beside(texts: Catalogue, prompt: Prompt, values: Mapping[str, object]) -> Iterator[str]:
    """What happens to cards besides the step; what cannot be said yet is left out."""
    told = (texts.text(f"cards.{name}", values) for name in prompt["cards"] or ())
    yield from (text for text in told if text)


def _too(texts: Catalogue, view: View, prompt: Prompt) -> Iterator[str]:
    """The pushes that are confirmed with the one that is due, each with its amount."""
    for wager in prompt["too"] or ():
        circle = view["seats"][(prompt["seat"] or 0) - 1]["circles"][wager]
        said = texts.text("push_too", text_values(texts, {"wager": wager, "amount": circle["wager"]}))
        yield said or ""


def _limits(view: View, prompt: Prompt) -> dict[str, Any]:
    """The limits that go with the circle a prompt is about, and what should lie there."""
    said = {"table": view["table"], "by": view["dealer"], "should": prompt["amount"], **_mended(view, prompt)}
    return {**said, **_house(view), **_range(view, prompt["wager"])}


def _house(view: View) -> dict[str, Any]:
    """The chips that the house has: sums are told in these."""
    return {"denominations": view["denominations"]}


def _range(view: View, wager: str | None) -> dict[str, Any]:
    """What a wager may be, if that depends on nothing else on the table."""
    limits = view["limits"]
    if wager in BONUSES:
        return {"least": limits["bonus_minimum"], "most": limits["bonus_maximum"]}
    if wager is None or wager in ANTES:
        return {"least": limits["minimum_ante"], "most": limits["maximum_ante"]}
    return {}


def _mended(view: View, prompt: Prompt) -> dict[str, Any]:
    """What lies in the circle that is to be put right; nothing if the prompt is not about one."""
    if prompt["kind"] not in MENDING or prompt["seat"] is None or prompt["wager"] is None:
        return {}
    circle = view["seats"][prompt["seat"] - 1]["circles"][prompt["wager"]]
    lies, options = circle["amount"], prompt["options"] or ()
    uneven = lies if lies and options and min(options) < lies < max(options) else None
    return {"lies": lies, "uneven": uneven, **_lying(view, prompt)}


def _lying(view: View, about: Prompt | Alert) -> dict[str, Any]:
    """The chips in a circle that something is wrong with, and what lies in each of the seat's, by wager."""
    if about["seat"] is None or about["wager"] is None:
        return {}
    circles = view["seats"][about["seat"] - 1]["circles"]
    amounts = {name: circle["amount"] for name, circle in circles.items()}
    lying = circles[about["wager"]]["chips"] if about["wager"] in circles else None
    return {**amounts, "lying": lying}


def text_values(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, object]:
    """The values of a text's placeholders; None leaves out the segment."""
    said: dict[str, object] = {name: None if raw.get(name) is None else dollars(raw[name]) for name in _MONEY}
    said |= {name: raw.get(name) for name in _PLAIN}
    said |= {name: phrases.face(texts, raw[name]) if raw.get(name) else None for name in ("read", "said")}
    said |= {name: texts.plain("joins.nothing") for name in ("lies", "should") if raw.get(name) == 0}
    said["badge"] = raw.get("by")
    said |= {"leaves": said["amount"] if raw.get("amount") else None}
    said |= {name: _named(texts, kind, raw.get(name)) for name, kind in _NAMED.items()}
    said["next"] = None if raw.get("next") is None else texts.plain(f"backs.{raw['next']}").upper()
    said |= _places(texts, raw)
    said |= _cut(texts, raw)
    said |= _sums(texts, raw)
    code = raw.get("code")
    said["trouble"] = None if code is None else texts.text(f"codes.{code}.what", said)
    said["remedy"] = None if code is None else texts.text(f"codes.{code}.do", said)
    return said


_PLAIN = (
    "seat", "odds", "table", "number", "key", "minutes", "racked", "decks", "counted", "expected", "shoe",
    "serial", "stranger", "rows", "section",
)  # fmt: skip
_HANDS = ("hand", "push_hand", "across_hand", "down_hand")
_MONEY = (
    "amount", "lies", "should", "missing", "uneven", "least", "most",
    *(wager.value for wager in (*ANTES, *BONUSES)),
)  # fmt: skip
_NAMED = {
    "wager": "wagers", "step": "steps", "proposed": "outcomes", "phase": "phases", "fault": "faults",
    "back": "backs", "apart": "backs", "nth": "ordinals",
}  # fmt: skip


def _named(texts: Catalogue, kind: str, name: str | None) -> str | None:
    return None if name is None else texts.plain(f"{kind}.{name}")


def _places(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    names = raw.get("places") or ([raw["place"]] if raw.get("place") else [])
    if len(names) == 5:  # the whole cross has a name of its own
        return {"places": texts.plain("places.cross")}
    said = [phrases.place(texts, name) for name in names]
    return {"places": phrases.joined(said, texts.plain("joins.and")) or None}


def _cut(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    """The fewest cards that a cut leaves above the cover card."""
    cut = raw.get("amount") if raw.get("kind") == "cut" else None
    return {"count": None if cut is None else str(texts.node(f"card_counts.{cut}") or cut)}


def _sums(texts: Catalogue, raw: Mapping[str, Any]) -> dict[str, str | None]:
    """Hand, options, chips, and what is too much or too little, in chips if chips make it."""
    options, made = raw.get("options"), raw.get("chips")
    said: dict[str, str | None] = {
        **{name: phrases.hand(texts, raw[name]) if raw.get(name) else None for name in _HANDS},
        "options": phrases.joined([dollars(c) for c in options or ()], texts.plain("joins.or")) or None,
        "chips": phrases.chips(texts, made) if made else None,
        "over": None, "under": None,
    }  # fmt: skip
    if raw.get("lies") is not None and raw.get("should") is not None and raw["lies"] != raw["should"]:
        gap = raw["lies"] - raw["should"]
        said["over" if gap > 0 else "under"] = dollars(abs(gap))
        lying = raw.get("lying") if gap > 0 else None
        known = [cents for cents in lying or () if cents is not None]
        there = known if lying and sum(known) == raw["lies"] else None
        coins = phrases.made_of(abs(gap), raw.get("denominations", ()), there)
        said["chips"] = phrases.chips(texts, coins) if coins else None
    return said


def _alert(
    texts: Catalogue, view: View, alert: Alert, due: Mapping[str, str | None] | None
) -> dict[str, Any]:
    """`due`: the words of the prompt that stands."""
    device = {**_decks(view), "fault": view["shoe"]["fault"]}
    told = {**_range(view, alert["wager"]), **_lying(view, alert), **_house(view), **device, **alert}
    values = text_values(texts, told)
    values["home"] = texts.text("alert.where", text_values(texts, alert["home"])) if alert["home"] else None
    values["by_hand"] = _by_hand(view, alert)
    prompt = view["prompt"]
    settles = prompt is not None and prompt["kind"] in SETTLES
    values["first"] = due["do"] if due and settles else None
    key = f"codes.{alert['name']}"
    where, what = texts.text("alert.where", values), texts.text(f"{key}.what", values)
    return {
        "id": alert["id"],
        "text": SEPARATOR.join(said for said in (where, what) if said),
        "do": texts.text(f"{key}.do", values),
        "where": where,
        "what": what,
    }


def _by_hand(view: View, alert: Alert) -> str | None:
    """What a dealer entered for a circle that cannot be read."""
    circles = view["seats"][alert["seat"] - 1]["circles"] if alert["seat"] else {}
    circle = circles.get(alert["wager"] or "")
    return dollars(circle["amount"] or 0) if circle and circle["reading"] == "entered" else None


def _front(texts: Catalogue, front: Front, words: Words) -> Words:
    """What is shown in the largest type, and the line under it: what comes next, without its reason."""
    prompt, hold = words["parts"]["prompt"], words["hold"]
    if hold is not None:
        slots = {"where": texts.plain("page.hold"), "do": hold["do"], "more": hold["text"]}
        return {**slots, "then": hold["proposed"]}
    then = _line(words["parts"][front["then"]], ("where", "do")) if front["then"] else None
    if front["alert"] is not None:
        alert = _of_alert(words, front["alert"])
        where = alert["where"] or texts.plain("page.alert")
        return {"where": where, "do": alert["do"], "more": alert["what"], "then": then}
    if prompt is None:
        return {"where": words["phase"], "do": texts.plain("page.nothing_now"), "more": None, "then": None}
    return {"where": prompt["where"], "do": prompt["do"], "more": prompt["more"], "then": then}


def _aside(texts: Catalogue, view: View, words: Words) -> Words:
    """What is wrong but not in front. A card that came out face up is no alert, since it lies in the device,
    but somebody must deal with it."""
    beside = view["beside"]
    if beside["alert"] is not None:
        alert = _of_alert(words, beside["alert"])
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


def _of_alert(words: Words, number: int) -> Mapping[str, Any]:
    return next(said for said in words["alerts"] if said["id"] == number)


def _keys(texts: Catalogue, view: View, words: Words) -> dict[str, str | None]:
    """What each lit key would do: CONFIRM repeats what it confirms."""
    prompt, lit = view["prompt"], view["keys"]
    seat = prompt["seat"] if prompt else None
    said = {
        "confirm": words["parts"]["prompt"]["confirm"] if prompt else None,
        "fold": f"{texts.plain('page.seat')} {seat}" if seat else None,
        "undo": _undo(texts, view["last"]),
    }
    called = {"floor": texts.plain("page.called") if view["floor_called"] else None}
    return {key: text if lit[key] else None for key, text in said.items()} | called


def _waiting(texts: Catalogue, item: Waiting, words: Words) -> str:
    """What a floorperson signs: an amount by hand, or a difference in the words of its alert."""
    if item["alert"] is not None:
        return str(_of_alert(words, item["alert"])["text"])
    return texts.text(f"signatures.{item['what']}", text_values(texts, item)) or ""


def _hold(texts: Catalogue, hold: Hold | None) -> dict[str, Any] | None:
    if hold is None:
        return None
    values = text_values(texts, {**hold, **(hold["stub"] or {}), **_told(hold["readings"])})
    where, what = texts.text("alert.where", values), texts.text(f"codes.{hold['code']}.what", values)
    house = hold["citation"] == "house procedure"
    return {
        "text": SEPARATOR.join(said for said in (where, what) if said),
        "do": texts.plain("hold.do"),
        "where": where,
        "what": what,
        "proposed": texts.text("hold.proposed", values) or texts.plain("hold.open"),
        "then": [texts.text("hold.then", text_values(texts, other)) for other in hold["then"]],
        "keys": [_verdict(texts, hold["code"], key, values) for key in hold["decisions"]],
        "says": texts.plain(f"says.{'house' if house else hold['proposed'] or 'floor'}"),
    }


def _told(readings: Sequence[Reading]) -> dict[str, Any]:
    """What was read and what is said instead, where one card is in question and not two."""
    if len(readings) != 1:
        return {}
    return {"read": readings[0]["read"]["face"], "said": readings[0]["said"]["face"]}


def _verdict(texts: Catalogue, code: str, key: Decision, values: Mapping[str, object]) -> str:
    """What a key of the floorperson does to cards and money: of this trouble, else of any."""
    does = "refuse" if key["decision"] == "refuse" else key["outcome"]
    if key["section"] is not None:
        does, values = f"{does}_part", {**values, "section": key["section"]}
    own = f"verdicts.{code}.{does}"
    return texts.text(own if texts.node(own) is not None else f"verdicts.any.{does}", values) or ""


def _undo(texts: Catalogue, last: Undoable | None) -> str | None:
    if last is None:
        return None
    return texts.text(f"last.{last['kind']}", text_values(texts, last))
