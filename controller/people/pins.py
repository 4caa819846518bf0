"""PINs as argon2id hashes (RFC 9106). A PIN is never kept, logged, shown or put into an error.

A hash takes about a tenth of a second, on purpose: it is asked for in a thread, never on the loop's.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

ALLOWED = "4 to 12 digits"
_PIN = re.compile(r"[0-9]{4,12}")
MEMORY_KIB, PASSES, LANES = 19_456, 2, 1
"""OWASP's setting for small machines (Password Storage Cheat Sheet): 19 MiB, one thread."""


def is_pin(text: str) -> bool:
    return _PIN.fullmatch(text) is not None


def hashed(pin: str) -> str:
    """In PHC's form, with a salt of its own."""
    return _hasher().hash(pin)


def fits(pin: str, kept: str | None) -> bool:
    """Whether this is the PIN of that hash. Without a hash it takes as long, and is none."""
    from argon2.exceptions import VerifyMismatchError

    try:
        _hasher().verify(kept or _nobodys(), pin)
    except VerifyMismatchError:
        return False
    return kept is not None


@cache
def _hasher() -> PasswordHasher:
    # imported here: a tenth of a second that no other command need pay
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)


@cache
def _nobodys() -> str:
    """What the PIN of a person whom nobody knows is held against, so that it takes as long."""
    return hashed("0000")
