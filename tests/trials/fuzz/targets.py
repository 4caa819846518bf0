"""List of all targets of the fuzzer, by name."""

from __future__ import annotations

from tests.trials.fuzz import boards, files, journals, readers, shoe, touches, witness

_ALL = (
    shoe.TARGET,
    readers.TARGET,
    boards.TARGET,
    *files.TARGETS,
    touches.TARGET,
    journals.TARGET,
    witness.TARGET,
)
TARGETS = {target.name: target for target in _ALL}
