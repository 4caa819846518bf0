"""Files on the disk name no card of a round that has not ended, and the search finds a planted card."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.record.journal import journal
from controller.record.seal.faces import SNAPSHOT_STEP, Period, is_sealed
from controller.table.engine import engine

pytestmark = pytest.mark.slow

FACE = re.compile(r"\b(?:[2-9TJQKA][SHDC]|10[SHDC])\b")
NIGHT = (
    "--no-wires", "--rounds", "3", "--speed", "max", "--json", "--headless", "--seed", "5", "--clumsy", "0.4",
    "--mischief", "0.4", "--voids", "0.2",
)  # fmt: skip


def faces_on_the_disk(path: Path) -> set[str]:
    """Return the faces in the rows as they are stored, except in `results`, whose rows are written after
    their round has ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "ROWS_A_SNAPSHOT", 20)  # creates some snapshots in mid-round
        assert main(["mock", *NIGHT, "--journal", str(path)]) == 0
    with closing(sqlite3.connect(path)) as db:
        texts = [row[0] for row in db.execute("SELECT body FROM events")]
        texts += [row[0] for row in db.execute("SELECT state FROM snapshots")]
        ended = db.execute("SELECT count(*) FROM results WHERE kind = 'record'").fetchone()[0]
    assert (ended, len(texts) > 300) == (3, True)
    return {face for text in texts if not is_sealed(text) for face in FACE.findall(text)}


def test_no_unfinished_round_s_card_is_in_the_rows(tmp_path: Path) -> None:
    assert faces_on_the_disk(tmp_path / "journal.db") == set()


@pytest.mark.parametrize("where", ["rows", "snapshots"])
def test_a_planted_face_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    if where == "rows":
        monkeypatch.setattr(journal, "holds_face", lambda _kind: False)
    else:
        sealed = Period.seal

        def opens_snapshots(own: Period, text: str, about: bytes, step: int) -> str:
            return text if step == SNAPSHOT_STEP else sealed(own, text, about, step)

        monkeypatch.setattr(Period, "seal", opens_snapshots)
    assert faces_on_the_disk(tmp_path / "journal.db")
