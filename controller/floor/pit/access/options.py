"""Options of the access to the pit's pages: users, TLS, the authenticating proxy (single sign-on)."""

from __future__ import annotations

import argparse
import logging
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from controller.common.http.server_tls import ServerTls
    from controller.floor.pit.access.gate import Access, Proxy, RecordAct

NO_USERS = "add --users FILE (crisscross pit user NAME --role manage --users FILE), or listen at 127.0.0.1"
IN_CLEAR = (
    "passwords would cross the network in clear; add --tls-certificate and --tls-key, or --proxy-header and "
    "--trusted-proxy"
)
NO_USER = "they know no user, and are for this machine alone; --users FILE names users"


class BadAccess(Exception):
    """Raised if the options contradict each other. The message is one line."""


@dataclass(frozen=True, slots=True)
class AccessOptions:
    """Access options of the command line. `users`: file of users, None without users. `proxy`: authenticating
    proxy, None without one. `tls`: files of the certificate and its key, None without TLS."""

    users: Path | None = None
    proxy: Proxy | None = None
    tls: tuple[Path, Path] | None = None


@dataclass(frozen=True, slots=True)
class OpenAccess:
    """Access of a running pit, made from its options. `known`: text about its users for the log."""

    access: Access
    tls: ServerTls | None
    known: str

    @property
    def context(self) -> ssl.SSLContext | None:
        return self.tls.context if self.tls else None

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"

    def renew(self) -> None:
        """Use the files of the certificate again if they were renewed. Call this every few seconds."""
        if self.tls is not None:
            self.tls.renew()


def add_options(add: Callable[..., Any]) -> None:
    words = "of the pages, with their roles; `crisscross pit user` writes it; left out: this machine alone"
    add("--users", type=Path, metavar="FILE", help=words)
    words = "the pages' certificate and those above it (PEM); renewed files are used without a restart"
    add("--tls-certificate", type=Path, metavar="FILE", help=words)
    add("--tls-key", type=Path, metavar="FILE", help="and its key")
    words = "header in which an authenticating proxy names the user, one of the users file"
    add("--proxy-header", metavar="NAME", help=words)
    words = "address from which that header counts; may come again"
    add("--trusted-proxy", action="append", default=[], metavar="ADDRESS", help=words)


def access_options(arguments: argparse.Namespace, host: str) -> AccessOptions:
    """Return the access options of a command line. `host`: host of the pages. Raises BadAccess if the options
    contradict each other."""
    from controller.common.http.host_names import is_loopback

    users, certificate, key = arguments.users, arguments.tls_certificate, arguments.tls_key
    proxy = _proxy(arguments.proxy_header, arguments.trusted_proxy)
    if (certificate is None) != (key is None):
        raise BadAccess("--tls-certificate and --tls-key: both or none")
    if users is None and proxy is not None:
        raise BadAccess("--proxy-header: names users; add --users FILE with their roles")
    if users is None and not is_loopback(host):
        raise BadAccess(f"--listen: {host} is open to other machines; {NO_USERS}")
    if certificate is None and proxy is None and not is_loopback(host):
        raise BadAccess(f"--listen: {host} is open to other machines; {IN_CLEAR}")
    return AccessOptions(users, proxy, (certificate, key) if certificate else None)


def _proxy(header: str | None, addresses: list[str]) -> Proxy | None:
    from controller.floor.pit.access.gate import Proxy

    if header is None and not addresses:
        return None
    if header is None or not addresses:
        raise BadAccess("--proxy-header and --trusted-proxy: both or none")
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,63}", header) is None:
        raise BadAccess("--proxy-header: allowed: the name of a header, as X-Forwarded-User")
    try:
        return Proxy(header.lower(), frozenset(str(ip_address(each)) for each in addresses))
    except ValueError:
        raise BadAccess("--trusted-proxy: allowed: an address, as 192.0.2.10") from None


def open_access(
    options: AccessOptions, seconds: Callable[[], float], log: logging.Logger, record: RecordAct
) -> OpenAccess:
    """Read the files of the options. `seconds`: the monotonic clock. Raises Mistakes or ServerError."""
    from controller.common.http.server_tls import ServerTls
    from controller.floor.pit.access.gate import Access
    from controller.floor.pit.access.users import UsersFile

    def changed(words: str) -> None:
        record(f"file:{options.users}", "", "user_changed", words)

    users = UsersFile(options.users, changed) if options.users else None
    access = Access(users, seconds, options.proxy, record)
    tls = ServerTls(*options.tls, log) if options.tls else None
    return OpenAccess(access, tls, f"users are in {options.users}" if users else NO_USER)
