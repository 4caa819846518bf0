"""`make deb` makes a package with the right content, whose scripts do only what they may."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.utils import canonicalize_name

from controller.common.texts.catalogue import languages
from controller.pages.display.manual_pages import FOLDER, MANUALS
from tests.display.served import Script, Served
from tests.manuals.paper import print_manuals
from tests.repository.house import ROOT
from tests.shared_browser import CHROMIUM, SHARED

SCRIPTS = sorted(path for path in (ROOT / "systemd/deb").iterdir() if path.name.startswith(("post", "pre")))
needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")


@pytest.fixture(scope="module")
def deb() -> ModuleType:
    spec = importlib.util.spec_from_file_location("deb", ROOT / ".ci/deb.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / ".ci"))
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    sys.path.remove(str(ROOT / ".ci"))
    return module


def built(deb: ModuleType, to: Path, arch: str, series: str) -> Path:
    """Build the package without libraries, which would need a network, and without the printed manuals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deb, "libraries", lambda _site, arch, series: deb.brings_lgpio(arch, series))
        patch.setattr(deb, "program", lambda _site: None)
        patch.setattr(deb, "manuals", _no_manuals)
        patch.setattr(deb, "WHEELS", to / "wheels")
        patch.setattr(deb, "version", lambda: ("0.1.0", 1_795_400_000))
        return Path(deb.build(arch, series, to, "none"))


def _no_manuals(_folder: Path) -> None:
    """Replace `manuals`, which requires a Chromium, by an empty function."""


