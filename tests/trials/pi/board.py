"""The emulated Pi 3: QEMU with its console on a pipe, and its memory over QEMU's test socket."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.trials.pi.build import Built

QEMU = "qemu-system-aarch64"
CONNECT_S = 20.0
NS_PER_INSTRUCTION = 1
"""Duration of an instruction as a power of two, in ns: 1 means 2 ns, for all four cores together."""


class Memory:
    """Physical memory and registers of the machine, by QEMU's test protocol."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._answers = self._socket.makefile("r")

    def read(self, address: int) -> int:
        return int(self._call(f"readl {address:#x}"), 16)

    def write(self, address: int, word: int) -> None:
        self._call(f"writel {address:#x} {word:#x}")

    def _call(self, request: str) -> str:
        self._socket.sendall(f"{request}\n".encode())
        status, _, answer = self._answers.readline().strip().partition(" ")
        if status != "OK":
            raise OSError(f"QEMU refused {request}: {status} {answer}")
        return answer

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


def answer(question: str, memory: Memory) -> str:
    """Return the answer to a question of the guest: the words read, or nothing after a write."""
    what, *words = question.split()
    numbers = [int(word, 16) for word in words]
    if what == "read":
        return " ".join(f"{memory.read(address):x}" for address in numbers)
    memory.write(*numbers)
    return ""


def boot(qemu: Path, built: Built, words: str, console: Path) -> Iterator[str]:
    """Run the machine to its end; yield the reports of its steps. The console is kept."""
    test = console.with_name("memory.sock")
    test.unlink(missing_ok=True)
    line = f"console=ttyAMA0 loglevel=1 rdinit=/init {words}"
    command = [qemu, "-M", "raspi3b", "-smp", "4", "-display", "none", "-monitor", "none", "-no-reboot",
               "-nic", "none", "-accel", "tcg", "-icount", f"shift={NS_PER_INSTRUCTION},sleep=off",
               "-qtest", f"unix:{test},server=on,wait=off", "-qtest-log", "/dev/null", "-serial", "stdio",
               "-kernel", built.kernel, "-dtb", built.device_tree, "-initrd", built.archive,
               "-append", line]  # fmt: skip
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                         errors="replace", bufsize=1) as machine,
        console.open("a") as kept,
    ):  # fmt: skip
        try:
            memory = _connect(test)
            assert machine.stdin is not None
            assert machine.stdout is not None
            for row in machine.stdout:
                kept.write(row)
                if row.startswith("ASK "):
                    machine.stdin.write(answer(row.removeprefix("ASK "), memory) + "\n")
                elif row.startswith("GUEST over"):
                    break
                elif row.startswith("GUEST "):
                    yield row.removeprefix("GUEST ").strip()
            memory.close()
        finally:
            machine.kill()


def _connect(path: Path) -> Memory:
    end = time.monotonic() + CONNECT_S
    while True:
        try:
            return Memory(path)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
