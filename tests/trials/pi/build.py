"""Builds the files that the emulated Pi boots: Debian's kernel, its device tree, and a root in memory.

Debian's arm64 packages are unpacked, not installed, so that this machine runs no arm64 program. The root has
busybox, Debian 12's Python, the packages of the lock files, RPi.GPIO and the program of this checkout.
"""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.repository.house import ROOT
from tests.trials.arm.tree import ARCHIVE, remove

sys.path.insert(0, str(ROOT / ".ci"))
import image  # scripts outside any package
import wheels

HERE = Path(__file__).parent
TREES = ("controller", "drivers", "hardware", "config", "tests/trials/kernel", "tests/trials/pi")
SERIES = "bookworm"
"""Debian release of the root, whatever release the kernel is from, because lgpio has a wheel for its Python.
"""
PYTHON = (3, 11)
NAME = "python3.11"
ROOT_PACKAGES = ("busybox-static", "python3", "libpython3.11-dev")
MODULES = ("drivers/spi/spi-bcm2835", "net/ipv4/inet_diag", "net/ipv4/tcp_diag")
LOCKS = ("requirements.lock", "requirements-pi.lock")
COMPILED = {"RPi.GPIO": "RPi/_GPIO.so", "spidev": "spidev.so"}
"""Libraries without a wheel -> the file that is compiled from their C sources."""
LEFT_OUT = (
    "*.a",
    "gconv",
    "perl*",
    "idlelib",
    "ensurepip",
    "lib2to3",
    "turtledemo",
    "test",
    "tests",
    "config-*",
)
TRIPLET = "aarch64-linux-gnu"
NEEDED = {"qemu-system-aarch64": "qemu-system-arm", "mmdebstrap": "mmdebstrap", "cpio": "cpio",
          "dtc": "device-tree-compiler", f"{TRIPLET}-gcc": "gcc-aarch64-linux-gnu"}  # fmt: skip
BOARD = "bcm2837-rpi-3-b.dtb"


def reason() -> str:
    """Return why no Pi can be emulated here, or "" if one can."""
    if os.geteuid() != 0:
        return "only root may unpack what it boots: sudo make test-pi"
    missing = [package for command, package in NEEDED.items() if shutil.which(command) is None]
    return f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}" if missing else ""


@dataclass(frozen=True, slots=True)
class Built:
    """Files with which QEMU is started."""

    kernel: Path
    device_tree: Path
    archive: Path


