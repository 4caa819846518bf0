"""Processes seldom collect garbage while they start, and a daemon collects it as usual once it is ready."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from controller.cli import main
from tests.runtime.child import ROOT

IMPORT = "import gc; from controller.common.process.garbage_collection import "


def printed(code: str) -> str:
    """Run code in an interpreter of its own, because the settings apply to the whole interpreter; return its
    output."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_a_start_collects_rarely_and_then_as_usual_without_the_objects_of_the_start() -> None:
    code = IMPORT + "collect_rarely, exempt_start; usual = gc.get_threshold(); collect_rarely()\n"
    code += "assert gc.get_threshold()[0] > 10 * usual[0] and not gc.get_freeze_count()\n"
    code += "exempt_start(); assert gc.get_threshold() == usual; print(gc.get_freeze_count() > 1000)"
    assert printed(code) == "True"


def test_garbage_of_the_start_is_not_exempt() -> None:
    code = IMPORT + "collect_rarely, exempt_start; import weakref; collect_rarely()\n"
    code += "class Cycle: pass\none = Cycle(); one.itself = one; alive = weakref.ref(one); del one\n"
    code += "exempt_start(); print(alive())"
    assert printed(code) == "None"


@pytest.mark.parametrize(("first", "output"), [("", "ended"), ("collect_rarely()", "")])
def test_the_end_collects_nothing(first: str, output: str) -> None:
    """Garbage with a finalizer shows whether the process collects garbage at its end."""
    code = IMPORT + f"collect_rarely\n{first}\n"
    code += "class Cycle:\n  def __del__(self): print('ended')\n"
    code += "one = Cycle(); one.itself = one; del one"
    assert printed(code) == output


def test_commands_called_by_a_test_leave_its_settings_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = gc.get_threshold()
    assert main([]) == 2
    assert "crisscross" in capsys.readouterr().err
    assert gc.get_threshold() == before
