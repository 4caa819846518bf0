"""`make release VERSION=1.2.3`: dates the changes, commits and tags, then builds wheel, SBOM and package.

It refuses before it changes anything: a malformed or taken version, uncommitted changes, an empty section of
unreleased changes, a failing test. It pushes nothing: look at the commit, then `git push --follow-tags`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

UNRELEASED = "## Unreleased"
CHANGES, PROJECT = Path("CHANGELOG.md"), Path("pyproject.toml")


def run_command(*command: str) -> str:
    """Return the output of a command."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def refusal(version: str) -> str | None:
    """Return in one line why this version cannot be released, or None if it can."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(-rc\d+)?", version):
        return f"VERSION={version}: allowed: three numbers, for example 1.2.3 or 1.2.3-rc1"
    if run_command("git", "tag", "--list", f"v{version}"):
        return f"VERSION={version}: the tag v{version} is there already"
    if changed := run_command("git", "status", "--porcelain"):
        return f"commit or put away what has changed first: {changed.splitlines()[0].split()[-1]}"
    if not unreleased(CHANGES.read_text(encoding="utf-8")):
        return f"CHANGELOG.md: nothing stands under {UNRELEASED}"
    return None


def unreleased(changes: str) -> str:
    """Return the text of the section of unreleased changes."""
    after = changes.partition(f"\n{UNRELEASED}\n")[2]
    return re.split(r"^## ", after, flags=re.MULTILINE)[0].strip()


def released(changes: str, version: str, day: str) -> str:
    """Return CHANGELOG.md with the unreleased changes under the version and its day."""
    return changes.replace(f"\n{UNRELEASED}\n", f"\n{UNRELEASED}\n\n## {version} ({day})\n", 1)


def numbered(project: str, version: str) -> str:
    """Return pyproject.toml with the version in the form of PEP 440: 1.2.3rc1."""
    return re.sub(
        r'^version = ".*"$', f'version = "{version.replace("-", "")}"', project, count=1, flags=re.MULTILINE
    )


def release(version: str) -> None:
    day = datetime.now(UTC).date().isoformat()
    CHANGES.write_text(released(CHANGES.read_text(encoding="utf-8"), version, day), encoding="utf-8")
    PROJECT.write_text(numbered(PROJECT.read_text(encoding="utf-8"), version), encoding="utf-8")
    run_command("git", "commit", "--all", "--message", f"Release {version}")
    run_command("git", "tag", "--annotate", f"v{version}", "--message", f"Release {version}")


def main() -> None:
    version = sys.argv[1] if len(sys.argv) > 1 else ""
    if reason := refusal(version):
        sys.exit(f"release: {reason}")
    if subprocess.run(["make", "test"], check=False).returncode:
        sys.exit("release: make test fails")
    release(version)
    subprocess.run(["make", "wheel", "sbom", "deb"], check=True)


if __name__ == "__main__":
    main()
