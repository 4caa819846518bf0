"""`make deb`: the program with all its libraries, units, users and udev rules as one Debian package in dist/.

Everything comes from the lock files, by hash, as wheels; nothing is compiled, and nothing of the table's
machine is run, so that an arm64 package can be made anywhere. A table that installs it needs no network and
no compiler. /opt/crisscross has only files of the package (`dpkg --verify`).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import licences

ROOT = Path(__file__).resolve().parents[1]
HOME = "opt/crisscross"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
LOCKS = ("requirements.lock", "requirements-pi.lock", "requirements-uplink.lock")
LGPIO = "lgpio"
WHEELS, SUMS = ROOT / "dist/wheels", ROOT / "systemd/deb/wheels.sha256"
UNITS = "usr/lib/systemd/system"
DOC = "usr/share/doc/crisscross-table"
PAGES = (
    "config/table.yaml",
    "controller/COMMANDS.md",
    "controller/decisions/0015-networked-programs-own-no-file.md",
    "controller/evidence/EVIDENCE.md",
    "controller/floor/pit/PIT.md",
    "controller/floor/uplink/UPLINK.md",
    "controller/record/seal/SEAL.md",
    "controller/record/witness/WITNESS.md",
    "drivers/chips/FEIG.md",
    "drivers/shoe/LINK.md",
    "hardware/wiring.md",
    "systemd/README.md",
    "systemd/image/IMAGE.md",
    "tests/EVIDENCE.md",
)
"""Pages that the package has below DOC under their own path: those that its texts and its README name."""
FILES = {
    f"{UNITS}/crisscross.service": "systemd/crisscross.service",
    f"{UNITS}/crisscross-pages.service": "systemd/crisscross-pages.service",
    f"{UNITS}/crisscross-display.service": "systemd/crisscross-display.service",
    f"{UNITS}/crisscross-witness-feed.service": "systemd/crisscross-witness-feed.service",
    f"{UNITS}/crisscross-witness-checkpoints.service": "systemd/crisscross-witness-checkpoints.service",
    f"{UNITS}/crisscross-uplink.service": "systemd/crisscross-uplink.service",
    f"{UNITS}/crisscross-uplink-tell.service": "systemd/crisscross-uplink-tell.service",
    f"{UNITS}/crisscross-archive.service": "systemd/crisscross-archive.service",
    f"{UNITS}/crisscross-archive.timer": "systemd/crisscross-archive.timer",
    "usr/lib/sysusers.d/crisscross.conf": "systemd/crisscross.sysusers.conf",
    "usr/lib/tmpfiles.d/crisscross.conf": "systemd/crisscross.tmpfiles.conf",
    "usr/lib/modules-load.d/crisscross.conf": "systemd/crisscross.modules.conf",
    "usr/lib/systemd/system.conf.d/crisscross.conf": "systemd/crisscross.system.conf",
    "usr/lib/systemd/journald.conf.d/crisscross.conf": "systemd/crisscross.journald.conf",
    "usr/lib/udev/rules.d/60-crisscross-pins.rules": "hardware/60-crisscross-pins.rules",
    "usr/lib/udev/rules.d/99-crisscross.rules": "hardware/99-crisscross.rules",
    "usr/lib/udev/rules.d/99-crisscross-boards.rules": "hardware/99-crisscross-boards.rules",
    "usr/share/crisscross/waiting.html": "systemd/waiting.html",
    "usr/share/crisscross/table.yaml": "config/table.yaml",
    "usr/share/crisscross/pins.yaml": "hardware/pins.yaml",
    "usr/share/crisscross/crisscross-evidence.service": "systemd/crisscross-evidence.service",
    "usr/share/crisscross/crisscross-evidence.sysusers.conf": "systemd/crisscross-evidence.sysusers.conf",
    "usr/share/crisscross/crisscross-pit.service": "systemd/crisscross-pit.service",
    "usr/share/crisscross/crisscross-pit.sysusers.conf": "systemd/crisscross-pit.sysusers.conf",
    "usr/share/crisscross/crisscross-witness.service": "systemd/crisscross-witness.service",
    "usr/share/crisscross/crisscross-witness.sysusers.conf": "systemd/crisscross-witness.sysusers.conf",
    f"{DOC}/copyright": "systemd/deb/copyright",
    "etc/chromium/policies/managed/crisscross.json": "systemd/chromium-policy.json",
    **{f"{DOC}/{page}": page for page in PAGES},
}
"""Path in the package -> path in the checkout. A file below etc/ is kept if a technician has changed it."""
MANUALS = f"{DOC}/manuals"
"""Folder of the manuals as PDF files, by language."""
SCRIPTS = ("postinst", "prerm", "postrm")
COMMAND = """#!/{home}/bin/python3
import sys

