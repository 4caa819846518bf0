"""The catalogue is complete in every language, and dealers read exactly its sentences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from controller.common.files.money import dollars
from controller.common.texts.catalogue import (
    catalogue,
    differences,
    languages,
    languages_in,
    leaves,
    placeholders,
)
from controller.game.model.irregularities import FLOOR_CHOICES, REPORTS
from controller.game.model.names import Method, Phase, Place, Wager
from controller.game.model.side_bets import BONUSES
from controller.game.showing.lamps import LANGUAGE
from controller.mock.felt_page.page import PAGE_LABELS
from controller.pages.display import phrases
from controller.pages.display.floor_words import floor_words
from controller.pages.display.manual_pages import MANUALS
from controller.pages.display.manual_pages import file as manual_file
from controller.pages.display.touches import FLOOR_DECISIONS
from controller.pages.display.words import refusal_text, render
from controller.record.timeline.entries import Kind
from controller.table.display_source.figures import EVENT_NAMES as KINDS_SHOWN
from tests.display import views

KINDS = sorted(views.prompts())


def render_view(shown: views.View, language: str) -> dict[str, Any]:
    return render(views.whole(shown), language)


def prompt_text(kind: str, language: str = "en", **parts: object) -> str:
    shown = views.view(prompt=views.prompt(kind, **parts))
    line = render_view(shown, language)["prompt"]
    assert line is not None
    return str(line)


def test_the_languages_have_the_same_keys_and_placeholders() -> None:
    first = catalogue("en")
    for language in languages():
        assert differences(first, catalogue(language)) == []


def test_a_language_needs_only_a_file_in_the_folder(tmp_path: Path) -> None:
    for name in ("fr.yaml", "en.yaml", "de.yaml", "README.md"):
        (tmp_path / name).touch()
    assert languages_in(tmp_path) == ("en", "de", "fr")


NAMES = (
    ("wagers", Wager), ("rows", BONUSES), ("places", Place), ("phases", Phase), ("methods", Method),
    ("told", [kind for kind in Kind if kind not in ("record", "correction", "checkpoint")]),
)  # fmt: skip
"""Names by the heading of their texts. Three events of the uplink have no entry in a timeline."""


def test_every_name_of_the_core_has_a_text() -> None:
    texts = catalogue("en")
    for kind, names in NAMES:
        for name in names:
            assert texts.node(f"{kind}.{name}") is not None, f"{kind}.{name}"
    assert {"take", "push", "pay"} <= set(LANGUAGE)


def test_every_placeholder_is_one_that_can_be_filled() -> None:
    offered = {
        "amount", "lies", "should", "least", "most", "seat", "odds", "table", "number", "key", "badge",
        "leaves", "wager", "step", "proposed", "phase", "back", "places", "hand", "options", "chips", "over",
        "under", "trouble", "remedy", "card", "rank", "ante_across", "ante_down", "minutes",
        "five_card_bonus", "missing", "uneven", "push_hand", "home", "due_at", "done_at", "first", "by_hand",
        "cards", "racked", "plays_on", "exchange",
        "across_hand", "down_hand", "count", "all", "sum", "each", "pushes", "pushes_apart",
        "chips_aside", "swap_out", "swap_in",
        "nth", "decks", "apart", "next", "fault", "read", "said", "counted", "expected", "shoe",
        "serial", "stranger", "rows", "section", "then",
    }  # fmt: skip
    afterwards = {
        "after", "citation", "corrected", "counted", "decision", "expected", "fault", "kept", "laid", "moved",
        "net", "of",
        "outcome", "payout", "player", "read", "reason", "report", "shoe", "since", "stood", "strange",
        "undone", "until", "was", "what", "who", "why", "zone", "given", "choices",
    }  # fmt: skip
    by_the_page = {"age", "count", "name", "of", "seat", "since", "span", "stream", "why", "win", "zone"}
    by_the_page |= {
        "at",
        "days",
        "kept",
        "number",
        "previous",
        "reason",
        "role",
        "rounds",
        "seconds",
        "table",
    }
    by_the_page |= {"parts", "who"}
    at_the_felt = {
        "amount", "back", "broken", "chips", "circle", "count", "day", "device", "does", "drills", "error",
        "errors", "fault", "faults", "field", "file", "first", "lamp", "last", "number", "of", "phase",
        "round", "seat", "seconds", "sessions", "stood", "sum", "title", "trainee", "values", "wager",
        "which", "why",
    }  # fmt: skip
    of_evidence = {
        "antes", "bound", "budget", "choice", "cost", "count", "critical", "dealer", "dealers", "deed",
        "first", "highest", "hypothesis", "kind", "knew", "last", "one_of", "parts", "places", "rounds",
        "seat", "seats", "seconds", "shown", "sittings", "table", "things", "way", "weight", "why",
    }  # fmt: skip
    for key, choice in leaves(catalogue("en").texts):
        if key.startswith("pit.notify."):
            assert all(placeholders(text) <= {"table", "pit", "seat"} for text in choice), key
            continue
        if key.startswith(("devices.", "figures.", "pit.")):
            assert all(placeholders(text) <= by_the_page for text in choice), key
            continue
        if key.startswith("evidence."):
            assert all(placeholders(text) <= of_evidence for text in choice), key
            continue
        if key.startswith(("felt.", "practice.")):
            assert all(placeholders(text) <= at_the_felt for text in choice), key
            continue
        is_of_the_past = key.startswith(("told.", "kept.", "rounds_page."))
        if key.startswith("signing."):
            assert all(placeholders(text) <= {"amount", "counts", "rest"} for text in choice), key
            continue
        for text in choice:
            assert placeholders(text) <= (offered | afterwards if is_of_the_past else offered), key


def named_in_the_core(what: str) -> set[str]:
    """Return the codes that the core gives its refusals or prompts, read from its source."""
    sources = (Path(__file__).parents[2] / "controller" / "game").rglob("*.py")
    found = [re.findall(rf'{what}\(\s*"([a-z_]+)"', source.read_text(encoding="utf-8")) for source in sources]
    return {code for codes in found for code in codes}


def test_every_refusal_of_the_core_has_a_text() -> None:
    codes = named_in_the_core("Refusal")
    assert "not_now" in codes
    assert [code for code in sorted(codes) if "‹" in refusal_text(code, {}, "en")] == []


def test_every_prompt_of_the_core_has_a_text() -> None:
    kinds = named_in_the_core("Prompt")
    assert "turn_seat" in kinds
    texts = catalogue("en")
    assert [kind for kind in sorted(kinds) if texts.node(f"prompts.{kind}.do") is None] == []


def test_a_refusal_names_its_limits() -> None:
    text = refusal_text("bet_out_of_range", {"least": 500, "most": 10000}, "en")
    assert text == "Not permitted there. $5 to $100."
    assert refusal_text("bet_out_of_range", {}, "en") == "Not permitted there."
    assert refusal_text("late_bet", {}, "en") == "Late bet"


def test_every_step_of_every_rule_pack_has_a_text() -> None:
    texts = catalogue("en")
    for file in (Path(__file__).parents[2] / "config" / "rules").glob("*.yaml"):
        pack = yaml.safe_load(file.read_text(encoding="utf-8"))
        found = [node["value"] for node in _dicts(pack) if isinstance(node.get("value"), list)]
        steps = {step for steps in found for step in steps if step in ("inspect", "verify", "wash", "stack")}
        for step in steps:
            assert texts.node(f"steps.{step}") is not None, f"{file}: {step}"


def _dicts(node: object) -> list[dict[str, object]]:
    if isinstance(node, dict):
        return [node, *(found for below in node.values() for found in _dicts(below))]
    if isinstance(node, list):
        return [found for below in node for found in _dicts(below)]
    return []


def test_floor_events_have_a_text() -> None:
    event = {"utc": "2026-11-20T20:31:07.123Z", "kind": "card_turned", "place": "middle", "face": "TH"}
    words = floor_words({"events": [event], "figures": {}}, "en")
    assert words["events"][0]["text"] == "turned · middle card"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"kind": "key_pressed", "key": "no_more_bets"}, "NO MORE BETS pressed"),
        ({"kind": "reported", "code": "stub_count"}, "reported · Stub counted"),
        ({"kind": "reported", "code": "cards_touched", "seat": 3}, "reported · Cards touched · Seat 3"),
        (
            {"kind": "reported", "code": "hole_exposed", "seat": 3, "place": "seat_3_1"},
            "reported · Player's card exposed · seat 3, card 1",
        ),
        (
            {"kind": "cards_swapped", "places": ["seat_3_1", "middle"]},
            "cards changed places · seat 3, card 1 and middle card",
        ),
        (
            {"kind": "floor_decided", "code": "forfeit", "by": "B1", "seat": 3},
            "floor decided · B1 · wagers of the seat taken · Seat 3",
        ),
        ({"kind": "floor_decided", "code": "void", "by": "B1"}, "floor decided · B1 · void"),
        ({"kind": "dealer_signed_on", "by": "D7"}, "dealer D7 signed on"),
        ({"kind": "chips_read", "seat": 3, "wager": "across", "amount": 3000}, "Seat 3 · Across · $30"),
        ({"kind": "trouble", "code": "clock_fault"}, "controller · Table clock is wrong"),
    ],
)
def test_texts_of_events_contain_their_names(event: dict[str, object], text: str) -> None:
    assert floor_words({"events": [event], "figures": {}}, "en")["events"][0]["text"] == text


@pytest.mark.parametrize("language", languages())
def test_every_possible_event_decision_and_report_has_a_text(language: str) -> None:
    texts = catalogue(language)
    for kind in KINDS_SHOWN.values():
        assert texts.node(f"events.{kind}") is not None, kind
    for decision in (*FLOOR_DECISIONS, *FLOOR_CHOICES):
        if decision != "outcome":  # its outcome selects the text of that code
            assert texts.node(f"decisions.{decision}") is not None, decision
    for what in REPORTS:
        assert texts.node(f"reports.{what}") is not None, what


def test_a_missing_text_is_shown_as_its_key() -> None:
    assert prompt_text("never_heard_of") == "‹never_heard_of›"


@pytest.mark.parametrize(
    ("name", "spanish"),
    [("pair of 10s", "pareja de dieces"), ("full house", "full"), ("ace high", "carta alta: as"),
     ("two pair", "doble pareja"), ("pair of jacks", "pareja de jotas"), ("jack high", "carta alta: jota")],
)  # fmt: skip
def test_hands_are_named_in_another_language(name: str, spanish: str) -> None:
    assert phrases.hand(catalogue("en"), views.HANDS[name]) == name
    assert phrases.hand(catalogue("es"), views.HANDS[name]) == spanish


HOUSE = (100_000, 50_000, 10_000, 2_500, 500, 100)


@given(st.integers(0, 10**9))
def test_amounts_are_read_back_unchanged(cents: int) -> None:
    text = dollars(cents)
    whole, _, rest = text.removeprefix("$").replace(",", "").partition(".")
    assert int(whole) * 100 + int(rest or 0) == cents


@given(st.integers(0, 5000).map(lambda dollars: dollars * 100))
def test_named_chips_add_up_to_the_amount(cents: int) -> None:
    made = phrases.made_of(cents, HOUSE)
    assert made is not None and sum(made) == cents
    assert made == sorted(made, reverse=True)


def test_a_house_without_25s_gets_no_25s() -> None:
    assert phrases.made_of(5000, (10_000, 2_000, 500, 100)) == [2000, 2000, 500, 500]


def test_half_a_dollar_is_not_named_in_chips() -> None:
    assert phrases.made_of(750, HOUSE) is None


def test_the_pages_ask_for_no_text_that_is_not_there_and_leave_none_unused() -> None:
    """Missing texts are reported by tsc, from page.d.ts."""
    display = Path(__file__).parents[2] / "controller" / "pages" / "display"
    files = [*(file for file in (display / "static").iterdir() if file.is_file()), display / "words.py"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    declared = (Path(__file__).parent / "page" / "page.d.ts").read_text(encoding="utf-8")
    page = set(catalogue("en").texts["page"])
    assert set(re.findall(r'\| "([a-z_]+)"', declared.partition("type PlainText =")[2])) == page
    named = set(re.findall(r"(?:texts|page)\.([a-z_]+)", source)) | set(re.findall(r'"([a-z_]+)"', source))
    named |= set(re.findall(r"\$([a-z_]+)", source))
    built = {name for name in page if name.startswith("key_")}
    assert page - named - built == set()


def test_the_felt_asks_for_texts_of_the_catalogue_alone_and_leaves_none_unused() -> None:
    """Missing texts are reported by tsc, from felt.d.ts. The scripts of the page contain no sentence of their
    own."""
    folder = Path(__file__).parents[2] / "controller" / "mock" / "felt_page"
    scripts = [file.read_text(encoding="utf-8") for file in sorted((folder / "static").glob("*.js"))]
    declared = (Path(__file__).parent / "page" / "felt.d.ts").read_text(encoding="utf-8")
    words, _, practice = declared.partition("type Words =")[2].partition("type Practice =")
    felt = catalogue("en").texts["felt"]
    named = set(re.findall(r'"([a-z_]+)"', words.partition("strays:")[0]))
    named |= {"strays", "exit", "hands", "fault_kinds", *PAGE_LABELS}
    assert named == set(felt) - {"said"}
    source = "".join((*scripts, *(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))))
    assert [name for name in felt if not re.search(rf'[."]{name}\b', source)] == []
    for name in re.findall(r'"([a-z_]+)"', practice.partition("interface")[0]):
        assert name in catalogue("en").texts["practice"] or name in ("one", "many", *COLUMNS), name
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(scripts), flags=re.DOTALL)
    literals = re.findall(r'"[^"\n]*"|`[^`\n]*`', code)
    plain = [re.sub(r"\$\{.*?\}", "", literal) for literal in literals]
    assert [text for text in plain if re.search(r"[A-Za-z]{2,} [a-z]{3,}", text)] == []


COLUMNS = ("where", "what", "stood", "section", "why")
BANNED = {
    "en": r"lies,|lies there|nothing lies|\b[Ss]trike|\b[Mm]end\b|belongs(?! to)|until then|[Ss]tub is out"
    r"|[Bb]y hand|[Dd]eck brought|[Pp]atron|may not decide|^Taken\.$|\b(he|his|him|she|her)\b"
    r"|\bas told\b|does not tell",
    "es": r"RETIRAR|[Rr]etira|\b[Aa]ntes\b|ANTES|\bVUELVA|\b[Vv]uelt[ao]|[Bb]araja traída|[Cc]liente"
    r"|\b([Ee]l|[Dd]el|[Aa]l|[Uu]n|AL|EL) (supervisor|crupier|SUPERVISOR|CRUPIER)|se les dijo"
    r"|\b[Ll]uces\b|\b[Pp]año|[Ff]ieltro",
}
"""Words that a dealer would not use aloud. In Spanish a verb is one act, an ante is not "before", and lamp
and felt have one word each: lámpara, tapete."""


@pytest.mark.parametrize("language", languages())
def test_every_text_uses_the_words_of_dealers(language: str) -> None:
    entries = [(key, text) for key, choice in leaves(catalogue(language).texts) for text in choice]
    found = [
        f"{key}: {text}" for key, text in entries if re.search(BANNED.get(language, "(?!)"), _plain(text))
    ]
    assert found == []


def test_the_manuals_have_the_words_of_the_screens_for_lamp_and_felt() -> None:
    for name in MANUALS:
        text = manual_file(name, "es").read_text(encoding="utf-8")
        assert re.findall(r"\b[Ll]uces\b|\b[Pp]año|[Ff]ieltro", text) == [], name


def _plain(text: str) -> str:
    """Return the text without its placeholders."""
    return re.sub(r"\{\w+\}", "", text)


def test_house_procedure_is_named_in_the_reader_s_language() -> None:
    house = "house procedure"
    shown = views.view(alerts=[views.alert("reader_lost", citation=house)], hold=views.hold(citation=house))
    words = render_view(shown, "es")
    cited = {words["alerts"][0]["citation"], words["hold"]["citation"], words["front"]["citation"]}
    assert cited == {"Procedimiento de la casa"}
    assert phrases.citation(catalogue("es"), "MGC § 12(d)") == "MGC § 12(d)"
