"""`make image`: a disk for a table in dist/, to be written onto an SSD or a card as it is.

A Debian for arm64, the package of `make deb`, a read-only root, and partitions of their own for what a
technician writes and for the game's journal (systemd/image/IMAGE.md). Needs root and qemu-user, because
Debian's packages run scripts of the machine that they are for. It writes no disk of this machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.arm.tree import Tree, make_tree, reason, remove  # noqa: E402  # the same trees as the trial on arm64

MIB = 1024 * 1024
GRAIN = MIB
PARTITIONS = {"boot": 256, "root": 0, "config": 512, "journal": 1024}
"""Name -> MiB; 0: what it takes. The journal's is the last, so that it can grow onto the rest of a disk."""
TYPES = {"boot": "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"}
LINUX = "0FC63DAF-8483-4772-8E79-3D69D8477DE4"
BOOT = ("linux-image-arm64", "raspi-firmware", "initramfs-tools", "zstd", "kmod", "e2fsprogs", "chrony",
        "iproute2")  # fmt: skip
DISPLAY = ("cage", "chromium", "seatd", "fonts-dejavu-core")
TOOLS = {"mksquashfs": "squashfs-tools", "mkfs.vfat": "dosfstools", "mcopy": "mtools", "mke2fs": "e2fsprogs",
         "sfdisk": "fdisk"}  # fmt: skip
LEFT_OUT = ("boot/*", "var/cache/apt/*", "var/lib/apt/lists/*", "var/log/*", "tmp/*", "run/*", "root/*.deb")
CONFIG_OF = Path("etc/crisscross")


def run(*command: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=True, text=True, **more)  # type: ignore[call-overload, no-any-return]


