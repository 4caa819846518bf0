"""Each recipe of CONTRIBUTING.md names every file that its addition needs.

In a copy of the tree, a side bet, a rule pack that offers it, an irregularity, an uplink event, a kind of
reader and a language are added as the page says. Then the checks run that a forgotten place would fail.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.house import PROGRAM, ROOT
from tests.trials.counts.checkout import Checkout

pytestmark = [pytest.mark.serial, pytest.mark.complete]

BET, CODE, EVENT, READER, PACK, LANGUAGE = (
    "second_bonus", "chips_thrown", "seat_told", "vicinity", "neighbour", "xx",
)  # fmt: skip
TEXTS = "controller/common/texts"
CATALOGUES = (
    "tests/display/test_words.py", "tests/display/test_prompt_sentences.py", "tests/display/test_help.py",
    "tests/game/test_one_name.py",
    "tests/uplink/test_wire.py", "tests/systemd/test_waiting.py", "tests/drivers/chips/test_kinds.py",
)  # fmt: skip
WIN = f"""
from controller.game.model.names import Wager
from controller.rules.odds.expected import PackFigures, expected_of_round, expected_when_laid
from controller.rules.odds.pack import odds_of
from controller.rules.odds.side_bets import hands_of
from controller.rules.packs.loader import find_pack, load_pack
from dataclasses import replace
from tests.odds.fortune import figures_of, records
pack, laid = load_pack(find_pack("{PACK}")), 0
counted = figures_of(load_pack(find_pack("pennsylvania"))).known
figures = PackFigures(odds_of(pack), replace(counted, hands=hands_of(odds_of(pack))))
for record in records(pack, 3, 4, 5):
    own = sum(seat["taken"] - seat["paid"] for seat in record["seats"])
    laid += sum(Wager("{BET}") in seat["wagers"] for seat in record["seats"])
    for how in (expected_of_round, expected_when_laid):
        found = how(figures, record)
        assert abs(found.win + found.luck - own) < 1e-6, (how, found, own)
assert laid, "no player laid it"
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with everything added."""
    root = tmp_path_factory.mktemp("added")
    for file in Checkout(ROOT).files:
        target = root / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    _copy_compiled(root)
    _language(root)
    _side_bet(root)
    _rule_pack(root)
    _irregularity(root)
    _event(root)
    _reader(root)
    printed = _run(root, "-m", "controller", "uplink", "asyncapi")
    (root / "controller/floor/uplink/asyncapi.yaml").write_text(printed, encoding="utf-8")
    return root


def _copy_compiled(root: Path) -> None:
    """Copy what Python has compiled, which holds for files of the same size and time: to compile everything
    again takes longer than most of the checks."""
    for folder in (ROOT / name for name in (*PROGRAM, "tests")):
        for compiled in folder.rglob("__pycache__"):
            if (target := root / compiled.relative_to(ROOT)).parent.is_dir():
                shutil.copytree(compiled, target)


def _swap(file: Path, old: str, new: str) -> None:
    """Replace a text that must occur exactly once in the file."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file}: {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def _after(file: Path, line: str, added: str) -> None:
    """Add a line after a line that must occur exactly once in the file."""
    _swap(file, f"\n{line}\n", f"\n{line}\n{added}\n")


def _texts(root: Path, heading: str, added: str, folder: str = TEXTS) -> None:
    for file in sorted((root / folder).glob("??.yaml")):
        _after(file, f"{heading}:", added)


def _language(root: Path) -> None:
    for folder in (TEXTS, f"{TEXTS}/help"):
        shutil.copy(root / folder / "en.yaml", root / folder / f"{LANGUAGE}.yaml")
    waiting = root / "systemd/waiting.html"
    section = waiting.read_text(encoding="utf-8").split('<section lang="en">')[1].split("</section>")[0]
    _after(waiting, "<body>", f'<section lang="{LANGUAGE}">{section}</section>')


def _side_bet(root: Path) -> None:
    names = root / "controller/game/model/names.py"
    _after(names, '    FIVE_CARD_BONUS = "five_card_bonus", SideBet(cross=True)',
           f'    {BET.upper()} = "{BET}", SideBet(cross=True)')  # fmt: skip
    for heading in ("wagers", "rows"):
        _texts(root, heading, f"  {BET}: Second Bonus")


