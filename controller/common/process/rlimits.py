"""System limits (open files, memory) that a table needs before it starts, so that no resource runs out in
mid-round.
"""

from __future__ import annotations

import resource

LIMITS = (
    ("open files", resource.RLIMIT_NOFILE, 1, 64, 4),
    ("MiB of addresses", resource.RLIMIT_AS, 2**20, 256, 32),
)
"""Resources that the system may limit: unit, need of a table, and additional need of each reader. The wired
table with 42 readers has 201 files open and 1,215 MiB of addresses, most of them for its threads' stacks."""


def missing_rlimit(readers: int = 0) -> str | None:
    """Return one line about the first limit of this process that is below the need of a table with so many
    readers, or None."""
    for what, limit, unit, least, of_a_reader in LIMITS:
        needed = least + of_a_reader * readers
        allowed, _hard = resource.getrlimit(limit)
        if allowed != resource.RLIM_INFINITY and allowed < needed * unit:
            had = f"{what}: {allowed // unit} are allowed and this table needs {needed}"
            return f"{had}; raise the limit in its unit"
    return None