def furnish(tree: Path, package: Path, display: bool) -> None:
    """The package, its units, and what makes the root read-only."""
    _lay(ROOT / "systemd/image/root", tree)
    for folder in ("overlay/config", "overlay/ram", "boot/firmware"):
        (tree / folder).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(package, tree / "root" / package.name)
    inside = Tree(tree)
    for command in (
        ("apt-get", "install", "-y", "--no-install-recommends", f"./{package.name}"),
        ("update-initramfs", "-c", "-k", _kernel(tree)),
    ):
        done = inside.run(*command)
        if done.returncode:
            sys.exit(f"make image: {' '.join(command)}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    units = ["systemd-networkd.service", *(["crisscross-display.service"] if display else [])]
    run("systemctl", "--quiet", f"--root={tree}", "enable", *units)
    (tree / "etc/machine-id").write_text("", encoding="utf-8")  # each table makes its own
    (tree / "etc/hostname").write_text("crisscross\n", encoding="utf-8")
    (tree / "etc/resolv.conf").unlink(missing_ok=True)


def _lay(source: Path, tree: Path) -> None:
    """A folder over a tree, as root's files."""
    packed = ["tar", "-C", source, "--owner=0", "--group=0", "-c", "."]
    found = subprocess.run(packed, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-C", tree, "-x"], input=found, check=True)


def boot(tree: Path, to: Path) -> None:
    """The Pi's firmware, Debian's kernel and device trees, and what the kernel is told."""
    size = str(PARTITIONS["boot"] * 1024)
    run("mkfs.vfat", "-C", "-F", "32", "-n", "BOOT", to, size, stdout=subprocess.DEVNULL)
    version = _kernel(tree)
    trees = sorted((tree / f"usr/lib/linux-image-{version}/broadcom").glob("bcm27*.dtb"))
    blobs = sorted((tree / "usr/lib/raspi-firmware").iterdir())
    ours = [ROOT / "systemd/image/config.txt", ROOT / "systemd/image/cmdline.txt"]
    run("mcopy", "-i", to, tree / f"boot/vmlinuz-{version}", "::vmlinuz")
    run("mcopy", "-i", to, tree / f"boot/initrd.img-{version}", "::initrd.img")
    run("mcopy", "-i", to, *blobs, *trees, *ours, "::")


def _kernel(tree: Path) -> str:
    """The version of the one that is installed."""
    (kernel,) = (tree / "boot").glob("vmlinuz-*")
    return kernel.name.removeprefix("vmlinuz-")


def root(tree: Path, to: Path) -> None:
    run("mksquashfs", tree, to, "-comp", "zstd", "-Xcompression-level", "15", "-noappend", "-quiet",
        "-no-progress", "-one-file-system", "-wildcards", "-e", *LEFT_OUT)  # fmt: skip


def config(etc: Path | None, root_of: Path, to: Path) -> None:
    """The partition that is laid over /etc: empty, or with a technician's files."""
    with tempfile.TemporaryDirectory() as scratch:
        upper = Path(scratch) / "etc"
        upper.mkdir(mode=0o755)
        if etc is not None:
            _lay(etc, upper)
            ours = Path(scratch) / CONFIG_OF
            if ours.is_dir():
                _readable(ours, group(root_of, "crisscross"))
        _ext4(to, "config", Path(scratch))


def _readable(folder: Path, gid: int) -> None:
    """Root's to write, the daemon's to read, nobody else's."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 0, gid)
        path.chmod(0o750 if path.is_dir() else 0o640)


def group(squashfs: Path, name: str) -> int:
    """A group's number in the image."""
    lines = run("unsquashfs", "-cat", squashfs, "etc/group", capture_output=True).stdout.splitlines()
    return next(int(line.split(":")[2]) for line in lines if line.startswith(f"{name}:"))


def _ext4(to: Path, name: str, content: Path | None = None) -> None:
    with to.open("wb") as file:
        file.truncate(PARTITIONS[name] * MIB)
    run("mke2fs", "-q", "-t", "ext4", "-L", name, "-m", "1", *(["-d", content] if content else []), to)


def disk(parts: dict[str, Path], to: Path) -> None:
    """The partitions one after another behind a GPT."""
    with to.open("wb") as file:
        file.truncate(2 * GRAIN + sum(_grains(part) for part in parts.values()))
    lines, at = ["label: gpt", "first-lba: 2048"], GRAIN
    for name, part in parts.items():
        lines.append(
            f"start={at // 512}, size={_grains(part) // 512}, name={name}, type={TYPES.get(name, LINUX)}"
        )
        run(
            "dd", f"if={part}", f"of={to}", "bs=1M", f"seek={at // MIB}", "conv=notrunc,sparse", "status=none"
        )
        at += _grains(part)
    run("sfdisk", "--quiet", to, input="\n".join(lines) + "\n", stdout=subprocess.DEVNULL)


def _grains(part: Path) -> int:
    return -(-part.stat().st_size // GRAIN) * GRAIN


def build(tree: Path, etc: Path | None, to: Path) -> None:
    """The image of a furnished tree."""
    with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
        parts = {name: Path(scratch) / name for name in PARTITIONS}
        boot(tree, parts["boot"])
        root(tree, parts["root"])
        config(etc, parts["root"], parts["config"])
        _ext4(parts["journal"], "journal")
        disk(parts, to)


def wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make image", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=("bookworm", "trixie"), default="bookworm")
    parser.add_argument("--package", type=Path, help="default: made now")
    over = "goes over /etc: crisscross/table.yaml and the like"
    parser.add_argument("--etc", type=Path, metavar="FOLDER", help=over)
    parser.add_argument("--without-display", action="store_true", help="without cage and Chromium")
    ready = "a Debian with kernel and firmware that is there already; it is copied"
    parser.add_argument("--tree", type=Path, help=ready)
    return parser.parse_args()


def bare(chosen: argparse.Namespace) -> Path:
    """The Debian before the package: made, or there already."""
    if chosen.tree is not None:
        return Path(chosen.tree)
    base = ROOT / "build/image" / f"{chosen.series}{'-bare' if chosen.without_display else ''}"
    packages = (*BOOT, *(() if chosen.without_display else DISPLAY))
    make_tree(chosen.series, base, packages, "main,non-free-firmware")
    return base


def main() -> int:
    chosen = wanted()
    missing = [package for command, package in TOOLS.items() if shutil.which(command) is None]
    lacking = f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}" if missing else ""
    if why := reason("image") or lacking:
        sys.stderr.write(f"make image: {why}\n")
        return 2
    base, package = bare(chosen), chosen.package
    if package is None:
        command = [sys.executable, ".ci/deb.py", "--arch", "arm64", "--series", chosen.series]
        package = ROOT / run(*command, cwd=ROOT, capture_output=True).stdout.strip()
    to = ROOT / "dist" / f"{package.stem}.img"
    to.parent.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="furnished-", dir=base.parent))
    try:
        run("cp", "-a", "--reflink=auto", base, folder / "tree")
        furnish(folder / "tree", package, display=not chosen.without_display)
        build(folder / "tree", chosen.etc, to)
    finally:
        remove(folder)
    sys.stdout.write(f"{to.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
