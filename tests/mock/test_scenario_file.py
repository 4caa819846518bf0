"""A scenario file is read and checked completely; each mistake is named with file and line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.game.model.names import Circle, Phase, Place, Wager
from controller.mock.bench.device_requests import CardToken, FaultRequest
from controller.mock.scenario.file import load
from controller.mock.scenario.runner import load_all
from controller.mock.scenario.steps import Action, ClockStep, Scenario
from controller.mock.scenario.values import Amount, Fold, Multiple


def read(tmp_path: Path, text: str) -> list[Action]:
    path = tmp_path / "one.yaml"
    path.write_text(text, encoding="utf-8")
    return [step.action for scenario in load(path) for step in scenario.steps]


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(Mistakes) as caught:
        read(tmp_path, text)
    return [line.removeprefix(f"{tmp_path}/one.yaml:") for line in caught.value.lines]


def step(tmp_path: Path, text: str) -> Action:
    return read(tmp_path, f"steps:\n- {text}\n")[0]


def test_the_example_round_of_the_contract_is_read(tmp_path: Path) -> None:
    action = step(
        tmp_path,
        """round:
    cross: 2C 7D TH JS 4C
    seats:
      3: {cards: TD 9S, ante: 10, five_card_bonus: 5, across: 1x, down: 20, middle: fold}
    until: down
    stub: 32""",
    ).round
    assert action is not None
    assert action.cross[Place.MIDDLE] == CardToken("TH")
    assert action.until is Phase.DOWN
    assert action.stub == 32
    plan = action.seats[3]
    assert plan.cards == (CardToken("TD"), CardToken("9S"))
    assert plan.laid == {
        Wager.ANTE_ACROSS: Amount(1000),
        Wager.ANTE_DOWN: Amount(1000),
        Wager.FIVE_CARD_BONUS: Amount(500),
    }
    assert plan.decisions == {
        Wager.ACROSS: Multiple(Decimal(1)),
        Wager.DOWN: Amount(2000),
        Wager.MIDDLE: Fold(),
    }


def test_until_settled_waits_for_the_record(tmp_path: Path) -> None:
    for text in ("round: {until: settled, seats: {3: {}}}", "round: {seats: {3: {}}}"):
        action = step(tmp_path, text).round
        assert action is not None
        assert (action.until, action.seats[3].cards, action.seats[3].laid) == (None, (), {})
    betting = step(tmp_path, "round: {until: betting}").round
    assert betting is not None
    assert betting.until is Phase.BETTING


def test_keys_of_a_round_may_be_siblings_of_its_mapping(tmp_path: Path) -> None:
    action = step(tmp_path, "round: {seats: {3: {}}}\n  until: held\n  method: hand\n  stub: 30").round
    assert action is not None
    assert (action.until, action.method, action.stub) == ("held", "hand", 30)


@pytest.mark.parametrize(
    ("word", "on"), [("on", True), ("off", False), ("'on'", True), ("true", True), ("'off'", False)]
)
def test_on_and_off_are_words_or_booleans(tmp_path: Path, word: str, on: bool) -> None:
    assert step(tmp_path, f"dealer: {word}").dealer is on


@pytest.mark.parametrize(
    ("text", "circles", "clear"),
    [
        ("{seat: 3, across: [25, 5]}", {Wager.ACROSS: Amount(3000, (2500, 500))}, False),
        ("{seat: 3, across: [25, copy]}", {Wager.ACROSS: Amount(2500, (2500,), ("copy",))}, False),
        ("{seat: 3, all: 0}", {}, True),
        ("{seat: 3, ante_down: 0.5}", {Wager.ANTE_DOWN: Amount(50)}, False),
        ("{seat: 3, ante_down: $12.50}", {Wager.ANTE_DOWN: Amount(1250)}, False),
    ],
)
def test_chips_are_read_as_amounts_or_names(
    tmp_path: Path, text: str, circles: dict[Wager, Amount], clear: bool
) -> None:
    chips = step(tmp_path, f"chips: {text}").chips
    assert chips is not None
    assert (chips.seat, chips.circles, chips.clear) == (3, circles, clear)


def test_cards_may_be_face_up_or_unread(tmp_path: Path) -> None:
    assert step(tmp_path, "shoe: ^TD ?? 9S").shoe == (
        CardToken("TD", up=True),
        CardToken(None, read=False),
        CardToken("9S"),
    )


def test_faults_of_shoe_and_readers_are_read(tmp_path: Path) -> None:
    assert step(tmp_path, "fault: {device: shoe, kind: jam, after: 3}").fault == FaultRequest(None, "jam", 3)
    assert step(tmp_path, "fault: {device: [3, across], kind: silent}").fault == FaultRequest(
        Circle(3, Wager.ACROSS), "silent"
    )
    assert step(tmp_path, "fault: {device: readers, kind: unplug}").fault == FaultRequest("all", "unplug")


def test_clock_changes_are_read(tmp_path: Path) -> None:
    assert step(tmp_path, "clock: 3h55m").clock == ClockStep(both_ms=14_100_000)
    assert step(tmp_path, "clock: {utc: -1h}").clock == ClockStep(utc_ms=-3_600_000)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (
            "report: {community_exposed: middle}",
            {"do": "report", "what": "community_exposed", "place": "middle"},
        ),
        ("report: {wrong_count: {cross: 4}}", {"do": "report", "what": "wrong_count", "number": 4}),
        (
            "report: {wrong_count: {seat: 2, cards: 3}}",
            {"do": "report", "what": "wrong_count", "seat": 2, "number": 3},
        ),
        ("report: {drawn_in_error: true}", {"do": "report", "what": "drawn_in_error"}),
        ("enter: {seat_3_1: TH}", {"do": "enter", "place": "seat_3_1", "face": "TH"}),
        ("floor: {approve: true}", {"do": "floor", "badge": "B1", "decision": "approve"}),
        ("floor: {approve: false, badge: B2}", {"do": "floor", "badge": "B2", "decision": "refuse"}),
        (
            "floor: {outcome: go_on}",
            {"do": "floor", "badge": "B1", "decision": "outcome", "outcome": "go_on"},
        ),
        (
            "floor: {player: {seats: [2, 3]}}",
            {"do": "floor", "badge": "B1", "decision": "player", "seats": (2, 3)},
        ),
    ],
)
def test_touches_are_read(tmp_path: Path, text: str, body: dict[str, object]) -> None:
    touch = step(tmp_path, text).touch
    assert touch is not None
    assert touch.body() == body


def test_the_time_limit_of_an_expectation_may_be_inside_or_beside_it(tmp_path: Path) -> None:
    for text in ("expect: {phase: held, within: 9}", "expect: {phase: held}\n  within: 9"):
        wanted = step(tmp_path, text).expect
        assert wanted is not None
        assert (wanted.phase, wanted.within) == ("held", 9.0)


def test_an_expected_due_is_in_dollars(tmp_path: Path) -> None:
    wanted = step(tmp_path, "expect: {due: {seat: 3, amount: 30}}").expect
    assert wanted is not None
    assert wanted.differences({"due": {"seat": 3, "wager": "across", "amount": 3000}}, None) == []
    (mistake,) = wanted.differences({"due": {"seat": 3, "wager": "across", "amount": 30}}, None)
    assert mistake.startswith("due: expected {'seat': 3, 'amount': 3000}, seen ")


def test_null_expects_that_nothing_is_due(tmp_path: Path) -> None:
    wanted = step(tmp_path, "expect: {due: null}").expect
    assert wanted is not None
    assert wanted.differences({"due": None}, None) == []
    assert wanted.differences({"due": {"seat": 3}}, None) == ["due: expected None, seen {'seat': 3}"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("rund: {}", 2, "rund: unknown key; allowed: round, dealer, chips"),
        ("round: {cros: 2C}", 2, "round.cros: unknown key; allowed: cross, bonus, seats, until"),
        ("round: {cross: 2C 7D TH JS}", 2, "5 cards in the order down_far across_left"),
        ("round: {cross: 2C 7D TH JS 1C}", 2, "a rank A K Q J T 9 8 7 6 5 4 3 2, then a suit"),
        ("round:", 2, "seats is needed"),
        ("round: {seats: {3: {across: fold, down: 1x}}}", 2, "the seat has folded on across"),
        ("expect: {record: {seats: {3: {wagers: {acros: {}}}}}}", 2, "acros: unknown key; allowed: ante_acr"),
        ("expect: {record: {seats: {3: {wagers: {across: {result: lost}}}}}}", 2, "result: allowed: win, "),
        ("expect: {record: {outcom: settled}}", 2, "outcom: unknown key; allowed: type, table, "),
        ("expect: {record: {seats: {3: {payed: 10}}}}", 2, "payed: unknown key; allowed: seat, player, "),
        (
            "expect: {record: {seats: {3: {wagers: {across: {payed: 10}}}}}}",
            2,
            "payed: unknown key; allowed: amount",
        ),
        (
            "expect: {record: {seats: {3: {hands: {acros: x}}}}}",
            2,
            "acros: unknown key; allowed: across, down",
        ),
        ("expect: {record: {cross: {far: 2C}}}", 2, "far: unknown key; allowed: down_far, "),
        ("expect: {record: {void: {codes: x}}}", 2, "codes: unknown key; allowed: code, "),
        ("expect: {record: {irregularities: [{cod: x}]}}", 2, "cod: unknown key; allowed: code, "),
        ("round: {seats: {7: {}}}", 2, "a whole number from 1 to 6"),
        ("round: {until: setled}", 2, "allowed: settled, closed, opening"),
        ("round: {seats: {3: {across: 2y}}}", 2, "allowed: 1x, 2x, 3x, an amount in dollars, fold"),
        ("chips: {seat: 3, across: -5}", 2, "not below 0"),
        (
            "chips: {seat: 3, across: [5, odd]}",
            2,
            "not below 0; as a chip also unknown, withdrawn, copy, forged",
        ),
        ("round: {seats: {3: {across: [odd]}}}", 2, "as a chip also unknown, withdrawn, copy, forged"),
        ("chips: {across: 5}", 2, "chips.seat: missing; it must be given"),
        ("press: confrm", 2, "allowed: no_more_bets, confirm, fold, floor, undo"),
        ("report: {exposed: middle}", 2, "exposed: unknown key; allowed: community_exposed"),
        ("fault: {device: [3, across], kind: jam}", 2, "allowed: silent, unplug, noise, clear"),
        ("clock: tomorrow", 2, "a time such as 3h55m"),
        ("expect: {lamps: {3: {across: blue}}}", 2, "lamps.3.across: allowed: off"),
        ("expect: {}", 2, "something of phase, prompt"),
        ("cut_power: false", 2, "allowed: true"),
        ("dealer: maybe", 2, "dealer: allowed: true or false"),
        ("press: fold\n  chips: {seat: 1, all: 0}", 2, "one mapping with one main key"),
        ("press:", 2, "press: no value; give one or leave the key out"),
        ("expect: {lamps: null}", 2, "lamps: no value; give one or leave the key out"),
        ("floor: {approve: true, code: player_left}", 2, "floor.code: allowed: beside forfeit"),
        ("floor: {approve: true, badge: B 1}", 2, "floor.badge: 1 to 16 letters, digits or hyphens"),
        ("deck: {preshuffled: true}", 2, "preshuffled: a deck that is brought has a back"),
        ("floor: {approve: true, recut: true}", 2, "one decision of approve, outcome, forfeit"),
        ("report: {wrong_count: {seat: 2}}", 2, "allowed: {seat: 2, cards: 3} or {cross: 4}"),
        ("fault: {device: [3, across], kind: silent, after: 2}", 2, "after: of a shoe only"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_the_allowed_values(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    (mistake,) = mistakes(tmp_path, f"steps:\n- {text}\n")
    assert mistake.startswith(f"{line}: ")
    assert words in mistake


@pytest.mark.parametrize(
    "config",
    [
        "{rules: own}", "{journal: a}", "{people: a}", "{chips: /etc/passwd}", "{pins: {map: a}}",
        "{mock: {control: a}}", "{display: {port_file: a}}", "{display: {port: 8080}}", "{shoe: {port: a}}",
        "{readers: {ports: {}}}",
    ],
)  # fmt: skip
def test_a_scenario_may_not_set_files_or_ports_of_the_machine(tmp_path: Path, config: str) -> None:
    (mistake,) = mistakes(tmp_path, f"config: {config}\nsteps:\n- press: fold\n")
    assert mistake.startswith("1: config.") and "the mock table's own" in mistake


def test_the_mistakes_of_all_documents_are_reported_together(tmp_path: Path) -> None:
    reported = mistakes(tmp_path, "steps:\n- press: a\n- wait: -1\n---\nnam: x\nsteps: []\n")
    assert [line.split(":")[0] for line in reported] == ["2", "3", "5"]


@pytest.mark.parametrize(
    "text", ["", "{}", "- a\n", "steps: {}\n", "steps:\n- [a\n", "name: x\n", "steps: [1]\n", "\x00"]
)
def test_an_invalid_scenario_raises_mistakes_and_no_other_exception(tmp_path: Path, text: str) -> None:
    assert mistakes(tmp_path, text)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Mistakes, match="cannot be read"):
        load(tmp_path / "none.yaml")


def test_every_step_of_the_contract_is_known() -> None:
    assert set(Action.model_fields) == {
        "round", "dealer", "chips", "shoe", "press", "report", "enter", "floor", "fault", "deck", "clock",
        "cut_power", "wait", "expect", "passing", "carry", "relieve", "sign_on",
    }  # fmt: skip


def scenarios(tmp_path: Path, text: str) -> list[Scenario]:
    path = tmp_path / "one.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_a_scenario_is_played_under_each_of_its_packs(tmp_path: Path) -> None:
    text = "name: A push\nrules: [pennsylvania, maryland]\nsection: house procedure\nsteps: []\n"
    played = scenarios(tmp_path, text)
    assert [one.name for one in played] == ["A push (pennsylvania)", "A push (maryland)"]
    assert [one.rules for one in played] == ["pennsylvania", "maryland"]
    assert {one.section for one in played} == {("house procedure",)}


def test_each_pack_may_have_its_own_section(tmp_path: Path) -> None:
    played = scenarios(tmp_path, "rules:\n  pennsylvania: 674a.7(a)\n  maryland: [7.A, 7.B]\nsteps: []\n")
    assert [one.section for one in played] == [("674a.7(a)",), ("7.A", "7.B")]


def test_a_scenario_with_one_pack_has_no_pack_in_its_name(tmp_path: Path) -> None:
    assert [one.name for one in scenarios(tmp_path, "name: A push\nrules: [maryland]\nsteps: []\n")] == [
        "A push"
    ]


def test_steps_and_values_may_differ_by_pack(tmp_path: Path) -> None:
    pennsylvania, maryland, massachusetts = scenarios(
        tmp_path,
        """rules: [pennsylvania, maryland, massachusetts]
