"""The rounds before this start, for the dealer's recall, replayed from the oldest snapshot that is kept.

It is used once, when somebody recalls a round and the daemon has not yet played ten. It only returns
public records.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from controller.game.model.record import Correction, RoundRecord
from controller.game.model.state import TableState
from controller.journal.codec import adapter
from controller.journal.journal import Journal
from controller.journal.replay import replay
from controller.journal.schema import in_file
from controller.runtime.source import RECALLED, public_record, put_right


def older_rounds(journal: Journal) -> list[Mapping[str, Any]]:
    """Public records of the last rounds in the journal, the oldest first."""
    found: deque[Mapping[str, Any]] = deque(maxlen=RECALLED)

    def keep(record: RoundRecord, before: TableState) -> None:
        found.append(public_record(record, before))

    def correct(number: int, entry: Correction) -> None:
        put_right(found, number, entry)

    with in_file(journal.path):
        at, state = _oldest(journal)
        replay(journal.settings(), journal.rows(at), state, keep, correct)
    return list(found)


def _oldest(journal: Journal) -> tuple[int, TableState | None]:
    snapshots = journal.snapshots()
    if not snapshots:
        return 0, None
    seq, text = snapshots[-1]
    try:
        return seq, adapter(TableState).validate_json(text)
    except ValidationError:
        # another version wrote it, and perhaps the newest one too: replay the whole journal
        return 0, None
