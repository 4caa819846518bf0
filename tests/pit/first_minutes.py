"""Run a command of the pit's page in a separate network and report whether events arrive there.

`unshare --mount python -m tests.pit.first_minutes FOLDER COMMAND`: a Mosquitto with default settings runs
beside it, as Debian's package starts one. With a third argument, a folder, FOLDER itself is not written to.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from functools import cache
from http.client import HTTPConnection
from pathlib import Path

from tests.pit.published_tables import played
from tests.pit.test_wire import Publisher
from tests.trials.system.container import leave_network
from tests.uplink.broker import MOSQUITTO, soon

BROKER_PORT, PAGES_PORT = 1883, 8090
"""Defaults of `crisscross pit`, which the page states."""
ROOT = Path(__file__).parents[2]
MOUNT_LAYER = """
mount -t tmpfs tmpfs "$2"
mkdir "$2/upper" "$2/work"
mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$1"
"""


@cache
def reason(*, layer: bool = False) -> str:
    """Return the reason why this machine cannot run a command in a separate network, or "" if it can.
    `layer`: whether a layer is also mounted over the folder, so that the command does not change it."""
    if os.geteuid() != 0:
        return "a network of its own, in which the default ports are free, needs root"
    missing = [name for name in ("unshare", "mount", MOSQUITTO) if shutil.which(name) is None]
    if missing:
        return f"{', '.join(missing)} missing"
    tried = ["sh", "-ec", MOUNT_LAYER, "sh", str(ROOT), "/mnt"] if layer else ["true"]
    done = subprocess.run(["unshare", "--net", "--mount", *tried], capture_output=True, check=False)
    return f"refused here: {done.stderr.decode().strip()}" if done.returncode else ""


def typed(folder: Path, command: str, *, layer: Path | None = None, path: str = "") -> str:
    """Run this module for a command in a folder; return its output.

    `layer`: a folder for the files that the command writes, visible to the command alone. `path`: folder that
    is searched first for programs. Raises AssertionError if the pit does not work."""
    program = [sys.executable, "-m", __name__, str(folder), command, *([str(layer)] if layer else [])]
    done = subprocess.run(
        ["unshare", "--mount", *program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "PATH": os.pathsep.join(filter(None, (path, os.environ["PATH"])))},
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def is_ready() -> bool:
    try:
        with closing(HTTPConnection("127.0.0.1", PAGES_PORT, timeout=5)) as line:
            line.request("GET", "/readyz")
            return line.getresponse().status == 200
    except OSError:
        return False


def overlay(folder: Path, layer: Path) -> None:
    """Mount a layer of this process over a folder, so that nothing is written into the folder."""
    subprocess.run(["sh", "-ec", MOUNT_LAYER, "sh", str(folder), str(layer)], check=True)


def main(folder: Path, command: str) -> None:
    """Start broker and pit, publish a round, and print the acknowledged number of events."""
    broker = subprocess.Popen([MOSQUITTO], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    typing = subprocess.Popen(shlex.split(command), cwd=folder)
    try:
        soon(lambda: is_ready() or typing.poll() is not None)
        assert typing.poll() is None, "the pit has ended"
        table = played()
        with closing(Publisher(BROKER_PORT, table)) as publisher:
            publisher.begin()
            publisher.publish(*table.payloads)
            soon(lambda: publisher.has(len(table.payloads)))
        print(f"{len(table.payloads)} events acknowledged")
    finally:
        for process in (typing, broker):
            process.terminate()
            process.wait(20)


if __name__ == "__main__":
    leave_network()
    for each in sys.argv[3:]:
        overlay(Path(sys.argv[1]), Path(each))
    main(Path(sys.argv[1]), sys.argv[2])
