"""The user at the other end of a connection is looked up correctly in the real kernel, for real sockets."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from controller.common.http import connection_owner, sock_diag
from controller.common.http.connection_owner import owned_by, owner, unavailable, unmapped_user
from controller.common.http.sock_diag import (
    ESTABLISHED,
    LISTEN,
    SocketEntry,
    decode_reply,
    encode_request,
    endpoint,
    find,
)
from tests.other_users import (
    IN_A_USER_NAMESPACE,
    SCREEN,
    STRANGER,
    Address,
    needs_root,
    needs_user_namespaces,
    socket_of,
)

ROOT = Path(__file__).parents[2]
REUSE_PORT = ((socket.SOL_SOCKET, socket.SO_REUSEPORT, 1),)
# addresses of the listener, of the other user's end, and of the other user's end as this process sees it
WAYS = [
    ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
    ("127.0.0.1", "127.0.0.2", "127.0.0.1"),
    ("127.8.8.8", "127.255.255.254", "127.8.8.8"),
    ("127.0.0.1", "::ffff:127.0.0.3", "::ffff:127.0.0.1"),
    ("::1", "::1", "::1"),
    ("::", "127.0.0.1", "127.0.0.1"),
    ("::", "::ffff:127.0.0.1", "::ffff:127.0.0.1"),
    ("::", "::1", "::1"),
]


def listener(address: str) -> socket.socket:
    """Return a listener at a free port of this address; `::` accepts both families."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, 0), family=family, dualstack_ipv6=address == "::")