config: {under maryland: {decks: 1}}
steps:
- under maryland: [{press: confirm}, {wait: 1}]
- under pennsylvania: {press: floor}
  else: {press: undo}
- under massachusetts: []
  else: [{wait: 2}]
- expect: {phase: {under maryland: held, else: void}, no_alert: {under maryland: true}}
""",
    )
    assert (pennsylvania.config, maryland.config, massachusetts.config) == ({}, {"decks": 1}, {})
    assert [step.words for step in pennsylvania.steps] == ["press: floor", "wait: 2", "expect: {phase: void}"]
    assert [step.words for step in maryland.steps] == [
        "press: confirm",
        "wait: 1",
        "press: undo",
        "wait: 2",
        "expect: {phase: held, no_alert: true}",
    ]
    assert [step.words for step in massachusetts.steps] == ["press: undo", "expect: {phase: void}"]
    assert [step.line for step in maryland.steps] == [4, 4, 6, 8, 9]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("under maryland: {press: confirm}", 4, "under maryland: allowed: under pennsylvania, under six_c"),
        ("under pennsylvania: {press: undo}\n  otherwise: {wait: 1}", 5, "otherwise: allowed: under pen"),
        ("under pennsylvania: {press: undo}\n  under pennsylvania: {wait: 1}", 5, "stands twice"),
        ("under six_card_bonus: {press: confrm}", 4, "allowed: no_more_bets, confirm"),
        ("press: {under six_card_bonus: confirm}", 4, "one mapping with one main key"),
        ("press: {else: confirm}", 4, "allowed: no_more_bets, confirm"),
        ("press: confrm", 4, "allowed: no_more_bets, confirm"),
    ],
)
def test_a_mistake_in_a_part_for_one_pack_is_reported_once_with_its_line(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    head = "name: One\nrules: [pennsylvania, six_card_bonus]\nsteps:\n"
    (mistake,) = mistakes(tmp_path, f"{head}- {text}\n")
    assert mistake.startswith(f"{line}: ")
    assert words in mistake


@pytest.mark.parametrize("rules", ["[]", "{}", "[[]]", "", "5", "{maryland: }", "[maryland, 5]"])
def test_rules_without_a_pack_are_refused(tmp_path: Path, rules: str) -> None:
    (mistake,) = mistakes(tmp_path, f"rules: {rules}\nsteps: []\n")
    assert mistake.startswith("1: rules")


def test_a_section_with_its_pack_excludes_one_for_all_packs(tmp_path: Path) -> None:
    (mistake,) = mistakes(tmp_path, "rules: {maryland: 7.A}\nsection: 7.B\nsteps: []\n")
    assert mistake == "2: section: it stands with each rule pack"


def test_a_rule_pack_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    (mistake,) = mistakes(tmp_path, "rules: [maryland, maryland]\nsteps: []\n")
    assert mistake == "1: rules: allowed: each rule pack once"


def test_a_bet_outside_the_rules_is_refused_in_a_round(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text("rules: pennsylvania\nsteps:\n- round: {seats: {3: {ante: 10, across: 4x}}}\n")
    assert load_all([path], None, False) == (
        [],
        [f"{path}:3: round: seat 3: across: 4x; a round lays 1x to 3x under pennsylvania"],
    )


@pytest.mark.parametrize("keep_going", [False, True])
def test_with_keep_going_the_valid_documents_of_a_file_are_played(
    keep_going: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "three.yaml"
    good = "name: {name}\nsteps:\n- expect: {{phase: betting}}\n"
    refused = "name: no\nconfig: {bet_multiples: [2, 3]}\nsteps: []\n---\nname: nor\nsteps: [{dance: 1}]\n"
    path.write_text("---\n".join((good.format(name="one"), refused, good.format(name="two"))))
    given = ["--keep-going"] if keep_going else []
    assert main(["scenario", "--no-wires", *given, str(path)]) == 2
    captured = capsys.readouterr()
    assert f"{path}:6: " in captured.err and f"{path}:10: " in captured.err
    assert ("2 passed, 0 failed" in captured.out) is keep_going
