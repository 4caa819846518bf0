"""The advice to install a missing package works in a checkout, with a wheel and with the Debian package."""

from __future__ import annotations

import importlib.metadata
import sys
import tomllib

import pytest

from controller.common import extras
from controller.common.extras import NAME, how_to_install
from tests.repository.house import ROOT


@pytest.mark.parametrize("extra", ["odds", "pit"])
def test_the_packages_of_an_extra_are_named_for_the_python_that_runs(extra: str) -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command = how_to_install(extra)
    assert command.startswith(f"{sys.executable} -m pip install '")
    named = [each.partition("<")[0].partition(">")[0] for each in command.split("'")[1::2]]
    assert named == [each.partition(">")[0] for each in listed["optional-dependencies"][extra]]
    assert listed["name"] == NAME and NAME not in command


def test_the_debian_package_whose_python_has_no_pip_uses_that_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    assert how_to_install("odds").startswith(f"pip --python {sys.executable} install 'numpy")


def test_a_checkout_that_is_not_installed_names_its_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> list[str]:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", unknown)
    assert how_to_install("odds") == "make lint"


def test_no_advice_names_the_program_which_no_index_has() -> None:
    files = [path for kind in ("py", "md", "yaml") for path in (ROOT / "controller").rglob(f"*.{kind}")]
    files += [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "systemd").rglob("*.md")]
    assert len(files) > 300
    assert [path for path in files if f"{NAME}[" in path.read_text(encoding="utf-8")] == []
