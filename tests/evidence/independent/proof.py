"""Independent check of a C2SP tlog-proof with Python's standard library: leaf, path to the root, signature.

Ed25519 is that of RFC 8032, slow and plain. This module must never import controller.
"""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256, sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]


def add(one: Point, two: Point) -> Point:
    (a, b), (c, d) = one, two
    mixed = D * a * b * c * d
    x = (a * d + b * c) * pow(1 + mixed, -1, P)
    y = (b * d + a * c) * pow(1 - mixed, -1, P)
    return x % P, y % P


def times(point: Point, factor: int) -> Point:
    found = (0, 1)
    while factor:
        if factor & 1:
            found = add(found, point)
        point, factor = add(point, point), factor >> 1
    return found


def point_of(data: bytes) -> Point | None:
    """Return the point of Ed25519 that 32 bytes encode, or None if they encode none."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or y >= P:
        return None
    return (P - x if x & 1 != sign else x), y


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(key: bytes, text: bytes, signature: bytes) -> bool:
    """Return whether `signature` is an Ed25519 signature of the text by the key."""
    own, first = point_of(key), point_of(signature[:32])
    factor = int.from_bytes(signature[32:], "little")
    if own is None or first is None or BASE is None or len(signature) != 64 or factor >= ORDER:
        return False
    hashed = int.from_bytes(sha512(signature[:32] + key + text).digest(), "little") % ORDER
    return times(BASE, factor) == add(first, times(own, hashed))


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """Return the root to which a path leads (RFC 9162, section 2.1.3.2), or None for a wrong length."""
    if index >= size:
        return None
    at, last, found = index, size - 1, sha256(b"\0" + leaf).digest()
    for step in path:
        if not last:
            return None
        if at & 1 or at == last:
            found = sha256(b"\1" + step + found).digest()
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = sha256(b"\1" + found + step).digest()
        at, last = at >> 1, last >> 1
    return found if not last else None


def proved(text: str, key: str, signed: dict[str, bool]) -> bytes | None:
    """Return the leaf of a proof, or None if it is not in a tree that the key has signed. `key`: as
    `crisscross seal key` prints it. `signed`: notes that were verified already."""
    head, _, note = text.partition("\n\n")
    magic, extra, index, *path = head.split("\n")
    if magic != "c2sp.org/tlog-proof@v1":
        return None
    leaf = b64decode(extra.removeprefix("extra "))
    body, _, lines = note.partition("\n\n")
    _, size, root, *_ = body.split("\n")
    steps = [b64decode(step) for step in path]
    found = root_of(leaf, int(index.removeprefix("index ")), int(size), steps)
    if note not in signed:
        signed[note] = _is_signed(f"{body}\n".encode(), lines, key)
    return leaf if signed[note] and found == b64decode(root) else None


def _is_signed(text: bytes, lines: str, key: str) -> bool:
    name, number, data = key.split("+", 2)
    for line in lines.splitlines():
        _, who, signature = line.split(" ")
        known, rest = b64decode(signature)[:4], b64decode(signature)[4:]
        if who == name and known.hex() == number and is_signed(b64decode(data)[1:], text, rest):
            return True
    return False