def _rule_pack(root: Path) -> None:
    """Add a pack that offers the bet, with a pay table of its own."""
    rules = root / "config/rules"
    pack, trace = rules / f"{PACK}.yaml", rules / f"trace/{PACK}.yaml"
    shutil.copy(rules / "pennsylvania.yaml", pack)
    shutil.copy(rules / "trace/pennsylvania.yaml", trace)
    text = pack.read_text(encoding="utf-8")
    result = next(line for line in text.splitlines() if line.startswith("  five_card_bonus: {lose"))
    pays = text.split("  five_card_bonus_pays:\n")[1].split("\n\n")[0].replace("two_pair: 3", "two_pair: 2")
    _swap(pack, "key: pennsylvania", f"key: {PACK}")
    offered = "value: [five_card_bonus], allowed: [five_card_bonus]"
    _swap(pack, offered, offered.replace("bonus]", f"bonus, {BET}]"))
    _swap(pack, "middle, five_card_bonus]", f"middle, five_card_bonus, {BET}]")
    _after(pack, result, result.replace("five_card_bonus", BET))
    _swap(pack, "  five_card_bonus_pays:\n", f"  {BET}_pays:\n{pays}\n  five_card_bonus_pays:\n")
    _swap(trace, "rules: pennsylvania", f"rules: {PACK}")
    _swap(trace, "[five_card_bonus_pays]", f"[five_card_bonus_pays, {BET}_pays]")


def _irregularity(root: Path) -> None:
    kind = 'Kind("hold", "floor", Report((Asked.SEAT,)), house=True)'
    catalogue = root / "controller/game/model/irregularities.py"
    _after(catalogue, '    HAND_LEFT = "hand_left", _PLAYER', f'    {CODE.upper()} = "{CODE}", {kind}')
    _texts(root, "codes", f"  {CODE}: {{what: Chips thrown, do: Leave the chips}}")
    _texts(root, "reports", f"  {CODE}: Chips thrown")
    _texts(root, "codes", f"  {CODE}: A player threw chips. The floorperson decides.", f"{TEXTS}/help")


def _event(root: Path) -> None:
    _after(root / "controller/record/timeline/entries.py", '    BETS_REOPENED = "bets_reopened", SentFacts()',
           f'    {EVENT.upper()} = "{EVENT}", SentFacts(("seat",))')  # fmt: skip
    _after(root / "controller/record/timeline/changes.py",
           '        yield Kind.LAID, {"seat": number, "wagers": laid}',
           f'        yield Kind.{EVENT.upper()}, {{"seat": number}}')  # fmt: skip
    _texts(root, "told", f"  {EVENT}: is in the round")


def _reader(root: Path) -> None:
    (root / f"drivers/chips/{READER}.py").write_text(
        '"""Reader of another chip standard."""\n\nfrom drivers.chips.pn532 import Pn532\n\n\n'
        'class Vicinity(Pn532):\n    """One reader on its line."""\n', encoding="utf-8",
    )  # fmt: skip
    kinds, simulated = (root / "drivers/chips" / name for name in ("kinds.py", "sim/kinds.py"))
    _swap(kinds, "FEIG: feig_readers,", f'FEIG: feig_readers, "{READER}": one_per_circle(Vicinity),')
    _after(kinds, "from drivers.chips.seat_board import seat_boards",
           f"from drivers.chips.{READER} import Vicinity")  # fmt: skip
    _swap(simulated, "FeigBank}", f'FeigBank, "{READER}": ReaderBank}}')


def _run(root: Path, *arguments: str) -> str:
    """Run Python in the copy and return its output; fails with what it printed."""
    done = subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(arguments)[:60]}\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_every_catalogue_accepts_the_additions(copy: Path) -> None:
    _run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not browser", *CATALOGUES)


def test_the_new_pack_cites_a_section_for_the_new_bet(copy: Path) -> None:
    assert BET in _run(copy, "-m", "controller", "rules", "show", PACK)


def test_the_table_and_the_kernel_settle_the_new_bet_equally(copy: Path) -> None:
    _run(copy, "-m", "tests.volume.differential", "--rounds", "100", PACK)


def test_the_expected_win_includes_the_new_bet(copy: Path) -> None:
    _run(copy, "-c", WIN)


def test_a_table_plays_with_the_new_kind_of_reader_under_the_new_pack(copy: Path) -> None:
    _run(copy, "-m", "controller", "mock", "--rounds", "1", "--speed", "max", "--headless",
         "--rules", PACK, "--readers", READER)  # fmt: skip


def test_mypy_accepts_the_additions(copy: Path) -> None:
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")
    _run(copy, "-m", "mypy")
