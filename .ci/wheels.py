"""`make wheels`: the libraries for a Pi's pins that come as source alone, built once for a table's Debian.

Their sources come from the lock files by hash; they are compiled in a tree of that Debian for arm64, without
a network, and land in dist/wheels. What was built is held by its sum in systemd/deb/wheels.sha256: `make deb`
takes a wheel that is named there and no other. With --check nothing is written, and a wheel that differs is
status 1.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.trials.arm.tree import Tree, make_tree, reason, remove  # noqa: E402  # the same trees as the trial on arm64

WHEELS = ROOT / "dist/wheels"
SUMS = ROOT / "systemd/deb/wheels.sha256"
COMPILER = ("gcc", "libc6-dev", "python3-dev", "python3-pip", "python3-setuptools", "python3-wheel", "swig")
SOURCES = {"bookworm": {"rpi-gpio": "rpigpio", "spidev": "rpigpio"},
           "trixie": {"lgpio": "pi", "rpi-gpio": "rpigpio", "spidev": "rpigpio"}}  # fmt: skip
"""Without a wheel of their makers for that Python: the library -> the lock file that names it."""
EPOCH = "1767225600"
"""Time of the files in a wheel, in s since 1970: the same sources and compiler give the same wheel."""


def entry(library: str, lock: str) -> str:
    """A library's lines of a lock file."""
    text = (ROOT / f"requirements-{lock}.lock").read_text(encoding="utf-8")
    found = re.search(rf"(?m)^{re.escape(library)}==(?:.*\\\n)*.*\n", text)
    if found is None:
        sys.exit(f"make wheels: requirements-{lock}.lock does not name {library}")
    return found[0].replace(" ; platform_machine in 'aarch64 armv7l armv6l'", "")


def fetch(series: str, to: Path) -> list[Path]:
    """The sources, by hash."""
    lock = to / "sources.lock"
    lock.write_text("".join(entry(*one) for one in SOURCES[series].items()), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps"]
    more = [
        "--no-binary",
        ":all:",
        "--no-build-isolation",
        "--require-hashes",
        "-r",
        str(lock),
        "-d",
        str(to),
    ]
    subprocess.run([*command, *more], check=True)
    return sorted(to.glob("*.tar.gz"))


def compiled(tree: Path, sources: list[Path]) -> list[Path]:
    """Wheels, made in the tree. PYPI=1: lgpio brings its C library with it, as its makers' own wheels do."""
    inside = tree / "root/wheels"
    inside.mkdir(parents=True)
    for source in sources:
        shutil.copyfile(source, inside / source.name)
    settings = ["PYPI=1", f"SOURCE_DATE_EPOCH={EPOCH}", "CFLAGS=-O2 -g0 -ffile-prefix-map=/root=."]
    names = [f"/root/wheels/{source.name}" for source in sources]
    command = [
        "python3",
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--no-cache-dir",
    ]
    done = Tree(tree).run(*command, "-w", "/root/wheels", *names, environment=settings)
    if done.returncode:
        sys.exit(f"make wheels: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return sorted(inside.glob("*.whl"))


def known() -> dict[str, str]:
    """A wheel's name -> its sum."""
    lines = SUMS.read_text(encoding="utf-8").splitlines() if SUMS.exists() else []
    return {name: digest for digest, name in (line.split() for line in lines if not line.startswith("#"))}


def keep(wheels: list[Path]) -> None:
    """Into dist/wheels, and their sums into the repository."""
    WHEELS.mkdir(parents=True, exist_ok=True)
    sums = known()
    for wheel in wheels:
        shutil.copyfile(wheel, WHEELS / wheel.name)
        sums[wheel.name] = digest(wheel)
    head = "# Wheels of `make wheels`, which `make deb` puts into a package for arm64.\n"
    lines = [f"{value}  {name}\n" for name, value in sorted(sums.items())]
    SUMS.write_text(head + "".join(lines), encoding="utf-8")


def digest(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make wheels", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=SOURCES, default="trixie")
    parser.add_argument("--check", action="store_true", help="build again and compare; nothing is written")
    parser.add_argument("--tree", type=Path, help="an arm64 Debian with a compiler; it is copied")
    chosen = parser.parse_args()
    if why := reason("wheels"):
        sys.stderr.write(f"make wheels: {why}\n")
        return 2
    base = chosen.tree or ROOT / "build/arm" / f"{chosen.series}-compiler"
    if chosen.tree is None:
        make_tree(chosen.series, base, COMPILER)
    folder = Path(tempfile.mkdtemp(prefix="wheels-", dir=base.parent))
    try:
        (folder / "sources").mkdir()
        sources = fetch(chosen.series, folder / "sources")
        subprocess.run(["cp", "-a", "--reflink=auto", base, folder / "tree"], check=True)
        wheels = compiled(folder / "tree", sources)
        differ = [wheel.name for wheel in wheels if known().get(wheel.name) != digest(wheel)]
        if not chosen.check:
            keep(wheels)
    finally:
        remove(folder)
    sys.stdout.write("".join(f"dist/wheels/{wheel.name}\n" for wheel in wheels))
    if chosen.check and differ:
        sys.stderr.write(f"make wheels: not what {SUMS.relative_to(ROOT)} has: {', '.join(differ)}\n")
    return 1 if chosen.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