from controller.cli import main

sys.exit(main())
"""
CONTROL = """Package: crisscross-table
Version: {version}
Architecture: {arch}
Maintainer: Criss-Cross Table <crisscross-table@example.invalid>
Installed-Size: {size}
Depends: {depends}
Suggests: chrony, cage, xwayland, chromium, seatd, psmisc
Section: misc
Priority: optional
Description: controller under a Criss-Cross Poker table
 Reads the cards from an automated dealing shoe and the chips from RFID readers under the betting circles,
 keeps the order of deal and play, and tells the dealer one thing at a time. It brings its own libraries.
"""


@dataclass(frozen=True, slots=True)
class Series:
    """A release of Debian: its Python, the glibc that wheels may ask for, the suffix of its packages."""

    python: str
    glibc: str
    suffix: str


SERIES = {"bookworm": Series("3.11", "2_36", "deb12"), "trixie": Series("3.13", "2_40", "deb13")}


def run_command(*command: str) -> str:
    """Return the output of a command, run with the program of this checkout."""
    of_here = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=of_here, capture_output=True, text=True, check=True
    ).stdout.strip()


def version() -> tuple[str, int]:
    """Return the package's version and the commit's time in s since 1970. A commit without a release's tag
    is a snapshot: `~` sorts it before its release, `+` after a release that it contains. Its stamp is UTC, so
    that builders agree."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    number, tag = project.replace("rc", "~rc"), f"v{project.replace('rc', '-rc')}"
    when, commit = run_command("git", "log", "-1", "--format=%ct %h").split()
    if tag in run_command("git", "tag", "--points-at", "HEAD").split():
        return number, int(when)
    stamp = datetime.fromtimestamp(int(when), UTC).strftime("%Y%m%d%H%M%S")
    sign = "+" if tag in run_command("git", "tag", "--merged", "HEAD").split() else "~"
    return f"{number}{sign}git{stamp}.{commit}", int(when)


def libraries(site: Path, arch: str, series: Series) -> bool:
    """All that the lock files name for that machine. False: without lgpio, which Raspberry Pi OS brings."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = [_for(lock, arch, series, Path(scratch)) for lock in LOCKS if (ROOT / lock).exists()]
        platform = f"{MACHINES[arch]}-manylinux_{series.glibc}"
        command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--require-hashes", "--no-deps",
                   "--only-binary", ":all:", "--link-mode", "copy", "--python-version", series.python,
                   "--python-platform", platform, "--target", str(site)]  # fmt: skip
        subprocess.run(
            [*command, *(part for lock in wanted for part in ("-r", str(lock)))], cwd=ROOT, check=True
        )
    if arch == "arm64" and (wheel := built(LGPIO, series)):
        with zipfile.ZipFile(wheel) as packed:  # of what goes into site-packages (PEP 427)
            packed.extractall(site)
    shutil.rmtree(site / "bin", ignore_errors=True)
    (site / ".lock").unlink(missing_ok=True)  # uv's own
    return brings_lgpio(arch, series)


def brings_lgpio(arch: str, series: Series) -> bool:
    """By its makers' wheel, or by ours (`make wheels`)."""
    return arch == "arm64" and (series.python == "3.11" or built(LGPIO, series) is not None)