def build(series: str, folder: Path) -> Built:
    """Build everything for the kernel of that Debian. The first time takes the network."""
    folder.mkdir(parents=True, exist_ok=True)
    packages = _unpacked(f"kernel-{series}", series, ("linux-image-arm64",), folder)
    root, archive = folder / f"root-{series}", folder / f"root-{series}.cpio"
    _build_root(root, packages, folder)
    files = subprocess.run(["find", "."], cwd=root, check=True, capture_output=True).stdout
    with archive.open("wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=root, input=files, stdout=out, check=True)
    (kernel,) = (packages / "boot").glob("vmlinuz-*")
    return Built(kernel, _device_tree(packages, folder / f"{series}.dtb"), archive)


def _unpacked(name: str, series: str, packages: Sequence[str], folder: Path) -> Path:
    """Unpack packages and those that they need, once."""
    to, done = folder / name, folder / f"{name}.done"
    if not (done.exists() and done.read_text() == " ".join(packages)):
        remove(to)
        command = ["mmdebstrap", "--quiet", "--arch=arm64", "--variant=extract",
                   f"--include={','.join(packages)}", series, str(to), ARCHIVE]  # fmt: skip
        subprocess.run(command, check=True)
        done.write_text(" ".join(packages))
    return to


def _device_tree(packages: Path, to: Path) -> Path:
    """Make the board's device tree as the image has it, with a Pi's revision and a console."""
    (tree,) = packages.glob(f"usr/lib/linux-image-*/broadcom/{BOARD}")
    with_lamps, overlay = to.with_suffix(".lamps"), to.with_suffix(".dtbo")
    image.lamps(tree, with_lamps)
    subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", overlay, HERE / "pi.dts"], check=True)
    subprocess.run(["fdtoverlay", "-i", with_lamps, "-o", to, overlay], check=True)
    return to


def _build_root(root: Path, packages: Path, folder: Path) -> None:
    remove(root)
    debian = _unpacked("debian", SERIES, ROOT_PACKAGES, folder)
    for name in (
        "bin",
        "proc",
        "sys",
        "dev",
        "tmp",
        "run",
        "modules",
        "opt",
        "usr/bin",
        "usr/share/zoneinfo",
    ):
        (root / name).mkdir(parents=True)
    shutil.copy(debian / "bin/busybox", root / "bin")
    shutil.copy(debian / "usr/bin" / NAME, root / "usr/bin")
    for part in (f"lib/{TRIPLET}", f"usr/lib/{TRIPLET}", f"usr/lib/{NAME}"):
        shutil.copytree(debian / part, root / part, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copy(debian / "lib/ld-linux-aarch64.so.1", root / "lib")
    shutil.copy("/usr/share/zoneinfo/UTC", root / "usr/share/zoneinfo")
    shutil.copy(HERE / "guest/init", root / "init")
    (root / "init").chmod(0o755)
    _copy_modules(packages, root / "modules")
    _copy_program(root / "opt/table")
    _install_libraries(root / "opt/libraries", debian, folder)
    if sys.version_info[:2] == PYTHON:
        # compiled on the host: the emulated machine takes a minute for one second of host time
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", root / "opt", root / "usr/lib"], check=False
        )


def _copy_modules(packages: Path, to: Path) -> None:
    """Copy the kernel's modules, decompressed; a built-in one has no file."""
    (installed,) = (*packages.glob("usr/lib/modules/*"), *packages.glob("lib/modules/*"))
    for name in MODULES:
        plain = installed / f"kernel/{name}.ko"
        packed = plain.with_suffix(".ko.xz")
        if packed.exists():
            (to / plain.name).write_bytes(lzma.decompress(packed.read_bytes()))
        elif plain.exists():
            shutil.copy(plain, to)


def _copy_program(to: Path) -> None:
    for tree in TREES:
        ignored = shutil.ignore_patterns("*.svg", "*.png", "__pycache__")
        shutil.copytree(ROOT / tree, to / tree, ignore=ignored)
    for package in ("tests", "tests/trials"):
        shutil.copy(ROOT / package / "__init__.py", to / package)


def _install_libraries(to: Path, debian: Path, folder: Path) -> None:
    locks = [word for lock in LOCKS for word in ("-r", str(ROOT / lock))]
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--require-hashes", "--no-deps",
               "--only-binary", ":all:", "--link-mode", "copy", "--python-version", "3.11",
               "--python-platform", "aarch64-manylinux_2_36", "--target", str(to)]  # fmt: skip
    subprocess.run([*command, *locks], check=True)
    sources = folder / "sources"
    if not sources.exists():
        sources.mkdir()
        wheels.fetch(SERIES, sources)
    for archive in sorted(sources.glob("*.tar.gz")):
        with tarfile.open(archive) as packed:
            packed.extractall(sources, filter="data")
    for library, compiled in COMPILED.items():
        (source,) = (path for path in sources.glob(f"{library}-*") if path.is_dir())
        if library == "RPi.GPIO":
            shutil.copytree(source / "RPi", to / "RPi")
        _compile(sorted(source.rglob("*.c")), debian / "usr/include", to / compiled)


def _compile(sources: Sequence[Path], include: Path, to: Path) -> None:
    command = [f"{TRIPLET}-gcc", "-shared", "-fPIC", "-O2", "-w", f"-I{include / NAME}", f"-I{include}",
               *map(str, sources), "-o", str(to)]  # fmt: skip
    subprocess.run(command, check=True)
