"""`make image`: a disk for a table in dist/, to be written onto an SSD or a card, and an update beside it.

A Debian for arm64, the package of `make deb`, a read-only root and room for a second one, and partitions of
their own for what a technician writes and for the game's journal (systemd/image/IMAGE.md). Needs root and
qemu-user, because Debian's packages run scripts of the machine that they are for. It writes no disk of this
machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.trials.arm.tree import Tree, make_tree, reason, remove  # noqa: E402  # the same trees as the trial on arm64

MIB = 1024 * 1024
PARTITIONS = {"firmware": 64, "slots": 1, "kernel_a": 96, "root_a": 1024, "kernel_b": 96, "root_b": 1024,
              "config": 512, "journal": 1024}  # fmt: skip
"""Name -> MiB; boot.cmd counts them. The journal's is the last, so that it can grow onto the disk's rest."""
TYPES = {"firmware": "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"}
LINUX = "0FC63DAF-8483-4772-8E79-3D69D8477DE4"
BOOT = ("linux-image-arm64", "raspi-firmware", "initramfs-tools", "zstd", "kmod", "e2fsprogs", "chrony",
        "iproute2", "rauc", "rauc-service", "libubootenv-tool", "u-boot-rpi")  # fmt: skip
DISPLAY = ("cage", "xwayland", "chromium", "seatd", "fonts-dejavu-core")
"""Debian 12's cage ends where there is no Xwayland, and does not ask for it."""
TOOLS = {"mksquashfs": "squashfs-tools", "mkfs.vfat": "dosfstools", "mcopy": "mtools", "mke2fs": "e2fsprogs",
         "sfdisk": "fdisk", "mkimage": "u-boot-tools", "rauc": "rauc", "openssl": "openssl",
         "dtc": "device-tree-compiler"}  # fmt: skip
LEFT_OUT = ("boot/*", "var/cache/apt/*", "var/lib/apt/lists/*", "var/log/*", "tmp/*", "run/*", "root/*.deb")
CONFIG_OF = Path("etc/crisscross")
OVERLAY = ROOT / "systemd/image/spidev.dts"
GPIO, SPI = "/soc/gpio@7e200000", "/soc/spi@7e204000"
CHIP_SELECT, ACTIVE_LOW = "8", "1"
KEY, CERTIFICATE = "key.pem", "certificate.pem"
MANIFEST = """[update]
compatible=crisscross-table
version={version}

[bundle]
format=verity
"""


def run(*command: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=True, text=True, **more)  # type: ignore[call-overload, no-any-return]


def furnish(tree: Path, package: Path, key: Path, display: bool) -> None:
    """The package, its units, what makes the root read-only, and whose updates it takes."""
    _lay(ROOT / "systemd/image/root", tree)
    shutil.copyfile(key / CERTIFICATE, tree / "etc/rauc/keyring.pem")
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
    units = ["systemd-networkd.service", "crisscross-trial.service"]
    units += ["crisscross-display.service"] if display else []
    run("systemctl", "--quiet", f"--root={tree}", "enable", *units)
    (tree / "etc/machine-id").write_text("", encoding="utf-8")  # each table makes its own
    (tree / "etc/hostname").write_text("crisscross\n", encoding="utf-8")
    (tree / "etc/resolv.conf").unlink(missing_ok=True)


