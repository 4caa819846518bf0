"""Programs of Debian's package sigsum-go, which implement witness, notes and proofs independently of ours.

Debian has the package from trixie on. On a machine without it, tests that need it are skipped with the
reason.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from controller.common.tlog.note import SigningKey, VerifierKey
from tests.uplink.broker import soon

NEEDED = pytest.mark.skipif(
    shutil.which("sigsum-witness") is None,
    reason="sigsum-witness is not on PATH; Debian's package sigsum-go has it, from trixie on",
)
OLD_MUX = {**os.environ, "GODEBUG": "httpmuxgo121=0"}
"""Environment of the programs. Debian builds them with the defaults of Go 1.21, whose router does not know
their patterns."""


def run(name: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run one of the programs with `text` on its standard input."""
    return subprocess.run([name, *arguments], input=text, capture_output=True, text=True, check=False)


def converted(act: str, *arguments: str, text: str) -> str:
    """Return the output of `sigsum-key ACT` without its newline."""
    done = run("sigsum-key", act, *arguments, text=text)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def log_key(private: SigningKey) -> SigningKey:
    """Return the same key under the hash of its public key, the only name of a log that sigsum accepts."""
    public = private.private.public_key().public_bytes_raw()
    return SigningKey(f"sigsum.org/v1/tree/{sha256(public).hexdigest()}", private.private)


@dataclass
class SigsumWitness:
    """A `sigsum-witness` process for one log, with its state in `folder`."""

    folder: Path
    log: VerifierKey
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> VerifierKey:
        """Return the key of the witness's cosignatures, as converted by `sigsum-key`."""
        public = (self.folder / "witness.key.pub").read_text(encoding="ascii")
        name = f"sigsum.org/v1/witness/{converted('to-hash', text=public)}"
        return VerifierKey.parse(converted("to-vkey", "-n", name, "-t", "cosignature/v1", text=public))

    def make_keys(self) -> None:
        """Write the keys of the witness and of the log in OpenSSH's format."""
        converted("generate", "-o", str(self.folder / "witness.key"), text="")
        public = converted("from-vkey", text=self.log.text())
        (self.folder / "log.pub").write_text(f"{public}\n", encoding="ascii")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the program at a free port, which stays the same if the program is run again."""
        if not self.port:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = int(free.getsockname()[1])
        command = [
            "sigsum-witness", "-k", "witness.key", "--log-key", "log.pub", "--state-file", "state",
            f"127.0.0.1:{self.port}",
        ]  # fmt: skip
        with subprocess.Popen(command, cwd=self.folder, env=OLD_MUX) as process:
            try:
                soon(self._accepts, "sigsum-witness does not listen")
                yield
            finally:
                process.terminate()

    def _accepts(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False
