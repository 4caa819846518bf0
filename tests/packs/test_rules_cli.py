"""The command `crisscross rules` lists, shows and checks rule packs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.rules import rules_cli as cli
from controller.rules.packs.loader import find_pack, load_pack
from controller.settings.config import load_config

KEYS = ["maryland", "massachusetts", "pennsylvania", "six_card_bonus"]


def rules(*words: str) -> int:
    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers(), lambda file: load_config(file).pack)
    options = parser.parse_args(["rules", *words])
    return int(options.run(options))


def test_list_names_the_four_packs(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules("list") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == KEYS
    assert rules("list", "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["key"] for row in rows] == KEYS
    assert all(row["digest"].startswith("sha256:") for row in rows)


@pytest.mark.parametrize("key", KEYS)
def test_show_prints_every_value_with_its_section(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert rules("show", key) == 0
    out = capsys.readouterr().out
    pack = load_pack(find_pack(key))
    for name, citation in pack.citations.items():
        named = name.split(".")[0]
        assert named in out
        assert f"[{citation}]" in out
    assert pack.digest in out


def test_show_as_json_prints_money_in_cents(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules("show", "pennsylvania", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["minimum_ante"] == 500
    assert shown["citations"]["minimum_ante"] == "house procedure"


def test_show_of_an_unknown_key_ends_with_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules("show", "nevada") == 2
    assert "allowed: maryland" in capsys.readouterr().err


def test_check_reports_whether_a_pack_keeps_to_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = find_pack("pennsylvania")
    assert rules("check", str(source)) == 0
    assert "keeps to its text" in capsys.readouterr().out
    bad = tmp_path / "bad.yaml"
    text = source.read_text(encoding="utf-8").replace(
        "  value: null\n  kind: floor", "  value: 100\n  kind: floor"
    )
    bad.write_text(text, encoding="utf-8")
    assert rules("check", str(bad)) == 1
    line = text[: text.index("  value: 100")].count("\n") + 1
    assert capsys.readouterr().err.startswith(f"{bad}:{line}: payout_limit.value: allowed: $50,000 or more")
    assert rules("check", str(tmp_path / "none.yaml")) == 2


def test_check_refuses_a_table_file_with_the_daemon_s_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.yaml"
    text = "table: T\nrules: pennsylvania\njournal: j.db\nmethod: hand\n"
    table.write_text(text, encoding="utf-8")
    assert rules("check", str(table)) == 0
    assert "pennsylvania" in capsys.readouterr().out
    table.write_text(text + "bet_multiples: [2, 3]\nforfeits: [players_conferred]\n", encoding="utf-8")
    assert rules("check", str(table)) == 1
    output = capsys.readouterr().err.splitlines()
    assert output == [
        f"{table}:5: bet_multiples: allowed: [1, 3] (58 Pa. Code § 674a.11(b), (d), (f))",
        f"{table}:6: forfeits: allowed: player_left (58 Pa. Code § 674a.7(b))",
    ]
    with pytest.raises(Mistakes) as caught:
        load_config(table)
    assert list(caught.value.lines) == output
