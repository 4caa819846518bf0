"""PINs and passwords as argon2id hashes (RFC 9106). The PIN or password itself must never be stored, logged
or put into an error.

A hash takes about a tenth of a second, on purpose: compute it in a thread, never on the loop's.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MEMORY_KIB, PASSES, LANES = 19_456, 2, 1
"""OWASP's setting for small machines (Password Storage Cheat Sheet): 19 MiB, one thread."""
COSTS = f"m={MEMORY_KIB},t={PASSES},p={LANES}"
_OWN = re.compile(
    rf"\$argon2id\$v=19\${COSTS}\$[A-Za-z0-9+/]{{21}}[AQgw]\$[A-Za-z0-9+/]{{42}}[AEIMQUYcgkosw048]"
)
"""Hash with 16 bytes of salt and 32 of digest in base64 without padding, as `hash_secret` writes it."""
_DECOY = "$argon2id$v=19$m=19456,t=2,p=1$hdj/ymwAFQbZhZz5n+cRNQ$7dB41XyaoEwCuYSj7ew+HKYe8L5B0fx3Q4nvi5+dShw"
"""Hash with which an unknown person's secret is compared, so that the answer takes the same time. No secret
matches it."""


def has_own_costs(kept: str) -> bool:
    """Return whether a hash has the costs and lengths of those that `hash_secret` makes.

    A comparison with other costs takes a different time, which would distinguish people, and might exhaust
    the memory.
    """
    return _OWN.fullmatch(kept) is not None


def hash_secret(secret: str) -> str:
    """Return the hash of a PIN or password in PHC format, with its own salt."""
    return _hasher().hash(secret)


def fits(secret: str, kept: str | None) -> bool:
    """Return whether `secret` matches the hash. Without a hash it returns False after the same work."""
    from argon2.exceptions import VerifyMismatchError

    try:
        _hasher().verify(kept or _DECOY, secret)
    except VerifyMismatchError:
        return False
    return kept is not None


@cache
def _hasher() -> PasswordHasher:
    # imported here: it takes a tenth of a second, which other commands do not need
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)