@pytest.fixture(scope="module")
def package(deb: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(deb, tmp_path_factory.mktemp("package"), "amd64", "bookworm")


def run_command(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_everything_in_systemd_is_packaged(deb: ModuleType) -> None:
    beside = {f"systemd/{path.name}" for path in (ROOT / "systemd").iterdir() if path.is_file()}
    assert beside - set(deb.FILES.values()) == set()


def test_every_page_named_by_a_manual_is_packaged_under_its_path(deb: ModuleType) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.html"))
    named = set(re.findall("data-file>([^<]+)<", sources))
    assert named and {deb.FILES.get(f"{deb.DOC}/{name}") for name in named} == named


def test_every_page_named_by_a_text_of_the_program_is_packaged(deb: ModuleType) -> None:
    named = {
        page
        for folder in ("controller", "drivers")
        for path in (ROOT / folder).rglob("*.py")
        for text in texts(path)
        for page in re.findall(r"[\w./-]+\.md\b", text)
    }
    assert "hardware/wiring.md" in named
    assert {page for page in named if f"{deb.DOC}/{page}" not in deb.FILES} == set()


def texts(path: Path) -> Iterator[str]:
    """Yield each string of a module that is not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def test_every_page_linked_by_the_installation_is_packaged(deb: ModuleType) -> None:
    source = (ROOT / "systemd/README.md").read_text(encoding="utf-8")
    linked = {os.path.normpath(f"systemd/{page}") for page in re.findall(r"\]\(([^)#:\s]+)[)#]", source)}
    assert "hardware/wiring.md" in linked
    assert {page for page in linked if f"{deb.DOC}/{page}" not in deb.FILES} == set()


@pytest.mark.serial
@needs_dpkg
def test_the_same_commit_gives_the_same_package(
    deb: ModuleType, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build also runs under another umask, zone, language and hash seed."""
    for name, value in {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "77", "USER": "other"}.items():
        monkeypatch.setenv(name, value)
    before = os.umask(0o077)
    try:
        again = built(deb, tmp_path, "amd64", "bookworm")
    finally:
        os.umask(before)
    assert again.read_bytes() == package.read_bytes()


@needs_dpkg
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def test_a_snapshot_sorts_before_its_release_or_after_the_one_that_it_contains(
    deb: ModuleType, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    """Every builder must give one commit one version. In Debian Policy 5.6.12 `~` sorts before the end of a
    version."""
    versions = {"--format=%ct %h": "1795404306 f98257e", "--points-at": "", "--merged": ""}
    monkeypatch.setattr(
        deb, "run_command", lambda *command: next(versions[each] for each in command if each in versions)
    )
    monkeypatch.setenv("TZ", zone)
    snapshot, when = deb.version()
    assert (snapshot.partition("~git")[2], when) == ("20261123032506.f98257e", 1_795_404_306)
    versions["--merged"] = "v1.0.0-rc1"
    repaired, _ = deb.version()
    versions["--points-at"] = "v1.0.0-rc1"
    released, _ = deb.version()
    ordered = ["0.1.0+git20261123152506.f98257e", snapshot, released, repaired, "1.0.0"]
    for older, newer in pairwise(f"{each}+deb12" for each in ordered):
        run_command("dpkg", "--compare-versions", older, "lt", newer)


def test_every_library_has_an_allowed_licence(deb: ModuleType, tmp_path: Path) -> None:
    site = Path(yaml.__file__).parents[1]
    names = {name.lower() for lock in deb.LOCKS for name in re.findall(r"(?m)^([\w.-]+)==", text_of(lock))}
    shipped = tmp_path / "site"
    for folder, library in deb.licences.metadata(site):
        if canonicalize_name(library["Name"]) in names:
            shutil.copytree(folder, shipped / folder.name)
    found = deb.licences.stanzas(shipped, "opt/lib")
    assert len(re.findall("(?m)^License: ", found)) >= len(names) - 1, "each but lgpio, which is a Pi's"
    assert re.search(
        r"Files: opt/lib/pydantic_core-.*\n opt/lib/pydantic_core/\*\nCopyright: Samuel Colvin", found
    )
    assert re.search(r"Files: opt/lib/pyserial-.*\n opt/lib/serial/\*\nCopyright: Chris Liechti", found)
    assert re.search("License: BSD-3-Clause\n The text is in /opt/lib/starlette-.*/LICENSE", found)


def test_a_library_under_another_licence_stops_the_package(deb: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "x-1.dist-info").mkdir()
    (tmp_path / "x-1.dist-info/METADATA").write_text("Name: x\nLicense-Expression: GPL-3.0-or-later\n")
    with pytest.raises(SystemExit, match=r"x: licence 'GPL-3.0-or-later'; allowed: Apache-2.0 OR "):
        deb.licences.stanzas(tmp_path, "opt/lib")


def text_of(lock: str) -> str:
    return (ROOT / lock).read_text(encoding="utf-8")


@needs_dpkg
def test_a_partly_written_package_has_another_name(
    deb: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*command: str) -> str:
        if command[0] == "dpkg-deb":
            Path(command[-1]).write_bytes(b"!<arch>")
            raise KeyboardInterrupt
        return ""

    monkeypatch.setattr(deb, "run_command", killed)
    with pytest.raises(KeyboardInterrupt):
        built(deb, tmp_path, "amd64", "bookworm")
    assert list(tmp_path.glob("*.deb")) == []


@pytest.mark.browser
def test_each_manual_is_printed_into_the_package_with_the_date_of_the_commit(
    deb: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manuals of one language are printed again, by another process, and have the same bytes."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795400000")
    deb.manuals(tmp_path / "one")
    again = _printed_again(tmp_path / "two")
    printed = {str(path.relative_to(tmp_path / "one")): path for path in (tmp_path / "one").rglob("*.pdf")}
    assert set(printed) == {f"{language}/{name}.pdf" for language in languages() for name in MANUALS}
    for name, path in printed.items():
        content = path.read_bytes()
        assert content.startswith(b"%PDF-") and len(content) < 600_000
        assert content == again.get(name, content), name
        assert set(re.findall(rb"Date \(D:(\d+)", content)) == {b"20261123021320"}


def _printed_again(folder: Path) -> dict[str, bytes]:
    """Return the printed manuals of the first language by their path."""
    server = Served(Script())
    try:
        page = SHARED.started(CHROMIUM).new_page()
        printed = list(islice(print_manuals(page, server.url, folder), len(MANUALS)))
    finally:
        SHARED.end()
        server.stop()
    return {str(path.relative_to(folder)): path.read_bytes() for path in printed}


@pytest.mark.serial
def test_without_chromium_no_package_is_built(
    deb: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRISSCROSS_CHROMIUM", str(tmp_path / "chromium"))
    with pytest.raises(SystemExit, match="make deb: manuals: no Chromium at "):
        deb.manuals(tmp_path / "manuals")


@pytest.mark.serial
@needs_dpkg
def test_a_package_is_for_one_python_version_and_contains_or_requires_lgpio(
    deb: ModuleType, package: Path, tmp_path: Path
) -> None:
    assert run_command("dpkg-deb", "--field", package, "Depends").startswith(
        "python3 (>= 3.11), python3 (<< 3.12), "
    )
    trixie = built(deb, tmp_path, "arm64", "trixie")
    depends, listed = (
        run_command("dpkg-deb", "--field", trixie, "Depends"),
        run_command("dpkg-deb", "--contents", trixie),
    )
    assert depends.startswith("python3 (>= 3.13), python3 (<< 3.14), ")
    assert "python3-lgpio" in depends
    assert "-> /usr/lib/python3/dist-packages/lgpio.py" in listed
    assert "./opt/crisscross/bin/python3 -> /usr/bin/python3.13" in listed
    assert "./usr/bin/crisscross -> /opt/crisscross/bin/crisscross" in listed
    assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}


@pytest.mark.parametrize(("added", "taken"), [(b"", True), (b"!", False)])
def test_our_own_wheel_is_used_only_with_the_right_checksum(
    deb: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: bytes, taken: bool
) -> None:
    wheel = tmp_path / "lgpio-0.2.2.0-cp313-cp313-linux_aarch64.whl"
    (tmp_path / "sums").write_text(f"{sha256(b'wheel').hexdigest()}  {wheel.name}\n", encoding="utf-8")
    wheel.write_bytes(b"wheel" + added)
    monkeypatch.setattr(deb, "WHEELS", tmp_path)
    monkeypatch.setattr(deb, "SUMS", tmp_path / "sums")
    assert deb.brings_lgpio("arm64", deb.SERIES["trixie"]) is taken
    assert deb.built("lgpio", deb.SERIES["bookworm"]) is None, "another Python's"


@pytest.mark.serial
@needs_dpkg
def test_the_package_lists_configuration_files_and_a_checksum_of_every_file(
    deb: ModuleType, tmp_path: Path
) -> None:
    package = built(deb, tmp_path, "amd64", "bookworm")
    run_command("dpkg-deb", "--control", package, tmp_path / "control")
    run_command("dpkg-deb", "--extract", package, tmp_path / "tree")
    kept = (tmp_path / "control/conffiles").read_text(encoding="utf-8").splitlines()
    assert kept == ["/etc/chromium/policies/managed/crisscross.json"]
    sums = (tmp_path / "control/md5sums").read_text(encoding="utf-8").splitlines()
    files = [path for path in (tmp_path / "tree").rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(sums) == len(files) >= len(deb.FILES)
    assert not any(path.name in {"table.yaml", "people.yaml"} for path in (tmp_path / "tree/etc").rglob("*"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_maintainer_s_script_ends_at_the_first_error(script: Path) -> None:
    run_command("sh", "-n", script)
    assert "\nset -e\n" in script.read_text(encoding="utf-8")


def test_only_a_confirmed_purge_deletes_the_journal() -> None:
    text = (ROOT / "systemd/deb/postrm").read_text(encoding="utf-8")
    before, _, after = text.partition("rm -rf /var/lib/crisscross\n")
    assert re.search(r'if \[ "\$answer" = true \]; then\s+$', before)
    assert "rm -rf /var" not in after
    assert "Default: false" in (ROOT / "systemd/deb/templates").read_text(encoding="utf-8")
    assert not any("rm -rf /var" in path.read_text() for path in SCRIPTS if path.name != "postrm")


def test_an_upgrade_fails_if_the_journal_cannot_be_copied() -> None:
    """dpkg runs the prerm script of the new version if that of the old one has failed (Debian Policy,
    6.6)."""
    prerm = (ROOT / "systemd/deb/prerm").read_text(encoding="utf-8")
    assert '[ "$1" != failed-upgrade ] || exit 1' in prerm
    assert prerm.index("failed-upgrade") < prerm.index("systemctl stop")


@pytest.mark.parametrize(
    ("journal", "table", "lines", "status"),
    [
        ("CC-01.db", "journal: var/CC-01.db\n", ["backup ROOT/var/CC-01.db ROOT/var/before-upgrade/"], 0),
        ("journal.db", "journal: var/journal.db\nrules: [\n", ["table.yaml:3: no YAML", "is not known"], 1),
        ("journal.db", "journal: var/journal.db\nx: 1\n", ["backup ROOT/var/journal.db "], 0),
        (
            "journal.db",
            "journal: var/none.db\n",
            ["no journal is copied: ROOT/var/none.db is not there yet"],
            0,
        ),
        ("journal.db", "", ["the file is empty", "is not known, so nothing is replaced"], 1),
        ("journal.db", None, ["backup ROOT/var/journal.db "], 0),
        ("CC-01.db", None, ["no journal is copied: ROOT/var/journal.db is not there yet"], 0),
    ],
)
def test_an_upgrade_copies_the_journal_that_the_table_file_names(
    tmp_path: Path, journal: str, table: str | None, lines: list[str], status: int
) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / journal).touch()
    if table is not None:
        (tmp_path / "table.yaml").write_text(table, encoding="utf-8")
    done = subprocess.run(
        ["sh", prerm_in(tmp_path), "upgrade", "1.0.1"],
        env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    out = (done.stdout + done.stderr).replace(str(tmp_path), "ROOT")
    assert [line for line in lines if line not in out] == [], out
    assert ("backup" in out.replace("before-upgrade", "")) == (lines[0].startswith("backup")), out
    assert done.returncode == status


def prerm_in(root: Path) -> Path:
    """Return a copy of prerm below `root`, whose backup prints its arguments and whose other commands do
    nothing."""
    (root / "bin").mkdir()
    (root / "lib").mkdir()
    commands = {
        "systemctl": "",
        "systemd-tmpfiles": "",
        "runuser": 'shift 3; exec "$@"',
        "crisscross": f'[ "$1" != backup ] || exec echo "$@"\nexec {sys.executable} -m controller "$@"',
    }
    for name, text in commands.items():
        (root / "bin" / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (root / "bin" / name).chmod(0o755)
    text = (ROOT / "systemd/deb/prerm").read_text(encoding="utf-8")
    for name, below in (("var/lib/crisscross", "var"), ("etc/crisscross", "."), ("opt/crisscross", ".")):
        text = text.replace(f"/{name}/", f"{root / below}/")
    (root / "prerm").write_text(
        text.replace("/run/crisscross-without-copy", f"{root}/without"), encoding="utf-8"
    )
    return root / "prerm"


def test_the_manual_page_has_every_command(deb: ModuleType) -> None:
    page = deb.run_command(sys.executable, ".ci/man.py", "0.1.0")
    assert page.startswith(".TH CRISSCROSS 1")
    assert ".SH crisscross check\n" in page
    assert ".SH crisscross rounds\n" in page


@pytest.mark.serial
def test_a_32_bit_system_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "getconf").write_text("#!/bin/sh\necho 32\n", encoding="utf-8")
    (tmp_path / "getconf").chmod(0o755)
    shutil.copy2(ROOT / "Makefile", tmp_path / "Makefile")
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    made = subprocess.run(
        ["make", ".venv/.done/venv"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    assert made.stderr.startswith("make: needs a 64-bit system, and this one has 32 bits: install")
    assert not (tmp_path / ".venv").exists()