@contextmanager
def connected(
    user: int, way: tuple[str, str, str] = WAYS[0]
) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield both ends of a connection: that of a process of `user`, and the one that this process has
    accepted."""
    at, local, remote = way
    with (
        listener(at) as listening,
        socket_of(user, (local, 0), (remote, listening.getsockname()[1])) as far,
        listening.accept()[0] as near,
    ):
        yield far, near


def owner_of_peer(near: socket.socket) -> int | None:
    return owner(endpoint(near.getpeername()), endpoint(near.getsockname()))


def is_own(near: socket.socket, *users: int) -> bool:
    return owned_by(frozenset(users))(near.getpeername(), near.getsockname())


# ---------------------------------------------------------------------- real users


@needs_root
@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_each_end_has_its_own_user_at_every_address_of_both_families(way: tuple[str, str, str]) -> None:
    with connected(SCREEN.pw_uid, way) as (far, near):
        assert owner_of_peer(near) == SCREEN.pw_uid
        assert owner(endpoint(near.getsockname()), endpoint(near.getpeername())) == os.geteuid()
        assert is_own(near, SCREEN.pw_uid)
        assert is_own(near, 0, SCREEN.pw_uid)
        assert not is_own(near, STRANGER.pw_uid)
        assert not is_own(near)
        assert endpoint(far.getsockname()) == endpoint(near.getpeername())


@needs_root
@pytest.mark.parametrize("address", ["127.0.0.2", "::ffff:127.0.0.2"])
def test_one_port_number_at_two_addresses_can_have_two_users(address: str) -> None:
    with listener("127.0.0.1") as listening, ExitStack() as stack:
        here: Address = listening.getsockname()
        browser = stack.enter_context(socket_of(SCREEN.pw_uid, ("127.0.0.1", 0), here))
        near = stack.enter_context(listening.accept()[0])
        there = ("::ffff:127.0.0.1" if ":" in address else here[0], here[1])
        stack.enter_context(socket_of(STRANGER.pw_uid, (address, browser.getsockname()[1]), there))
        other = stack.enter_context(listening.accept()[0])
        assert (owner_of_peer(near), owner_of_peer(other)) == (SCREEN.pw_uid, STRANGER.pw_uid)


@needs_root
def test_one_pair_of_port_numbers_in_two_families_can_have_two_users() -> None:
    with listener("127.0.0.1") as four, ExitStack() as stack:
        port = four.getsockname()[1]
        six = stack.enter_context(socket.create_server(("::1", port), family=socket.AF_INET6))
        browser = stack.enter_context(socket_of(SCREEN.pw_uid, ("127.0.0.1", 0), ("127.0.0.1", port)))
        near = stack.enter_context(four.accept()[0])
        local = ("::1", browser.getsockname()[1])
        stack.enter_context(socket_of(STRANGER.pw_uid, local, ("::1", port)))
        other = stack.enter_context(six.accept()[0])
        assert (owner_of_peer(near), owner_of_peer(other)) == (SCREEN.pw_uid, STRANGER.pw_uid)


@needs_root
def test_a_socket_belongs_to_its_creator_even_if_another_user_holds_it() -> None:
    """The creating process has closed its own descriptor, and this process of another user still has one."""
    with (
        listener("127.0.0.1") as listening,
        socket_of(STRANGER.pw_uid, None, listening.getsockname(), stay=False) as passed,
        listening.accept()[0] as near,
    ):
        assert passed.getsockname() == near.getpeername()
        assert is_own(near, STRANGER.pw_uid)
        assert not is_own(near, os.geteuid())


@needs_root
def test_a_port_can_be_shared_only_with_the_listener_s_own_user() -> None:
    with socket_of(SCREEN.pw_uid, ("127.0.0.1", 0), None, options=REUSE_PORT) as first:
        at: Address = first.getsockname()
        with (
            pytest.raises(OSError, match=r"in use") as refused,
            socket_of(STRANGER.pw_uid, at, None, options=REUSE_PORT),
        ):
            pass
        assert refused.value.errno == errno.EADDRINUSE
        with socket_of(SCREEN.pw_uid, at, None, options=REUSE_PORT):
            assert owner(endpoint(at), endpoint(("127.0.0.1", 0))) is None, "a listener owns no connection"


@needs_root
@needs_user_namespaces
def test_in_a_user_namespace_the_number_of_unknown_users_matches_no_user() -> None:
    """In such a namespace the kernel reports each unmapped user as 65534 (user_namespaces(7))."""
    ask = (
        "import socket, sys\n"
        "from controller.common.http import connection_owner as o, sock_diag as d\n"
        "peer, here = ((a, int(p)) for a, p in (sys.argv[1:3], sys.argv[3:5]))\n"
        "seen = o.owner(d.endpoint(peer), d.endpoint(here))\n"
        "print(seen, *o.unmapped_user(), o.owned_by(frozenset({seen}))(peer, here))\n"
    )
    with connected(SCREEN.pw_uid) as (_far, near):
        ends = [str(part) for part in (*near.getpeername(), *near.getsockname())]
        result = subprocess.run(
            [*IN_A_USER_NAMESPACE, sys.executable, "-c", ask, *ends],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert result.stdout.split() == ["65534", "65534", "False"], result.stderr


# ---------------------------------------------------------------------- any user


@contextmanager
def own_pair(address: str = "127.0.0.1") -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield both ends of a connection within this process: the connecting one, then the accepted one."""
    with (
        listener(address) as listening,
        socket.create_connection(listening.getsockname()[:2]) as far,
        listening.accept()[0] as near,
    ):
        yield far, near


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_any_other_endpoint_is_not_found(address: str) -> None:
    with own_pair(address) as (_far, near):
        peer, here = endpoint(near.getpeername()), endpoint(near.getsockname())
        assert find(peer, here) is not None
        other = endpoint(("127.0.0.9" if address == "127.0.0.1" else "::2", 0))[0]
        family = endpoint(("::1" if address == "127.0.0.1" else "127.0.0.1", 0))[0]
        for local, remote in (
            ((peer[0], peer[1] ^ 1), here), (peer, (here[0], here[1] ^ 1)), ((other, peer[1]), here),
            (peer, (other, here[1])), ((family, peer[1]), here), ((family, peer[1]), (family, here[1])),
            ((peer[0], 0), here), (peer, (here[0], 0)), (here, here), (peer, peer),
        ):  # fmt: skip
            assert find(local, remote) is None


def test_a_listening_socket_returned_by_the_kernel_is_ignored() -> None:
    with listener("::1") as listening:
        here = endpoint(listening.getsockname())
        found = find(here, endpoint(("::", 0)))
        assert found is not None
        assert (found.state, found.user) == (LISTEN, os.geteuid())
        assert find(here, endpoint(("::1", 9))) is None


def test_an_unaccepted_connection_is_not_attributed_to_root() -> None:
    """The kernel reports an unaccepted connection as established, with user 0 and inode 0."""
    with listener("127.0.0.1") as listening, socket.create_connection(listening.getsockname()) as far:
        waiting = find(endpoint(far.getpeername()), endpoint(far.getsockname()))
        assert waiting is not None
        assert (waiting.state, waiting.user, waiting.inode) == (ESTABLISHED, 0, 0)
        assert owner(endpoint(far.getpeername()), endpoint(far.getsockname())) is None
        assert not is_own(far, 0)


