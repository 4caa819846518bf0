"""Root of the stream's tree before an event: the MQTT 5 user property `previous` of the event, in base64.

It was added to format 1 later: an event of an earlier table has none and is accepted by its number alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.common.tlog.merkle import LENGTH
from controller.common.tlog.note import BadNote, from_base64
from controller.floor.uplink.wire import InvalidPayload

PREVIOUS = "previous"


def read_previous(properties: Iterable[tuple[str, str]]) -> bytes | None:
    """Return the root that an event carries, or None. Raises InvalidPayload if it is not a root."""
    found = [value for key, value in properties if key == PREVIOUS]
    if not found:
        return None
    try:
        root = from_base64(found[0])
    except BadNote:
        root = b""
    if len(found) > 1 or len(root) != LENGTH:
        raise InvalidPayload(
            f"an event whose {PREVIOUS} is no root of a tree; allowed: one, 32 bytes in base64", PREVIOUS
        )
    return root
