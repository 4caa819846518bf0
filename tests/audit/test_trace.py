"""Every section of the rule texts has a valid row in the traceability table, and an invalid row is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.rules.packs.cited import cites_section
from controller.rules.packs.demonstrated import SOURCE_PHASES, Occurrence, Source, demonstrated_occurrences
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from controller.rules.packs.trace import (
    SectionRow,
    Trace,
    TracedScenario,
    load_scenarios,
    load_trace,
    markdown,
    trace_file,
    trace_gaps,
)
from tests.audit.opened import opened

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parents[1] / "scenarios"
TWO = Trace(
    "maryland", "Md. ", (SectionRow("1.A", "one"), SectionRow("1.B", "two", outside="printed on the felt"))
)


@pytest.fixture(scope="module")
def scenarios() -> list[TracedScenario]:
    return load_scenarios(LIBRARY)


@pytest.mark.parametrize("key", pack_files())
def test_every_section_of_the_text_is_shown(key: str, scenarios: list[TracedScenario]) -> None:
    assert trace_gaps(load_trace(trace_file(key)), scenarios, load_pack(find_pack(key))) == []


@pytest.mark.parametrize("key", pack_files())
def test_a_prompt_named_by_a_row_occurs_and_cites_the_section(key: str) -> None:
    """A row names a prompt, so this prompt must occur in play and cite the section of the row."""
    trace = load_trace(trace_file(key))
    found = opened(key)
    claims = [(row.section, kind) for row in trace.rows for kind in row.prompts]
    unproven = [
        (section, kind)
        for section, kind in claims
        if not any(
            kind == shown and cites_section(trace.prefix, cited, section) and line
            for shown, cited, line in found
        )
    ]
    assert claims and unproven == []


def test_a_value_of_another_section_does_not_count_for_this_one() -> None:
    pack = load_pack(find_pack("maryland"))
    rows = (
        SectionRow("11.J", "racked", values=("rack_cards",)),
        SectionRow("7.C", "closed", values=("rack_cards",)),
    )
    gaps = trace_gaps(Trace("maryland", "Md. Standard Rules Criss Cross Poker ", rows), [], pack)
    assert gaps == [
        (
            "Md. Standard Rules Criss Cross Poker 7.C: rack_cards comes from "
            "Md. Standard Rules Criss Cross Poker 11.J"
        )
    ]


@pytest.mark.parametrize("key", pack_files())
def test_a_row_has_the_irregularities_whose_ruling_cites_it(key: str) -> None:
    """If the pack's ruling on an irregularity of `SOURCE_PHASES` cites an irregularity section, the row of
    this section must name the irregularity."""
    trace, pack = load_trace(trace_file(key)), load_pack(find_pack(key))
    rows = {code: row.section for row in trace.rows for code in row.codes}
    for code in SOURCE_PHASES.keys() & pack.rulings.keys():
        cited = pack.rulings[code].citation
        named = any(cites_section(trace.prefix, cited, row.section) for row in trace.rows if row.codes)
        assert (code in rows) is named, (code, cited)
        assert not named or cites_section(trace.prefix, cited, rows[code])


def test_a_source_without_a_scenario_is_named() -> None:
    """The dealer can report the fault too, but in the only scenario the device reports it."""
    trace = Trace("maryland", "Md. ", (SectionRow("1.A", "one", codes=(Code.SHUFFLER_FAULT,)),))
    document = {"steps": [{"fault": {"device": "shoe", "kind": "shuffle"}}, {"expect": {"alert": "x"}}]}
    found = demonstrated_occurrences(document, "maryland")
    assert found == (Occurrence(Code.SHUFFLER_FAULT, Source.DEVICE, Phase.BETTING),)
    shown = [TracedScenario("a.yaml", "a", "maryland", ("Md. 1.A",), found)]
    assert trace_gaps(trace, shown) == ["Md. 1.A: shuffler_fault: no scenario demonstrates its source report"]
    assert "`shuffler_fault` by device: betting 1; by a game test alone: closed" in markdown(trace, shown)


COUNTED: dict[str, object] = {"report": {"wrong_count": {}}}


@pytest.mark.parametrize(
    ("steps", "phase"),
    [
        ([{"round": {"until": "down"}}, COUNTED, {"expect": {}}], Phase.DOWN),
        ([{"expect": {"phase": "middle"}}, COUNTED, {"expect": {}}], Phase.MIDDLE),
        ([{"round": {"until": "down"}}, {"press": "fold"}, COUNTED, {"expect": {}}], None),
        ([{"round": {"until": "down"}}, COUNTED], None),
        ([{"round": {"until": {"under maryland": "down"}}}, COUNTED, {"expect": {}}], Phase.DOWN),
    ],
)
def test_a_report_counts_where_the_steps_fix_its_phase_and_an_expectation_follows(
    steps: list[dict[str, object]], phase: Phase | None
) -> None:
    wanted = () if phase is None else (Occurrence(Code.WRONG_COUNT, Source.REPORT, phase),)
    assert demonstrated_occurrences({"steps": steps}, "maryland") == wanted


def test_sections_that_are_only_touched_are_counted_separately() -> None:
    trace = Trace("maryland", "Md. ", (*TWO.rows, SectionRow("1.C", "three", touched="seen from afar")))
    shown = [TracedScenario("a.yaml", "a", "maryland", ("Md. 1.A",))]
    assert trace_gaps(trace, shown) == []
    table = markdown(trace, shown)
    assert "| Md. 1.C | three | touches only: seen from afar |" in table
    assert "3 sections: 1 shown, 1 only touched, 1 outside." in table


@pytest.mark.parametrize("key", pack_files())
def test_every_section_is_in_the_printed_table_once(key: str, scenarios: list[TracedScenario]) -> None:
    trace = load_trace(trace_file(key))
    table = markdown(trace, scenarios)
    assert all(table.count(f"| {trace.cite(row)} |") == 1 for row in trace.rows)
    assert "NOTHING" not in table


@pytest.mark.parametrize("key", pack_files())
def test_the_rows_begin_as_the_citations_of_the_pack(key: str) -> None:
    """Prompts and rows must write the title of a text in the same form, so that they can be compared."""
    trace = load_trace(trace_file(key))
    cited = {c for c in load_pack(find_pack(key)).citations.values() if c != "house procedure"}
    assert {citation for citation in cited if not citation.startswith(trace.prefix)} == set()


def test_a_section_without_evidence_is_named() -> None:
    assert trace_gaps(TWO, []) == ["Md. 1.A: nothing shows it (one)"]
    assert trace_gaps(TWO, [TracedScenario("a.yaml", "a", "maryland", ("Md. 1.A",))]) == []


def test_a_scenario_of_another_pack_does_not_count() -> None:
    assert trace_gaps(TWO, [TracedScenario("a.yaml", "a", "pennsylvania", ("Md. 1.A",))]) != []


def test_a_scenario_must_name_an_existing_section() -> None:
    gaps = trace_gaps(
        TWO,
        [
            TracedScenario("a.yaml", "a", "maryland", ("Md. 1.A", "Md. 9.Z")),
            TracedScenario("b", "b", "maryland", ()),
        ],
    )
    assert gaps == ["a.yaml: a: Md. 9.Z is no section of maryland", "b: b: names no section"]


def test_a_prompt_or_a_value_that_does_not_exist_is_named() -> None:
    trace = Trace(
        "maryland", "Md. ", (SectionRow("1.A", "one", prompts=("ask", "sing"), values=("bonuses", "luck")),)
    )
    first, second = trace_gaps(trace, [])
    assert first.startswith("Md. 1.A: no prompt sing; the display has ")
    assert second == "Md. 1.A: a rule pack has no luck"


def test_a_row_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("rules: x\nprefix: ''\nsections:\n  '1': {about: a, why: b}\n", encoding="utf-8")
    with pytest.raises(Mistakes, match=r"1\.why: allowed: about, prompt, pack, codes, touched, outside"):
        load_trace(file)


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "trace", "maryland", "--scenarios", str(LIBRARY)]) == 0
    assert "| Md. Standard Rules Criss Cross Poker 11.I(3)(b) |" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["nevada", "--scenarios", str(LIBRARY)], ["maryland", "--scenarios", "/nowhere"]]
)
def test_the_command_names_missing_evidence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "trace", *arguments]) == 2
    assert "allowed: " in capsys.readouterr().err