def test_a_closed_connection_is_not_attributed_to_root() -> None:
    with own_pair() as (far, near):
        here, peer = near.getsockname(), near.getpeername()
        assert owned_by(frozenset({os.geteuid()}))(peer, here)
        far.close()
        left = find(endpoint(peer), endpoint(here))
        assert left is not None and left.state != ESTABLISHED
        assert (left.user, left.inode) == (0, 0)
        assert not owned_by(frozenset({0, os.geteuid()}))(peer, here)
        near.close()
        assert not owned_by(frozenset({0, os.geteuid()}))(peer, here), "TIME_WAIT"


def test_a_half_closed_connection_is_no_longer_own() -> None:
    with own_pair() as (far, near):
        far.shutdown(socket.SHUT_WR)
        assert not is_own(near, os.geteuid())


def test_the_address_of_another_machine_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sock_diag, "find", lambda *_ends: pytest.fail("asked"))
    here = ("127.0.0.1", 8080)
    for peer in (("192.0.2.7", 40_000), ("::ffff:192.0.2.7", 40_000), ("2001:db8::7", 40_000, 0, 0)):
        assert owner(endpoint(peer), endpoint(here)) is None
        assert owner(endpoint(here), endpoint(peer)) is None
    assert not owned_by(frozenset({0}))(None, here)
    assert not owned_by(frozenset({0}))(here, None)


def test_without_kernel_look_ups_no_connection_is_own(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sock_diag, "NETLINK_SOCK_DIAG", 99)  # the call fails as in a unit without AF_NETLINK
    with listener("127.0.0.1") as listening, own_pair() as (_far, near):
        why = unavailable("root", listening)
        assert why is not None
        assert "no user may open the pages; the unit has to allow AF_NETLINK" in why
        assert not is_own(near, os.geteuid())
    assert [record.getMessage() for record in caplog.records] == [f"display: a connection is refused: {why}"]


def test_missing_kernel_look_ups_are_detected_at_the_start() -> None:
    for address in ("127.0.0.1", "::1", "::"):
        with listener(address) as listening:
            assert unavailable("root", listening) is None
            assert unavailable("no-such-user", listening) == connection_owner.NO_USER.format(
                user="no-such-user"
            )
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert "does not find the pages' own socket" in str(unavailable("root", closed))


def test_with_hidden_proc_the_default_number_of_unknown_users_matches_no_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connection_owner, "UID_MAP", tmp_path / "uid_map")
    assert unmapped_user() == {65534}
    (tmp_path / "uid_map").write_text("         0       1000          1\n", encoding="ascii")
    assert unmapped_user() == {65534}
    (tmp_path / "uid_map").write_text("         0          0 4294967295\n", encoding="ascii")
    assert unmapped_user() == set()


# ---------------------------------------------------------------------- the messages

PEER, HERE = endpoint(("127.0.0.1", 40_000)), endpoint(("127.0.0.1", 8080))
ENTRY = bytes.fromhex("0201 0000 9c40 1f90") + socket.inet_aton("127.0.0.1").ljust(16, b"\0") * 2
REPLY = (
    sock_diag.HEADER.pack(88, sock_diag.SOCK_DIAG_BY_FAMILY, 0, 0, 0)
    + ENTRY + bytes(12) + bytes(12) + (5).to_bytes(4, sys.byteorder) + (77).to_bytes(4, sys.byteorder)
)  # fmt: skip


def test_a_request_names_one_socket_and_does_not_request_a_list() -> None:
    request = encode_request(PEER, HERE)
    length, kind, flags, *_ = sock_diag.HEADER.unpack_from(request)
    assert (length, kind, flags) == (len(request), 20, 1), "NLM_F_REQUEST alone: NLM_F_DUMP would be 0x300"
    assert request[24:28] == bytes.fromhex("9c40 1f90")


def test_a_reply_is_read_completely_and_a_truncated_one_refused() -> None:
    assert decode_reply(REPLY) == SocketEntry(PEER, HERE, ESTABLISHED, 5, 77)
    for size in range(len(REPLY)):
        with pytest.raises(OSError, match="reply") as refused:
            decode_reply(REPLY[:size])
        assert refused.value.errno == errno.EPROTO
    with pytest.raises(OSError, match="family"):
        decode_reply(REPLY[:16] + b"\x63" + REPLY[17:])


def test_an_error_means_no_socket_or_raises_the_kernel_s_reason() -> None:
    def error(number: int) -> bytes:
        return sock_diag.HEADER.pack(36, 2, 0, 0, 0) + (-number).to_bytes(4, sys.byteorder, signed=True)

    assert decode_reply(error(errno.ENOENT)) is None
    with pytest.raises(PermissionError):
        decode_reply(error(errno.EACCES))
