"""Drills are read from files, errors of the trainee are recognized, and the book and its plot show them, all
without a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.common.texts.catalogue import catalogue, explanations, languages
from controller.game.model.irregularities import Code
from controller.mock.people.error_log import NAMED_BY
from controller.mock.scenario.file import load
from controller.mock.scenario.runner import Reporter, options_of, play_one
from controller.mock.scenario.steps import RoundStep, Scenario
from controller.practice.book import Book, book_entry, default_path, named
from controller.practice.marks import AT_THE_CARDS, DrillMarks, MarkedAlert, Watcher
from controller.practice.plot import sessions, svg
from controller.practice.session import TOUCHES, in_order
from controller.practice.themes import DRILLS, Drill, drills_of, of_file, of_theme, packs_of, themes
from controller.practice.words import drill_key, drill_name, line, result, why

pytestmark = pytest.mark.slow

ENGLISH = catalogue("en")
ERROR_NAMES = ENGLISH.texts["practice"]["error_names"]
LIBRARY = [scenario for theme in themes() for scenario in load(DRILLS / f"{theme}.yaml")]


@pytest.mark.parametrize("scenario", LIBRARY, ids=lambda each: each.name)
async def test_every_drill_is_a_scenario_that_passes(scenario: Scenario) -> None:
    """The scenario passes, so each drill deals the situation that its name describes."""
    options = options_of(scenario, speed=None, wires=False)
    played = await play_one(scenario, options, lambda _words: None, Reporter(as_json=False))
    assert played.passed, played.message
    assert scenario.section


def test_every_shipped_drill_has_its_name_in_every_language() -> None:
    """The English name is that of the file, and no translated name belongs to a drill that does not exist."""
    names = {drill_key(name): name for each in LIBRARY for drill in drills_of(each) for name in [drill.name]}
    assert ENGLISH.texts["practice"]["drills"] == names
    for language in languages():
        assert set(catalogue(language).texts["practice"]["drills"]) == set(names)


def test_every_theme_has_drills_and_every_file_is_a_theme() -> None:
    assert {path.stem for path in DRILLS.glob("*.yaml")} == set(themes())
    for theme in themes():
        for rules in packs_of(theme):
            assert len(of_theme(theme, rules, None, seed=1).drills) >= 8


# ------------------------------------------------------------------ a scenario file as drills

FILE = """
name: Two rounds
steps:
- fault: {device: shoe, kind: jam, after: 6}
- round: {seats: {3: {ante: 10}}, until: held}
- fault: {device: shoe, kind: clear}
- floor: {approve: true}
- chips: {seat: 4, across: 5}
- round: {seats: {3: {ante: 10}}, until: across}
- chips: {seat: 5, ante_across: 10}
- expect: {alert: late_bet}
- chips: {seat: 5, ante_across: 0}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_steps_of_a_file_are_split_before_and_during_each_round(tmp_path: Path) -> None:
    first, second = of_file(write(tmp_path, FILE), None, None, 1).drills
    assert [[*action.model_fields_set] for action in first.before] == [["fault"]]
    assert [action.fault.kind for action in first.meanwhile if action.fault] == ["clear"]
    assert [[*action.model_fields_set] for action in second.before] == [["chips"]]
    assert {circle.key for circle in second.circles} == {"5.ante_across"}
    assert (first.troubled, second.troubled) == (True, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: None\nsteps: [{wait: 1}]\n", "own.yaml:1: no round"),
        (
            "rules: maryland\nsteps: [{round: {seats: {3: {ante: 5}}, until: nowhere}}]\n",
            "steps.0.round.until",
        ),
        (f"{FILE}---\nconfig: {{minimum_ante: 10}}\n{FILE}", "a practice is dealt at one table"),
    ],
)
def test_a_file_without_playable_drills_is_refused_with_its_line(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(Mistakes) as wrong:
        of_file(write(tmp_path, text), None, None, 1)
    assert words in "\n".join(wrong.value.lines)


def test_rounds_beyond_the_drills_are_shuffled_by_the_seed() -> None:
    drills = of_theme("pushes", "pennsylvania", None, seed=1).drills
    assert in_order(drills, 2, 1) == list(drills[:2])
    many = in_order(drills, 3 * len(drills), 1)
    assert many[: len(drills)] == list(drills)
    assert many == in_order(drills, 3 * len(drills), 1)
    assert all(many.count(drill) == 3 for drill in drills)


# ------------------------------------------------------------------ errors

DRILL = Drill(
    "A drill", ("58 Pa. Code § 674a.12(a)",), RoundStep.model_validate({"seats": {3: {"ante": 10}}})
)


def seen(phase: str, **alert: Any) -> dict[str, Any]:
    named_now = {"seat": 3, "wager": "across", "lies": None, "should": None} | alert
    return {"phase": phase, "alerts": [named_now] if alert else [], "hold": None}


def record(*entries: dict[str, Any], result: str = "push") -> dict[str, Any]:
    wagers = {"across": {"result": result}}
    whole = [{"seat": 3, "wager": "across", "citation": "§ 1", "resolved": True} | each for each in entries]
    return {"outcome": "settled", "seats": [{"seat": 3, "wagers": wagers}], "irregularities": whole}


def watched(drill: Drill = DRILL) -> Watcher:
    """Watch a drill in which a push was paid, an error that was named after 2 s of the settlement and
    corrected 1.5 s later."""
    watcher = Watcher(drill)
    watcher.see(seen("betting"), 1000)
    watcher.see(seen("settlement"), 4000)
    watcher.see(seen("settlement", code="overpaid", lies=2000, should=1000), 6000)
    watcher.see(seen("settlement"), 7500)
    watcher.see(seen("clearing"), 8000)
    return watcher


def test_a_paid_push_is_reported_with_amount_and_time() -> None:
    dealt = watched().dealt(record({"code": "overpaid"}), touches=7, chips=3)
    (error,) = dealt.errors
    assert (error.kind, error.cents, error.stood_ms) == ("push_paid", 1000, 1500)
    assert dealt.phases_ms == {"betting": 3000, "settlement": 4000}
    marked = result(dealt, ENGLISH)
    assert marked["errors"] == [
        {
            "what": "A push was paid: $10 too much",
            "where": "Seat 3 Across",
            "stood": "1.5 s",
            "section": "§ 1",
            "why": "A push pays nothing: the wager stays as it was laid.",
        }
    ]
    assert "1 error, 7.0 s" in line(1, 4, dealt)


def test_the_same_overpayment_of_a_winning_wager_is_another_error() -> None:
    (error,) = watched().dealt(record({"code": "overpaid"}, result="win"), 0, 0).errors
    assert error.kind == "over"


@pytest.mark.parametrize("code", ["late_bet", "reader_lost", "shoe_fault"])
def test_acts_of_players_and_devices_are_noted_without_an_error(code: str) -> None:
    dealt = watched().dealt(record({"code": code}), 0, 0)
    assert dealt.errors == ()
    assert [item.code for item in dealt.noticed] == [code]


def test_chips_moved_by_the_file_count_as_no_error(tmp_path: Path) -> None:
    text = "steps: [{round: {seats: {3: {ante: 5}}, until: across}}, {chips: {seat: 3, across: 5}}]\n"
    (scenario,) = load(write(tmp_path, text))
    (drill,) = drills_of(scenario)
    assert watched(drill).dealt(record({"code": "overpaid"}), 0, 0).errors == ()


def test_a_card_out_of_turn_is_an_error_unless_the_file_causes_it(tmp_path: Path) -> None:
    drawn = record({"code": "drawn_in_error", "seat": None, "wager": None, "resolved": False})
    (error,) = watched().dealt(drawn, 0, 0).errors
    assert (error.kind, error.resolved) == ("card_drawn", False)
    (scenario,) = load(write(tmp_path, "steps: [{shoe: ^TD}, {round: {seats: {3: {ante: 5}}}}]\n"))
    (drill,) = drills_of(scenario)
    assert watched(drill).dealt(drawn, 0, 0).errors == ()


def test_every_mispay_and_every_error_has_a_name() -> None:
    from controller.mock.people.error_log import kind_named

    mispays = [code for code in Code if code.kind.mispay]
    assert mispays
    assert {kind_named(code, result) for code in mispays for result in ("push", "win")} <= set(ERROR_NAMES)
    assert set(AT_THE_CARDS.values()) <= set(ERROR_NAMES)
    assert {kind_named(names[0][0], "win") for names in NAMED_BY.values()} <= {*ERROR_NAMES, None}


def test_a_floorperson_s_decision_does_not_count_as_a_dealer_s_touch() -> None:
    assert "KeyPressed" in TOUCHES
    assert "FloorDecided" not in TOUCHES


# ------------------------------------------------------------------ the book


def dealt(errors: int = 1, seconds: int = 60) -> DrillMarks:
    error = MarkedAlert("push_paid", "overpaid", 3, "across", 1000, 1500, "§ 1", resolved=True)
    return DrillMarks("A drill", ("§ 1",), "settled", (error,) * errors, {"betting": seconds * 1000}, 12, 9)


def filled(path: Path, *drills: tuple[str, DrillMarks]) -> Book:
    book = Book(path)
    for session, each in drills:
        book.add(book_entry(each, session, session, "Ana", "pushes", "pennsylvania"))
    return book


def test_the_book_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ana.jsonl"
    written = filled(path, ("2026-11-22T14:00:00Z", dealt()), ("2026-11-23T14:00:00Z", dealt(0)))
    assert Book(path).entries == written.entries
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert first["type"] == "drill"
    assert first["noticed"][0]["cents"] == 1000
    assert all(type(value) is int for value in first["phases_ms"].values())


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ("no json", "ana.jsonl:2: line: Invalid JSON"),
        ('{"type": "round"}', "ana.jsonl:2: type: Input should be 'drill'"),
        ("[]", "ana.jsonl:2: line: "),
    ],
)
def test_an_invalid_line_of_a_book_is_reported_and_the_book_is_unchanged(
    tmp_path: Path, spoilt: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ana.jsonl"
    filled(path, ("2026-11-22T14:00:00Z", dealt()))
    with path.open("a", encoding="utf-8") as file:
        file.write(spoilt + "\n")
    before = path.read_bytes()
    assert main(["practice", "--book", str(path)]) == 2
    output = capsys.readouterr().err
    assert words in output
    assert output.count("\n") == 1
    assert path.read_bytes() == before


def test_the_default_path_of_a_book_follows_xdg_data_home() -> None:
    assert default_path("Ana", {"XDG_DATA_HOME": "/data"}) == Path("/data/crisscross/practice/Ana.jsonl")
    at_home = Path("/home/ana/.local/share/crisscross/practice/Ana.jsonl")
    assert default_path("Ana", {"HOME": "/home/ana"}) == at_home
    assert default_path("Ana", {"HOME": "/home/ana", "XDG_DATA_HOME": "relative"}) == at_home


@pytest.mark.parametrize("name", ["", "  ", "../ana", "a/b", "-h", "x" * 41, "a\nb\0"])
def test_a_name_that_cannot_be_a_file_name_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["practice", f"--trainee={name}"])
    assert ended.value.code == 2
    assert "allowed: 1 to 40 letters" in capsys.readouterr().err