def _lay(source: Path, tree: Path) -> None:
    """A folder over a tree, as root's files."""
    packed = ["tar", "-C", source, "--owner=0", "--group=0", "-c", "."]
    found = subprocess.run(packed, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-C", tree, "-x"], input=found, check=True)


def firmware(tree: Path, to: Path) -> None:
    """Write the files that start a Pi: firmware, device trees, U-Boot and its script boot.cmd."""
    _fat("firmware", to)
    version = _kernel(tree)
    trees = sorted((tree / f"usr/lib/linux-image-{version}/broadcom").glob("bcm27*.dtb"))
    with_lamps = [lamps(file, to.with_name(file.name)) for file in trees]
    blobs = sorted((tree / "usr/lib/raspi-firmware").iterdir())
    script = to.with_name("boot.scr")
    run("mkimage", "-T", "script", "-C", "none", "-d", ROOT / "systemd/image/boot.cmd", script,
        stdout=subprocess.DEVNULL)  # fmt: skip
    ours = [ROOT / "systemd/image/config.txt", tree / "usr/lib/u-boot/rpi_arm64/u-boot.bin", script]
    run("mcopy", "-i", to, *blobs, *with_lamps, *ours, "::")


def lamps(device_tree: Path, to: Path) -> Path:
    """Make the board's device tree with the lamp chain's spidev, and return its file.

    A Pi 5's SPI hangs on another chip; its device tree is returned as it is. The chip select is named with
    its polarity: without that, spi-bcm2835 of Linux 6.1 drives it high during a transfer and low between two,
    so that the lamps show a frame only when the next one begins. The overlay cannot name it, because the
    trees have no symbols.
    """
    if device_tree.name.startswith("bcm2712"):
        return device_tree
    overlay = to.with_suffix(".dtbo")
    run("dtc", "-q", "-I", "dts", "-O", "dtb", "-o", overlay, OVERLAY)
    run("fdtoverlay", "-i", device_tree, "-o", to, overlay)
    gpio = run("fdtget", "-t", "u", to, GPIO, "phandle", capture_output=True).stdout.strip()
    run("fdtput", "-t", "u", to, SPI, "cs-gpios", gpio, CHIP_SELECT, ACTIVE_LOW)
    return to


def slots(to: Path) -> None:
    """The sector that boot.cmd goes by: A is good, nothing is tried."""
    state = b"good=A\0trying=-\0left=0\0\0".ljust(512 - 4, b"\0")
    to.write_bytes(crc32(state).to_bytes(4, "little") + state)


def kernel(tree: Path, to: Path) -> None:
    version = _kernel(tree)
    _fat("kernel_a", to)
    run("mcopy", "-i", to, tree / f"boot/vmlinuz-{version}", "::vmlinuz")
    run("mcopy", "-i", to, tree / f"boot/initrd.img-{version}", "::initrd.img")


def _fat(name: str, to: Path) -> None:
    size = str(PARTITIONS[name] * 1024)
    run("mkfs.vfat", "-C", "-F", "32", to, size, stdout=subprocess.DEVNULL)


def _kernel(tree: Path) -> str:
    """The version of the one that is installed."""
    (kernel,) = (tree / "boot").glob("vmlinuz-*")
    return kernel.name.removeprefix("vmlinuz-")


def root(tree: Path, to: Path) -> None:
    run("mksquashfs", tree, to, "-comp", "zstd", "-Xcompression-level", "9", "-noappend", "-quiet",
        "-no-progress", "-one-file-system", "-wildcards", "-e", *LEFT_OUT)  # fmt: skip


def config(etc: Path | None, root_of: Path, to: Path) -> None:
    """The partition that is laid over /etc: empty, or with a technician's files."""
    with tempfile.TemporaryDirectory() as scratch:
        upper = Path(scratch) / "etc"
        upper.mkdir(mode=0o755)
        if etc is not None:
            _lay(etc, upper)
            for secret, owner in ((Path(scratch) / CONFIG_OF, "crisscross"), (upper / "shadow", "shadow")):
                if secret.exists():
                    _readable(secret, group(root_of, owner))
        _ext4(to, "config", Path(scratch))


def _readable(secret: Path, gid: int) -> None:
    """Let root write the file, or the folder with its files; let the group read it, and deny it to any other
    user."""
    for path in (secret, *secret.rglob("*")):
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
    """The partitions one after another behind a GPT; those without content are empty."""
    with to.open("wb") as file:
        file.truncate((2 + sum(PARTITIONS.values())) * MIB)
    lines, at = ["label: gpt", "first-lba: 2048"], 1
    for name, size in PARTITIONS.items():
        kind = TYPES.get(name, LINUX)
        lines.append(f"start={at}MiB, size={size}MiB, name={name}, type={kind}")
        if name in parts:
            _copy(parts[name], to, at, size)
        at += size
    run("sfdisk", "--quiet", to, input="\n".join(lines) + "\n", stdout=subprocess.DEVNULL)


def _copy(part: Path, to: Path, at: int, size: int) -> None:
    if part.stat().st_size > size * MIB:
        sys.exit(f"make image: {part.name} has {part.stat().st_size // MIB} MiB, and its partition {size}")
    run("dd", f"if={part}", f"of={to}", "bs=1M", f"seek={at}", "conv=notrunc,sparse", "status=none")


def new_key(folder: Path) -> None:
    """Made once: a table takes updates that are signed with the key of its image, and no others."""
    if (folder / KEY).exists():
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "7300", "-subj", "/CN=Criss-Cross Table updates", "-keyout", folder / KEY, "-out",
        folder / CERTIFICATE, stderr=subprocess.DEVNULL)  # fmt: skip


