"""Builds the files that the emulated machine boots: two kernel modules, and a root file system in memory.

The root has busybox, this Python, the packages of requirements.lock, lgpio and the program of this checkout,
and no disk. The machine reads nothing from the host while it runs, so that the host does not affect its time.
"""

from __future__ import annotations

import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

from tests.archives import opened
from tests.repository.house import ROOT

GUEST = Path(__file__).parent / "guest"
TREES = ("controller", "drivers", "hardware", "config", "tests/trials/kernel")
SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
OF_DEBIAN = ("fs/configfs/configfs", "net/ipv4/inet_diag", "net/ipv4/tcp_diag")
KBUILD = "obj-m := benchgpio.o benchspi.o\nbenchgpio-y := gpio-sim.o irq_sim.o\n"
LEFT_OUT = ("test", "tests", "idlelib", "tkinter", "ensurepip", "lib2to3", "turtledemo", "site-packages")
NEEDED = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "cpio": "cpio", "gcc": "gcc"}
PACKAGES = ("linux-image-amd64", "linux-headers-amd64")
COMPILED_FROM = (3, 13)
"""First Python without a wheel of lgpio: pip compiles the lock's source, as `make wheels` does for a Pi."""


def reason() -> str:
    """Return why no machine can be made here, or "" if one can."""
    if platform.machine() != "x86_64":
        return "the machine is emulated with the kernel of an x86-64 Debian"
    if os.geteuid() != 0:
        return "only root may unpack and install what it boots: sudo make test-kernel"
    missing = [package for command, package in NEEDED.items() if shutil.which(command) is None]
    if not kernels():
        missing += PACKAGES
    if not list(Path("/usr/src").glob("linux-source-*.tar.*")):
        missing.append("linux-source")
    if sys.version_info >= COMPILED_FROM:
        missing += [] if shutil.which("swig") else ["swig"]
        missing += [] if Path(sysconfig.get_path("include"), "Python.h").exists() else ["python3-dev"]
    return f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}" if missing else ""


def kernels() -> list[str]:
    """Return the versions that have an image, modules and headers, the newest last."""
    found = [path.name.removeprefix("vmlinuz-") for path in Path("/boot").glob("vmlinuz-*-amd64")]
    return sorted(version for version in found if Path(f"/usr/src/linux-headers-{version}").exists())


def build_modules(version: str, folder: Path) -> None:
    """Compile gpio-sim, which Debian leaves out, and the SPI controller with the lamp board."""
    folder.mkdir(parents=True, exist_ok=True)
    short = ".".join(version.split(".")[:2])
    if not (folder / "gpio-sim.c").exists():
        archive = Path(f"/usr/src/linux-source-{short}.tar.xz")
        with opened(archive) as source:
            for member in source:
                wanted = member.name.partition("/")[2]
                if wanted in SOURCES:
                    member.name = Path(wanted).name
                    source.extract(member, folder)
    # a module may not access the kernel's descriptor of an interrupt; the same call by number is exported
    simulated = folder / "irq_sim.c"
    text = simulated.read_text().replace(
        "handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)"
    )
    simulated.write_text(text)
    shutil.copy(GUEST / "benchspi.c", folder)
    (folder / "Kbuild").write_text(KBUILD)
    headers = f"/usr/src/linux-headers-{version}"
    subprocess.run(
        ["make", "-s", "-C", headers, f"M={folder}", "modules"], check=True, stdout=subprocess.DEVNULL
    )