def test_a_name_may_have_letters_of_any_language() -> None:
    assert named("  José  María-2 ") == "José María-2"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--theme", "jokers"], "--theme jokers: allowed: pushes, bonuses, limits, irregularities"),
        (
            ["--theme", "limits", "--rules", "maryland"],
            "--rules maryland: allowed: massachusetts, pennsylvania",
        ),
        (["--theme", "limits", "--scenario", "x.yaml"], "allowed: one of them"),
        (["--scenario", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_invalid_options_of_a_practice_are_reported_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", *arguments]) == 2
    output = capsys.readouterr().err
    assert words in output
    assert output.count("\n") == 1


def test_the_list_names_every_theme(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["practice", "--list"]) == 0
    output = capsys.readouterr().out
    assert all(theme in output for theme in themes())


# ------------------------------------------------------------------ the plot


def test_the_plot_has_a_column_a_point_and_the_numbers_of_each_session(tmp_path: Path) -> None:
    book = filled(
        tmp_path / "ana.jsonl",
        ("2026-11-20T10:00:00Z", dealt(3, 90)), ("2026-11-20T10:00:00Z", dealt(1, 70)),
        ("2026-11-21T10:00:00Z", dealt(0, 50)),
    )  # fmt: skip
    drawn = svg(sessions(book.entries), ENGLISH)
    nodes = [node.tag.rpartition("}")[2] for node in ET.fromstring(drawn).iter()]  # noqa: S314  # our own
    assert (nodes.count("rect"), nodes.count("circle")) == (2, 2)
    assert "2026-11-20: 2 drills, 2.0 errors a drill, 80 s a drill" in drawn
    assert "2026-11-21: 1 drill, 0.0" in drawn
    assert "style" not in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_the_plot_has_only_the_newest_sessions_and_is_absent_without_any(tmp_path: Path) -> None:
    assert svg([], ENGLISH) == ""
    many = [(f"2026-10-{day:02}T10:00:00Z", dealt()) for day in range(1, 31)]
    found = sessions(filled(tmp_path / "ana.jsonl", *many).entries)
    assert [each.when[8:10] for each in found] == [f"{day:02}" for day in range(11, 31)]


@pytest.mark.parametrize("language", languages())
def test_every_error_of_a_trainee_has_an_explanation(language: str) -> None:
    assert set(explanations(language).texts["errors"]) == set(ERROR_NAMES)


@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_every_error_and_every_alert_is_translated(language: str) -> None:
    own = catalogue(language)
    kinds = [(kind, "overpaid") for kind in ERROR_NAMES] + [(None, str(code)) for code in Code]
    for kind, code in kinds:
        item = MarkedAlert(kind, code, 3, "ante_across", -500, 1500, "house procedure", False)
        marks = DrillMarks("A drill", (), "settled", (item,), {"betting": 60_000}, 12, 9)
        translated, english = result(marks, own), result(marks, ENGLISH)
        (shown, meant) = ((each["errors"] or each["noticed"])[0] for each in (translated, english))
        assert [name for name in meant if shown[name] == meant[name] or "‹" in shown[name]] == [], (
            kind,
            code,
        )
        assert translated["phases"] != english["phases"]


def test_a_drill_of_a_user_s_file_keeps_its_name() -> None:
    assert drill_name("My own drill", catalogue("es")) == "My own drill"
    assert drill_name("Antes that are not equal", catalogue("es")) == "Los dos ante no son iguales"


def test_an_error_is_explained_with_its_section() -> None:
    item = MarkedAlert("push_paid", "overpaid", 3, "across", 1000, 1500, "58 Pa. Code § 674a.12(a)", True)
    assert why(item, ENGLISH).startswith("A push pays nothing")
    assert "pushes on a pair of 6s to 10s" in why(item, ENGLISH)


def test_a_floor_call_is_an_error_only_in_an_exam() -> None:
    for exam in (False, True):
        watcher = Watcher(DRILL, exam=exam)
        watcher.see({**seen("settlement"), "floor_called": True}, 1000)
        kinds = [item.kind for item in watcher.dealt(record(), 0, 0).errors]
        assert kinds == (["helped"] if exam else [])