def built(library: str, series: Series) -> Path | None:
    """Our own wheel of a library, if it lies in dist/wheels and its sum is the repository's."""
    tag = f"cp{series.python.replace('.', '')}"
    for line in SUMS.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        wheel = WHEELS / name
        if name.lower().replace(".", "_").startswith(f"{library}-".replace(".", "_")) and f"-{tag}-" in name:
            return (
                wheel if wheel.exists() and hashlib.sha256(wheel.read_bytes()).hexdigest() == digest else None
            )
    return None


def _for(lock: str, arch: str, series: Series, folder: Path) -> Path:
    """The lock file, without lgpio where its makers have no wheel."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    if arch == "arm64" and series.python != "3.11":
        text = re.sub(rf"(?m)^{LGPIO}==(?:.*\\\n)*.*\n", "", text)
    copy = folder / lock
    copy.write_text(text, encoding="utf-8")
    return copy


def program(site: Path) -> None:
    """The project itself, by its wheel."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        wheel = [
            *pip,
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--wheel-dir",
            folder,
            str(ROOT),
        ]
        subprocess.run(wheel, check=True)
        (built,) = Path(folder).glob("*.whl")
        subprocess.run(
            [
                *pip,
                "install",
                "--no-deps",
                "--no-index",
                "--no-compile",
                "--upgrade",
                "--target",
                str(site),
                str(built),
            ],
            check=True,
        )
    shutil.rmtree(site / "bin", ignore_errors=True)
    for record in site.glob("crisscross_table-*.dist-info/RECORD"):
        # where the wheel lay, which is different each time
        record.with_name("direct_url.json").unlink(missing_ok=True)
        kept = [
            line for line in record.read_text(encoding="utf-8").splitlines() if "direct_url.json" not in line
        ]
        record.write_text("\n".join(kept) + "\n", encoding="utf-8")


def environment(tree: Path, series: Series) -> Path:
    """A virtual environment as files; the folder for its libraries."""
    home = tree / HOME
    site = home / f"lib/python{series.python}/site-packages"
    site.mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "bin/python3").symlink_to(f"/usr/bin/python{series.python}")
    (home / "bin/python").symlink_to("python3")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {series.python}\n",
        encoding="utf-8",
    )
    command = home / "bin/crisscross"
    command.write_text(COMMAND.format(home=HOME), encoding="utf-8")
    command.chmod(0o755)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/crisscross").symlink_to(f"/{HOME}/bin/crisscross")
    return site


def system_s_lgpio(site: Path, series: Series) -> None:
    """Links to the two files of Raspberry Pi OS's python3-lgpio, and to nothing else of the system's."""
    tag = series.python.replace(".", "")
    for name in ("lgpio.py", f"_lgpio.cpython-{tag}-aarch64-linux-gnu.so"):
        (site / name).symlink_to(f"/usr/lib/python3/dist-packages/{name}")


def system(tree: Path, number: str) -> None:
    """Units, users, rules, pages."""
    for to, source in FILES.items():
        (tree / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, tree / to)
    _zipped(tree / f"{DOC}/changelog.gz", (ROOT / "CHANGELOG.md").read_bytes())
    page = run_command(sys.executable, ".ci/man.py", number)
    _zipped(tree / "usr/share/man/man1/crisscross.1.gz", f"{page}\n".encode())


def copyrights(tree: Path, site: Path) -> None:
    """Add the licence of each library to the package's copyright file."""
    with (tree / "usr/share/doc/crisscross-table/copyright").open("a", encoding="utf-8") as file:
        file.write(licences.stanzas(site, str(site.relative_to(tree))))


def manuals(folder: Path) -> None:
    """Print the manuals. Raise SystemExit with one line if Chromium cannot."""
    try:
        run_command(sys.executable, "-m", "tests.manuals.paper", str(folder))
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["the manuals cannot be printed"]
        raise SystemExit(f"make deb: {lines[-1]}") from None


def _zipped(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, mtime=0))