def build_root(version: str, modules: Path, root: Path, archive: Path, steps: str) -> None:
    """Write the root as the archive with which a kernel fills its memory."""
    shutil.rmtree(root, ignore_errors=True)
    for name in ("bin", "proc", "sys", "dev", "modules", "opt/table", "opt/python/bin", "lib64"):
        (root / name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox") or "", root / "bin/busybox")
    shutil.copy(GUEST / "init", root / "init")
    (root / "init").chmod(0o755)
    (root / "steps").write_text(steps)
    _copy_modules(Path("/lib/modules", version), root / "modules")
    for built in modules.glob("bench*.ko"):
        shutil.copy(built, root / "modules")
    (root / "etc").mkdir()
    (root / "etc/passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    zones = root / "usr/share/zoneinfo"
    zones.mkdir(parents=True)
    shutil.copy("/usr/share/zoneinfo/UTC", zones)
    _copy_python(root)
    for tree in TREES:
        shutil.copytree(
            ROOT / tree, root / "opt/table" / tree, ignore=shutil.ignore_patterns("*.svg", "*.png")
        )
    for package in ("tests", "tests/trials"):
        shutil.copy(ROOT / package / "__init__.py", root / "opt/table" / package)
    _copy_packages(root / "opt/libraries")
    _copy_libraries(root)
    # compiled on the host: the emulated machine takes a minute for one second of host time
    subprocess.run([sys.executable, "-m", "compileall", "-q", root / "opt"], check=True)
    files = subprocess.run(["find", "."], cwd=root, check=True, capture_output=True).stdout
    with archive.open("wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=root, input=files, stdout=out, check=True)


def _copy_modules(installed: Path, to: Path) -> None:
    """Copy the modules of Debian's kernel that the machine needs, decompressed. One that is built into the
    kernel has no file and needs no copy."""
    built_in = (installed / "modules.builtin").read_text().split()
    for name in OF_DEBIAN:
        plain = installed / f"kernel/{name}.ko"
        packed = plain.with_suffix(".ko.xz")
        if packed.exists():
            (to / plain.name).write_bytes(lzma.decompress(packed.read_bytes()))
        elif plain.exists():
            shutil.copy(plain, to)
        elif f"kernel/{name}.ko" not in built_in:
            sys.exit(f"make test-kernel: {plain} is missing, and modules.builtin does not name it: "
                     f"apt-get install --reinstall linux-image-{installed.name}")  # fmt: skip


def _copy_python(root: Path) -> None:
    base, version = Path(sys.base_prefix), f"python{sys.version_info.major}.{sys.version_info.minor}"
    shutil.copy(base / "bin" / version, root / "opt/python/bin")
    ignored = shutil.ignore_patterns(*LEFT_OUT, "config-*")
    shutil.copytree(base / "lib" / version, root / "opt/python/lib" / version, ignore=ignored)


def _copy_packages(to: Path) -> None:
    """Copy the packages that a table runs on, and lgpio, which no lock installs on this machine."""
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if match := re.match(r"([\w-]+)==", line):
            files = metadata.distribution(match[1]).files or []
            for file in files:
                if ".." not in file.parts and Path(str(file.locate())).is_file():
                    (to / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(str(file.locate()), to / file)
    lock = (ROOT / "requirements-pi.lock").read_text()
    found = re.search(r"^(lgpio==\S+)[^\n]*\\\n((?: +--hash=\S+(?: \\)?\n)+)", lock, re.MULTILINE)
    assert found is not None, "requirements-pi.lock: names no lgpio"
    requirements = to.parent / "lgpio.txt"
    requirements.write_text(f"{found[1]} \\\n{found[2]}")
    install = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps",
               "--require-hashes", "--no-build-isolation", "--no-compile",
               "--root-user-action", "ignore"]  # fmt: skip
    # PYPI: a compiled lgpio brings its C library with it, as the wheels do
    subprocess.run([*install, "--target", to, "-r", requirements], check=True, env=os.environ | {"PYPI": "1"})


def _copy_libraries(root: Path) -> None:
    """Copy every shared library that a program or module in the root needs."""
    programs = [*root.glob("opt/python/bin/*"), *root.glob("opt/**/*.so"), *root.glob("opt/**/*.so.*")]
    output = subprocess.run(["ldd", *programs], check=False, capture_output=True, text=True).stdout
    for library in sorted(set(re.findall(r"(/\S+) \(0x", output))):
        if not library.startswith(str(root)):
            (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library[1:])
