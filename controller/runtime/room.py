"""What the system must allow a table before it starts, so that none runs out of something in mid-round."""

from __future__ import annotations

import resource

LIMITS = (
    ("open files", resource.RLIMIT_NOFILE, 1, 64, 4),
    ("MiB of addresses", resource.RLIMIT_AS, 2**20, 256, 32),
)
"""What the system may limit, its unit, what a table needs of it, and what each reader needs more. The wired
table with 42 readers has 201 files open and 1,215 MiB of addresses, most of them of its threads' stacks."""


def too_little(readers: int = 0) -> str | None:
    """What is allowed and needed, in one line; None where there is room."""
    for what, limit, unit, least, of_a_reader in LIMITS:
        needed = least + of_a_reader * readers
        allowed, _hard = resource.getrlimit(limit)
        if allowed != resource.RLIM_INFINITY and allowed < needed * unit:
            had = f"{what}: {allowed // unit} are allowed and this table needs {needed}"
            return f"{had}; raise the limit in its unit"
    return None