def control(tree: Path, number: str, arch: str, series: Series) -> None:
    """Write the files that dpkg reads: maintainer, dependencies, configuration files, checksums."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(path.stat().st_size for path in files) // 1024
    below, above = series.python, f"3.{int(series.python.split('.')[1]) + 1}"
    depends = f"python3 (>= {below}), python3 (<< {above}), systemd (>= 252), udev, debconf | debconf-2.0"
    if arch == "arm64" and not brings_lgpio(arch, series):
        depends += ", python3-lgpio"
    to = tree / "DEBIAN"
    to.mkdir()
    (to / "control").write_text(
        CONTROL.format(version=number, arch=arch, size=size, depends=depends), encoding="utf-8"
    )
    kept = [f"/{path}" for path in FILES if path.startswith("etc/")]
    (to / "conffiles").write_text("".join(f"{path}\n" for path in kept), encoding="utf-8")
    sums = "".join(f"{_md5(path)}  {path.relative_to(tree)}\n" for path in files)
    (to / "md5sums").write_text(sums, encoding="utf-8")
    shutil.copyfile(ROOT / "systemd/deb/templates", to / "templates")
    for script in SCRIPTS:
        shutil.copyfile(ROOT / "systemd/deb" / script, to / script)
        (to / script).chmod(0o755)


def _md5(path: Path) -> str:
    """Return the sum that `dpkg --verify` compares. It detects damage and proves nothing."""
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def settle(tree: Path, when: int) -> None:
    """Set modes and times that do not depend on the machine, so that one commit gives one package."""
    for path in [tree, *sorted(tree.rglob("*"))]:
        if not path.is_symlink():
            runs = path.is_dir() or path.parent.name == "bin" or path.name in SCRIPTS
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (when, when), follow_symlinks=False)


def build(arch: str, name: str, to: Path, packing: str = "xz") -> Path:
    """The package's path."""
    series, (number, when) = SERIES[name], version()
    number = f"{number}+{series.suffix}"
    os.environ["SOURCE_DATE_EPOCH"] = str(when)
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        tree.mkdir()
        site = environment(tree, series)
        if not libraries(site, arch, series) and arch == "arm64":
            system_s_lgpio(site, series)
        program(site)
        system(tree, number)
        manuals(tree / MANUALS)
        copyrights(tree, site)
        control(tree, number, arch, series)
        settle(tree, when)
        to.mkdir(exist_ok=True)
        package = to / f"crisscross-table_{number}_{arch}.deb"
        unfinished = package.with_suffix(".unfinished")
        run_command("dpkg-deb", "--root-owner-group", f"-Z{packing}", "--build", str(tree), str(unfinished))
    return unfinished.replace(package)


def main() -> int:
    own = {series.python: name for name, series in SERIES.items()}
    running = own.get(f"{sys.version_info[0]}.{sys.version_info[1]}", "bookworm")
    parser = argparse.ArgumentParser(prog="make deb", description=__doc__.splitlines()[0])
    parser.add_argument("--arch", choices=MACHINES, default=None, help="default: this machine's")
    parser.add_argument(
        "--series", choices=SERIES, default=running, help="default: that of this machine's Python"
    )
    chosen = parser.parse_args()
    if shutil.which("dpkg-deb") is None:
        sys.stderr.write("make deb: dpkg-deb is missing: make the package on a Debian or Raspberry Pi OS\n")
        return 2
    arch = chosen.arch or run_command("dpkg", "--print-architecture")
    if arch not in MACHINES:
        sys.stderr.write(
            f"make deb: no package for {arch}: allowed are {', '.join(MACHINES)}, the 64-bit ones\n"
        )
        return 2
    if arch == "arm64" and not brings_lgpio(arch, SERIES[chosen.series]):
        words = "no wheel of lgpio in dist/wheels (make wheels): the package asks for Raspberry Pi OS's own"
        sys.stderr.write(f"make deb: {words}\n")
    sys.stdout.write(f"{build(arch, chosen.series, ROOT / 'dist').relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
