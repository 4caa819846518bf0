"""`make release` either refuses in one line, or makes changelog, commit and tag, then the wheel and its
SBOM.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.house import ROOT

pytestmark = pytest.mark.slow

CHANGES = (
    "# Changes\n\nWhat is new.\n\n## Unreleased\n\n- A thing.\n\n## 0.1.0 (2026-11-20)\n\n- The first.\n"
)
MAKEFILE = "test:\n\t@test ! -e broken\nwheel sbom deb:\n\t@echo $@ >> made\n"
PROJECT = '[project]\nname = "x"\nversion = "0.1.0"\n'


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    names = {"GIT_AUTHOR_NAME": "A", "GIT_COMMITTER_NAME": "A"}
    addresses = {"GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_EMAIL": "a@example.org"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MAKE"))}
    environment = {**inherited, **names, **addresses}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with changes to release, all of them committed."""
    for name, text in (("CHANGELOG.md", CHANGES), ("Makefile", MAKEFILE), ("pyproject.toml", PROJECT)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".gitignore").write_text("made\nbroken\n", encoding="utf-8")
    for command in (["git", "init", "-q"], ["git", "add", "."], ["git", "commit", "-qm", "Begin"]):
        assert run(tmp_path, *command).returncode == 0
    return tmp_path


def release(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, str(ROOT / ".ci/release.py"), version)


def test_the_changes_are_listed_under_their_version_and_date(project: Path) -> None:
    assert release(project, "0.2.0").returncode == 0
    changes = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    new, first = changes.index("\n## Unreleased\n\n## 0.2.0 (2"), changes.index("## 0.1.0")
    assert new < changes.index("- A thing.") < first
    assert 'version = "0.2.0"' in (project / "pyproject.toml").read_text(encoding="utf-8")


def test_the_tag_is_on_the_commit_of_the_release(project: Path) -> None:
    release(project, "0.2.0")
    assert run(project, "git", "describe", "--exact-match").stdout == "v0.2.0\n"
    assert run(project, "git", "status", "--porcelain").stdout == ""
    assert (project / "made").read_text(encoding="utf-8") == "wheel\nsbom\ndeb\n"


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3rc1"])
def test_a_version_has_three_numbers(project: Path, version: str) -> None:
    allowed = "three numbers, for example 1.2.3 or 1.2.3-rc1"
    assert refused(project, version) == f"release: VERSION={version}: allowed: {allowed}"


def test_a_release_candidate_is_tagged_and_written_as_pep_440(project: Path) -> None:
    assert release(project, "1.0.0-rc1").returncode == 0
    assert run(project, "git", "describe", "--exact-match").stdout == "v1.0.0-rc1\n"
    assert 'version = "1.0.0rc1"' in (project / "pyproject.toml").read_text(encoding="utf-8")


def test_a_version_is_released_only_once(project: Path) -> None:
    release(project, "0.2.0")
    assert refused(project, "0.2.0") == "release: VERSION=0.2.0: the tag v0.2.0 is there already"


def test_a_release_with_uncommitted_changes_is_refused(project: Path) -> None:
    (project / "pyproject.toml").write_text(PROJECT + "\n", encoding="utf-8")
    assert refused(project, "0.2.0").endswith("first: pyproject.toml")


def test_a_release_without_changes_is_refused(project: Path) -> None:
    release(project, "0.2.0")
    assert refused(project, "0.3.0") == "release: CHANGELOG.md: nothing stands under ## Unreleased"


def test_a_release_with_failing_tests_is_refused(project: Path) -> None:
    (project / "broken").touch()
    assert refused(project, "0.2.0").endswith("release: make test fails")


def refused(folder: Path, version: str) -> str:
    """Return the text of the refusal, and check that nothing was changed."""
    before = run(folder, "git", "log", "--all", "--oneline").stdout
    done = release(folder, version)
    assert done.returncode == 1
    assert run(folder, "git", "log", "--all", "--oneline").stdout == before
    return done.stderr.strip()
