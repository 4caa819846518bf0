"""The script for RAUC sets and reads the system to boot next
(systemd/image/root/usr/lib/crisscross/slots).
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.repository.house import ROOT

SLOTS = ROOT / "systemd/image/root/usr/lib/crisscross/slots"
FRESH, TRIED = "good=A trying=- left=0", "good=A trying=B left=2"
READS = """#!/bin/sh
sed -n "s/^$2=//p" "$STATE"
"""
WRITES = """#!/bin/sh
[ "$1" = -s ] && cat "$2" > "$STATE"
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder with stand-ins for libubootenv's tools, which keep the sector's content in a file."""
    for name, text in (("fw_printenv", READS), ("fw_setenv", WRITES)):
        tool = tmp_path / name
        tool.write_text(text, encoding="utf-8")
        tool.chmod(0o755)
    return tmp_path


def run_script(tools: Path, sector: str, *words: str) -> tuple[str, str]:
    """Return the script's output and the new content of the sector."""
    state = tools / "state"
    state.write_text(sector.replace(" ", "\n") + "\n", encoding="utf-8")
    settings = {"PATH": f"{tools}:{os.environ['PATH']}", "STATE": str(state)}
    done = subprocess.run(
        ["/bin/sh", SLOTS, *words], env=settings, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), " ".join(state.read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("sector", "words", "after"),
    [
        (FRESH, "set-state B bad", FRESH),  # as RAUC before it writes B
        (FRESH, "set-primary B", TRIED),  # as RAUC after it has written B
        (TRIED, "set-state B good", "good=B trying=- left=0"),
        (TRIED, "set-state B bad", FRESH),
        (TRIED, "set-state A good", TRIED),  # A was good before, and B is still to be tried
        (TRIED, "set-state A bad", TRIED),  # the other system, which would be started
        (TRIED, "set-primary A", FRESH),
    ],
)
def test_the_state_set_for_a_system_decides_the_next_boot(
    tools: Path, sector: str, words: str, after: str
) -> None:
    assert run_script(tools, sector, *words.split()) == ("", after)


@pytest.mark.parametrize(
    ("sector", "words", "answer"),
    [
        (FRESH, "get-primary", "A"),
        (TRIED, "get-primary", "B"),
        (FRESH, "get-state A", "good"),
        (FRESH, "get-state B", "bad"),
        (TRIED, "get-state B", "good"),
    ],
)
def test_queries_are_answered_from_the_sector(tools: Path, sector: str, words: str, answer: str) -> None:
    assert run_script(tools, sector, *words.split()) == (answer, sector)


def test_an_unknown_command_is_refused(tools: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run_script(tools, FRESH, "set-everything")
    assert "allowed: get-primary" in refused.value.stderr
