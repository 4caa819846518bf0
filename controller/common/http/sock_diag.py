"""Look-up of one TCP socket of this machine in the kernel: sock_diag(7), Linux uapi/linux/inet_diag.h.

`find` asks for one socket by its exact pair of endpoints. The kernel reads its hash table and sends no list,
so the cost does not depend on the number of other sockets, and any user may ask. If no connection has these
endpoints, the kernel returns a listening socket that fits the local one: so the reply is compared with the
requested endpoints.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, TypeAlias

Endpoint: TypeAlias = tuple[IPv4Address | IPv6Address, int]
"""Address and port; an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) is converted to IPv4."""

ESTABLISHED, LISTEN = 1, 10
"""States of a TCP socket: Linux include/net/tcp_states.h."""
NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLMSG_ERROR = 2
NLM_F_REQUEST = 1
ANY_STATE = 0xFFFFFFFF
ANY_COOKIE = (0xFFFFFFFF, 0xFFFFFFFF)
ANY_INTERFACE = 0
MAX_REPLY_BYTES = 4096
HEADER = struct.Struct("=IHHII")
"""nlmsghdr: length, type, flags, sequence number, port ID."""
REQUEST = struct.Struct("=BBBxI")
"""inet_diag_req_v2 without its ID: family, protocol, extensions, states."""
_PORTS = struct.Struct("!HH")
ADDRESS_BYTES = 16
INTERFACE_AND_COOKIE = struct.Struct("=III")
STATE = struct.Struct("=BBxx")
"""inet_diag_msg up to its ID: family, state, timer and retransmissions unread."""
OWNER = struct.Struct("=12xII")
"""inet_diag_msg after its ID: expiry and queues unread, user, inode."""
ID_BYTES = _PORTS.size + 2 * ADDRESS_BYTES + INTERFACE_AND_COOKIE.size
ENTRY_BYTES = STATE.size + ID_BYTES + OWNER.size


@dataclass(frozen=True, slots=True)
class SocketEntry:
    """Socket as the kernel reports it. `inode` and `user` are 0 once no process holds it."""

    local: Endpoint
    remote: Endpoint
    state: int
    user: int
    inode: int


def endpoint(name: tuple[Any, ...]) -> Endpoint:
    """Return the endpoint for a result of `getsockname()` or `getpeername()`. Raises ValueError if it is
    not IPv4 or IPv6."""
    address = ip_address(name[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address, int(name[1])


def find(local: Endpoint, remote: Endpoint) -> SocketEntry | None:
    """Return the socket with these endpoints, in any state, or None. Raises OSError if the kernel refuses
    the request (no AF_NETLINK, for example), or if the reply does not match it."""
    if local[0].version != remote[0].version:
        return None
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, NETLINK_SOCK_DIAG) as kernel:
        # no wait is needed: the kernel queues its reply before send() returns (net/core/sock_diag.c)
        kernel.setblocking(False)
        kernel.sendto(encode_request(local, remote), (0, 0))
        reply, (sender, _groups) = kernel.recvfrom(MAX_REPLY_BYTES)
    if sender != 0:
        raise OSError(errno.EPROTO, "a reply that is not the kernel's")
    entry = decode_reply(reply)
    return entry if entry is not None and (entry.local, entry.remote) == (local, remote) else None


def encode_request(local: Endpoint, remote: Endpoint) -> bytes:
    """Return a request for the TCP socket that has exactly these two endpoints."""
    family = socket.AF_INET if local[0].version == 4 else socket.AF_INET6
    wanted = (
        REQUEST.pack(family, socket.IPPROTO_TCP, 0, ANY_STATE)
        + _PORTS.pack(local[1], remote[1])
        + b"".join(address.packed.ljust(ADDRESS_BYTES, b"\0") for address, _port in (local, remote))
        + INTERFACE_AND_COOKIE.pack(ANY_INTERFACE, *ANY_COOKIE)
    )
    return HEADER.pack(HEADER.size + len(wanted), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 0, 0) + wanted


def decode_reply(reply: bytes) -> SocketEntry | None:
    """Return the socket of the kernel's reply, or None if it reports none. Raises OSError with the kernel's
    errno for another error, with EPROTO if it is not a reply to `encode_request`."""
    if len(reply) < HEADER.size + 4:
        raise OSError(errno.EPROTO, "a reply without a header")
    length, kind, *_ = HEADER.unpack_from(reply)
    if kind == NLMSG_ERROR:
        (negative,) = struct.unpack_from("=i", reply, HEADER.size)
        if negative == -errno.ENOENT:
            return None
        raise OSError(-negative, os.strerror(-negative))
    if kind != SOCK_DIAG_BY_FAMILY or not HEADER.size + ENTRY_BYTES <= length <= len(reply):
        raise OSError(errno.EPROTO, "a reply of another kind")
    return _entry(reply[HEADER.size :])


def _entry(message: bytes) -> SocketEntry:
    """Return the socket of an inet_diag_msg."""
    family, state = STATE.unpack_from(message)
    local_port, remote_port = _PORTS.unpack_from(message, STATE.size)
    begin = STATE.size + _PORTS.size
    middle, end = begin + ADDRESS_BYTES, begin + 2 * ADDRESS_BYTES
    user, inode = OWNER.unpack_from(message, STATE.size + ID_BYTES)
    return SocketEntry(
        (_address(family, message[begin:middle]), local_port),
        (_address(family, message[middle:end]), remote_port),
        state,
        user,
        inode,
    )


def _address(family: int, packed: bytes) -> IPv4Address | IPv6Address:
    if family == socket.AF_INET:
        return IPv4Address(packed[:4])
    if family == socket.AF_INET6:
        address = IPv6Address(packed)
        return address.ipv4_mapped or address
    raise OSError(errno.EPROTO, "a socket of another family")
