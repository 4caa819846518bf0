"""Processes of other users of this machine, and the TCP sockets that they create, bind and connect.

Only root can change the user: tests carry `needs_root`, or `needs_shared_python` if they run a program of
this tree as another user. Real users are needed because the kernel itself refuses these processes.
"""

from __future__ import annotations

import http.client
import json
import os
import pwd
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

ROOT = Path(__file__).parents[1]
Address: TypeAlias = tuple[str, int]
Options: TypeAlias = tuple[tuple[int, int, int], ...]
"""Level, option and value of each `setsockopt`."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start processes of other users")
IP_LOCAL_PORT_RANGE = 51
"""Socket option of Linux 6.3 (include/uapi/linux/in.h): highest local port in the upper 16 bits, lowest in
the lower ones."""


def from_port(port: int) -> Options:
    """Return the socket options that make a connection without bind() use this local port."""
    (both,) = struct.unpack("=i", struct.pack("=HH", port, port))  # setsockopt() takes a signed number
    return ((socket.IPPROTO_IP, IP_LOCAL_PORT_RANGE, both),)


def _has_port_range() -> bool:
    with socket.socket() as probe:
        try:
            probe.setsockopt(*from_port(2)[0])
        except OSError:
            return False
    return True


def _has_user_namespaces() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run([*IN_A_USER_NAMESPACE, "true"], capture_output=True, check=False)
    return tried.returncode == 0


IN_A_USER_NAMESPACE = ("unshare", "--user", "--map-root-user")
needs_port_range = pytest.mark.skipif(not _has_port_range(), reason="IP_LOCAL_PORT_RANGE is of Linux 6.3")
needs_user_namespaces = pytest.mark.skipif(
    not _has_user_namespaces(), reason="unshare (util-linux) makes no user namespace here"
)
SCREEN, STRANGER = (entry for entry in sorted(pwd.getpwall(), key=lambda each: each.pw_uid)[1:3])
"""Two accounts of this machine, neither of them root."""
UNPRIVILEGED_UID = 64_321
"""User number under which no program of this machine runs."""
PROCESS = """
import json, os, socket, sys
channel, wanted = socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2])
os.setgroups([]), os.setgid(wanted["user"]), os.setuid(wanted["user"])
made = socket.socket(wanted["family"], socket.SOCK_STREAM, socket.IPPROTO_TCP)
try:
    for option in wanted["options"]:
        made.setsockopt(*option)
    if wanted["local"] is not None:
        made.bind(tuple(wanted["local"]))
    if wanted["remote"] is None:
        made.listen(4)
    else:
        made.connect(tuple(wanted["remote"]))
except OSError as error:
    channel.send(str(error.errno).encode())
else:
    socket.send_fds(channel, [b"0"], [made.fileno()])
if not wanted["stay"]:
    made.close()
channel.recv(1)
"""
"""Program that creates one socket as the other user, passes its descriptor on, and exits when the channel is
closed."""


@contextmanager
def socket_of(
    user: int, local: Address | None, remote: Address | None, *, options: Options = (), stay: bool = True
) -> Iterator[socket.socket]:
    """Yield a socket that a process of `user` bound to `local` (None: not bound) and connected to `remote`
    (None: listening). `stay`: the process also keeps its own descriptor. Raises OSError with the errno that
    the process got."""
    near, far = socket.socketpair()
    known = local or remote or ("", 0)
    wanted = {
        "user": user, "family": socket.AF_INET6 if ":" in known[0] else socket.AF_INET, "options": options,
        "local": local, "remote": remote, "stay": stay,
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", PROCESS, str(far.fileno()), json.dumps(wanted)],
        pass_fds=(far.fileno(),),
    )
    far.close()
    try:
        with near:
            near.settimeout(30)
            status, descriptors, _, _ = socket.recv_fds(near, 16, 1)
            if int(status):
                raise OSError(int(status), os.strerror(int(status)))
            with socket.socket(fileno=descriptors[0]) as made:
                made.settimeout(30)
                yield made
    finally:
        process.wait(30)


def ask(
    connection: socket.socket, verb: str, path: str, body: str = "", headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Send one HTTP request over `connection`; return the status and the text of the response, empty for a
    stream."""
    lines = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    connection.sendall(f"{verb} {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
    response = http.client.HTTPResponse(connection, method=verb)
    response.begin()
    return response.status, response.read().decode() if response.length is not None else ""


def _interpreter() -> str | None:
    """Return an interpreter of this version that any user may execute, or None if there is none. Other users
    cannot execute one below /root."""
    wanted = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for found in (sys.executable, shutil.which(wanted, path="/usr/bin:/usr/local/bin")):
        if found and os.geteuid() == 0 and _run(found, ["-c", "import controller"]).returncode == 0:
            return found
    return None


def _run(
    python: str, arguments: Sequence[str], user: int = UNPRIVILEGED_UID
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [python, *arguments], **_identity(user), capture_output=True, text=True, check=False
        )
    except PermissionError:
        return subprocess.CompletedProcess([python], 126)


def _identity(user: int, groups: Sequence[int] = ()) -> dict[str, Any]:
    libraries = [each for each in sys.path if each.endswith("site-packages")]
    environment = {**os.environ, "PYTHONPATH": ":".join([str(ROOT), *libraries]), "HOME": "/nonexistent"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return {
        "user": user, "group": groups[0] if groups else user, "extra_groups": list(groups[1:]), "cwd": "/",
        "umask": 0o077, "env": environment,
    }  # fmt: skip


PYTHON = _interpreter()
needs_shared_python = pytest.mark.skipif(
    PYTHON is None,
    reason="only root may become another user, with a Python and a checkout that others may read",
)


def run_as(user: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments until it ends, as this user number and the group with the same
    number."""
    assert PYTHON is not None
    return _run(PYTHON, [str(each) for each in arguments], user)


def started_as(
    user: int, *arguments: str | Path, groups: Sequence[int] = (), **more: Any
) -> subprocess.Popen[str]:
    """Start `crisscross` with these arguments as another user; the caller must end the process. `groups`: its
    groups, the primary one first."""
    assert PYTHON is not None
    command = [PYTHON, "-m", "controller", *map(str, arguments)]
    return subprocess.Popen(command, **_identity(user, groups), text=True, stderr=subprocess.PIPE, **more)


def let_in(folder: Path) -> Path:
    """Allow every user to enter the folder, and the folders above it that pytest made for root alone."""
    for each in (folder, *folder.parents):
        if each.stat().st_mode & 0o005 != 0o005:
            each.chmod(each.stat().st_mode | 0o055)
    return folder
