"""Names and addresses of hosts, as options and files give them. The module imports no HTTP library."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine alone: localhost, or an address such as 127.0.0.1 or ::1."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_and_port(text: str) -> tuple[str, int]:
    """Return host and port of HOST:PORT; an IPv6 address loses its brackets. Raises ValueError if the text
    has another form."""
    host, colon, port = text.rpartition(":")
    if not host or not colon or not port.isascii() or not port.isdecimal() or int(port) > 65535:
        raise ValueError(text)
    return host.strip("[]"), int(port)