def bundle(images: dict[str, Path], version: str, key: Path, to: Path) -> None:
    """Write the signed file for `rauc install`, with the `images` of a root, a kernel or both."""
    to.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
        folder = Path(scratch) / "content"
        folder.mkdir()
        parts = "".join(f"\n[image.{name}]\nfilename={name}.img\n" for name in images)
        (folder / "manifest.raucm").write_text(MANIFEST.format(version=version) + parts, encoding="utf-8")
        for name, image in images.items():
            run("cp", "--sparse=always", image, folder / f"{name}.img")
        signed = [f"--cert={key / CERTIFICATE}", f"--key={key / KEY}"]
        packed = "--mksquashfs-args=-comp zstd -Xcompression-level 3"
        command = ["rauc", "bundle", packed, *signed, f"--keyring={key / CERTIFICATE}", folder, to]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"make image: rauc bundle: {done.stderr[-500:]}")


def build(tree: Path, etc: Path | None, key: Path, to: Path) -> None:
    """The image of a furnished tree, and the update beside it."""
    with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
        made = ("firmware", "slots", "kernel_a", "root_a", "config", "journal")
        parts = {name: Path(scratch) / name for name in made}
        firmware(tree, parts["firmware"])
        slots(parts["slots"])
        kernel(tree, parts["kernel_a"])
        root(tree, parts["root_a"])
        config(etc, parts["root_a"], parts["config"])
        _ext4(parts["journal"], "journal")
        disk(parts, to)
        images = {"root": parts["root_a"], "kernel": parts["kernel_a"]}
        bundle(images, to.stem.split("_")[1], key, to.with_suffix(".raucb"))


def wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make image", description=__doc__.splitlines()[0])
    parser.add_argument("--series", choices=("bookworm", "trixie"), default="bookworm")
    parser.add_argument("--package", type=Path, help="default: made now")
    over = "goes over /etc: crisscross/table.yaml and the like"
    parser.add_argument("--etc", type=Path, metavar="FOLDER", help=over)
    parser.add_argument("--without-display", action="store_true", help="without cage and Chromium")
    ready = "a Debian with kernel and firmware that is there already; it is copied"
    parser.add_argument("--tree", type=Path, help=ready)
    whose = "signs updates; made where there is none. Keep it: a table takes no other's; default: update-key/"
    parser.add_argument("--key", type=Path, metavar="FOLDER", default=ROOT / "update-key", help=whose)
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
    new_key(chosen.key)
    folder = Path(tempfile.mkdtemp(prefix="furnished-", dir=base.parent))
    try:
        run("cp", "-a", "--reflink=auto", base, folder / "tree")
        furnish(folder / "tree", package, chosen.key, display=not chosen.without_display)
        build(folder / "tree", chosen.etc, chosen.key, to)
    finally:
        remove(folder)
    for made in (to, to.with_suffix(".raucb")):
        sys.stdout.write(f"{made.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
