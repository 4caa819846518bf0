"""Each lock file has every version with its hashes, no address, and the requirements of pyproject.toml."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.house import ROOT

PAGE = ROOT / "tests/display/page"
LOCKS = [
    f"requirements{of}.lock" for of in ("", "-pi", "-rpigpio", "-uplink", "-pit", "-build", "-dev", "-tools")
]
BASE = "-r requirements.lock"
"""First line of a lock file for an extra or the group of developers."""
SHA256 = re.compile(r"--hash=sha256:[0-9a-f]{64}")
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.1", "platform_machine": machine}
    for python in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
]


def entries(name: str) -> list[tuple[Requirement, list[str]]]:
    """Return the entries of a lock file, including those of the lock file that its first line names."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    text = text.replace(
        f"{BASE}\n", (ROOT / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    )
    return [
        (Requirement(line.split("--hash")[0]), SHA256.findall(line))
        for line in text.splitlines()
        if line and not line.startswith("#")
    ]


def pins(name: str) -> dict[str, str]:
    return {canonicalize_name(one.name): next(iter(one.specifier)).version for one, _ in entries(name)}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def wanted(name: str) -> list[Requirement]:
    """Return the requirements of pyproject.toml for this lock file."""
    whole = project()
    groups = whole["dependency-groups"]
    build = groups["build"]
    run = whole["project"]["dependencies"]
    lists = {
        "requirements.lock": run,
        "requirements-pi.lock": run + whole["project"]["optional-dependencies"]["pi"],
        "requirements-rpigpio.lock": run + whole["project"]["optional-dependencies"]["rpigpio"],
        "requirements-uplink.lock": run + whole["project"]["optional-dependencies"]["uplink"],
        "requirements-pit.lock": run + whole["project"]["optional-dependencies"]["pit"],
        "requirements-build.lock": build + whole["build-system"]["requires"],
        "requirements-tools.lock": groups["tools"],
        "requirements-dev.lock": run + build + [one for one in groups["dev"] if isinstance(one, str)],
    }
    return [Requirement(one) for one in lists[name]]


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_is_one_version_with_its_hashes(name: str) -> None:
    for requirement, hashes in entries(name):
        assert [one.operator for one in requirement.specifier] == ["=="], requirement
        assert hashes, f"{name}: {requirement} has no hash"
        assert requirement.url is None
    assert len(pins(name)) == len(entries(name)), "one version of each, whatever the Python and the machine"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_contains_no_address_and_no_option(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    if name not in ("requirements.lock", "requirements-build.lock", "requirements-tools.lock"):
        assert text.startswith(f"{BASE}\n")
        text = text.removeprefix(BASE)
    words = text.split()
    assert [word for word in words if "://" in word] == []
    assert [word for word in words if word.startswith("-") and not SHA256.fullmatch(word)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_the_project_s_requirements_within_their_ranges(name: str) -> None:
    pinned = pins(name)
    for requirement in wanted(name):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is in pyproject.toml and not in {name}: make lock"
        assert requirement.specifier.contains(version), f"{name}: {requirement.name} {version}: make lock"


def test_all_lock_files_agree_on_the_versions() -> None:
    everything = pins("requirements-dev.lock")
    for name in LOCKS:
        for package, version in pins(name).items():
            assert everything.get(package, version) == version, f"{name}: {package}"
    assert pins("requirements.lock").items() <= pins("requirements-pi.lock").items()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-build.lock", "requirements-dev.lock"])
def test_the_dependencies_of_a_locked_package_are_locked_or_excluded(name: str) -> None:
    """The check covers every supported Python and machine, by the metadata of the installed packages."""
    pinned = pins(name)
    left_out = set() if name == "requirements-dev.lock" else excluded()
    assert missing(pinned, left_out) == []


def excluded() -> set[str]:
    """Return the packages that `make lock` leaves out of a table's lock files."""
    lines = (ROOT / ".ci/excluded-packages.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


NOT_IMPORTED = {
    "lgpio": "a Raspberry Pi's pins; has no wheel for this machine",
    "adafruit-circuitpython-busdevice": "the simulated seat board runs the firmware, which imports it",
    "idna": "anyio imports it to look up a host name outside ASCII",
}
"""Locked packages of a table that no import below reaches, with the reason for keeping each."""

IMPORT_ALL = """
import importlib, importlib.metadata, re, sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"{{name}} is excluded", name=name)
sys.meta_path.insert(0, Refuse())
for name in {names!r}:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("lgpio", "RPi"):  # a Pi's own
            raise
tops = {{name.partition(".")[0] for name in sys.modules}}
owners = importlib.metadata.packages_distributions()
print(*{{re.sub("[-_.]+", "-", owner).lower() for top in tops for owner in owners.get(top, ())}})
"""


def third_party_imports() -> set[str]:
    """Return the modules of libraries that the programs of a table import, lazy imports included."""
    found = set()
    for file in [*(ROOT / "drivers").rglob("*.py"), *(ROOT / "controller").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
            elif isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
    locked = pins("requirements.lock").keys()
    owners = packages_distributions()
    return {
        name
        for name in found
        if locked & {canonicalize_name(owner) for owner in owners.get(name.partition(".")[0], [])}
    }


@pytest.mark.serial
def test_every_library_of_a_table_is_imported_and_no_excluded_one_is_needed() -> None:
    owners = packages_distributions()
    left_out = excluded()
    refused = {top for top, names in owners.items() if left_out & {canonicalize_name(one) for one in names}}
    code = IMPORT_ALL.format(names=sorted(third_party_imports()), refused=refused)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr
    unused = set(pins("requirements-pi.lock")) - set(run.stdout.split())
    assert unused == NOT_IMPORTED.keys()


def missing(pinned: dict[str, str], left_out: set[str]) -> list[str]:
    found = []
    for package in pinned:
        try:
            needs = [Requirement(text) for text in requires(package) or []]
        except PackageNotFoundError:
            continue  # locked for a system other than this one
        found += [
            f"{package} needs {need}"
            for need in needs
            if applies(need.marker) and canonicalize_name(need.name) not in pinned.keys() | left_out
        ]
    return found


def applies(marker: Marker | None) -> bool:
    return marker is None or any(marker.evaluate({**machine, "extra": ""}) for machine in MACHINES)


# ------------------------------------------------------------------ checks of the pages


def packages() -> dict[str, dict[str, Any]]:
    """Return path -> entry of the npm lock, without the folder itself."""
    lock = json.loads((PAGE / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["lockfileVersion"] == 3
    return {path: entry for path, entry in lock["packages"].items() if path}


def test_every_npm_package_is_one_version_with_its_hash() -> None:
    assert len(packages()) >= 50
    for path, entry in packages().items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"]), path
        assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", entry["integrity"]), path
        assert not entry.get("hasInstallScript"), f"{path}: npm ci runs no scripts"


def test_the_npm_lock_names_no_registry() -> None:
    """The `funding` addresses are exempt, since nothing is fetched from them."""
    for path, entry in packages().items():
        assert "resolved" not in entry, path
        addresses = [key for key, value in entry.items() if "://" in json.dumps(value)]
        assert addresses in ([], ["funding"]), path
    assert "omit-lockfile-registry-resolved=true" in (PAGE / ".npmrc").read_text(encoding="utf-8")
    assert "://" not in (PAGE / "package.json").read_text(encoding="utf-8")


def test_the_npm_lock_has_the_packages_of_package_json_each_with_a_reason() -> None:
    wants = json.loads((PAGE / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((PAGE / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == wants["devDependencies"]
    assert {f"node_modules/{name}" for name in wants["devDependencies"]} <= packages().keys()
    assert wants["reasons"].keys() == wants["devDependencies"].keys()
    assert "dependencies" not in wants, "nothing of it is shipped"


def test_every_dependency_has_its_reason() -> None:
    """A comment of one line above each dependency says in its own words why it is needed."""
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    named = [number for number, line in enumerate(lines) if re.match(r'  "[\w.-]+[<>=]', line)]
    assert len(named) >= 20
    assert [lines[number] for number in named if not lines[number - 1].startswith("  # ")] == []
    reasons = [lines[number - 1] for number in named]
    assert len(set(reasons)) == len(reasons)
