"""The outbox for the process with a network: a client of the follower's Unix socket (`outbox_server.py`).

The follower may be unavailable for some seconds, as during a restart. Meanwhile nothing is sent, and answers
of pits cannot be checked; the connection to the broker stays open.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.common.ipc.rpc import NoAnswer, RpcClient, RpcFailed
from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.floor.uplink.outbox import Diverged, Head, OutboxError, Ready
from controller.floor.uplink.wire import InvalidPayload

TELL = "`crisscross uplink tell`"
AWAY = f"{TELL} does not answer"


class RemoteOutbox:
    """Outbox of a follower in another process. Methods raise OutboxError if its answer cannot be used. Any
    thread.
    """

    def __init__(self, client: RpcClient) -> None:
        self._client = client
        self._head: Head | None = None

    @property
    def path(self) -> Path:
        """Socket of the follower, for messages."""
        return self._client.path

    def head(self) -> Head | None:
        """Return the position of the outbox, or the last known one while the follower does not answer."""
        with suppress(NoAnswer):
            self._head = _head(self._ask("head"))
        return self._head

    def events(self, after: int, most: int) -> list[Ready]:
        """Return at most `most` events after number `after`; none while the follower does not answer."""
        try:
            return _ready(self._ask("events", after=after, most=most), after)
        except NoAnswer:
            return []

    def first(self) -> int:
        """Return the number of the oldest stored event. Raises InvalidPayload while the follower does not
        answer.
        """
        try:
            return int(self._ask("first"))
        except NoAnswer:
            raise InvalidPayload(AWAY) from None

    def root(self, sequence: int) -> bytes | None:
        """Return the root of the first `sequence` events, or None if it is not stored.

        Raises InvalidPayload while the follower does not answer.
        """
        try:
            found = self._ask("root", sequence=sequence)
        except NoAnswer:
            raise InvalidPayload(AWAY) from None
        return None if found is None else bytes.fromhex(found)

    def felt(self) -> bytes | None:
        return self._payload("felt")

    def chips(self) -> bytes | None:
        return self._payload("chips")

    def _payload(self, method: str) -> bytes | None:
        try:
            found = self._ask(method)
        except NoAnswer:
            return None
        return None if found is None else str(found).encode()

    def forget(self, had: int) -> None:
        """Ask the follower to delete the events that every pit acknowledged long ago. `had`: number of the
        last event that every pit has acknowledged."""
        with suppress(NoAnswer):
            self._ask("forget", had=had)

    def diverge(self, stream: str, found: Diverged) -> None:
        """Ask the follower to note that a pit has another history of a stream."""
        with suppress(NoAnswer):
            self._ask("diverge", stream=stream, sequence=found.sequence, low=found.low)

    def on_my_way(self, pit: str, about: str) -> bool:
        """Ask the daemon to show that a floorperson is on the way; return whether the screens show it.
        `about`: ID of the call or hold.

        Raises NoAnswer or Failed.
        """
        return self._client.ask("on_my_way", pit=pit, about=about) is True

    def plays(self) -> bool:
        """Return whether the follower answers and a daemon plays with its journal."""
        try:
            return self._ask("plays") is True
        except NoAnswer:
            return False

    def _ask(self, method: str, **values: Any) -> Any:  # noqa: ANN401  # JSON
        try:
            return self._client.ask(method, **values)
        except RpcFailed as error:
            raise OutboxError(str(error)) from None


class RemoteCursor:
    """Cursor of the publisher, which the follower stores: how many events each pit has acknowledged."""

    def __init__(self, client: RpcClient) -> None:
        self._client = client

    def __str__(self) -> str:
        return str(self._client.path)

    def load(self, stream: str) -> dict[str, int]:
        """Return the number of events of `stream` that each pit has acknowledged; empty while the follower
        does not answer.
        """
        try:
            return {str(pit): int(upto) for pit, upto in self._client.ask("kept", stream=stream).items()}
        except (NoAnswer, RpcFailed):
            return {}

    def keep(self, stream: str, had: Mapping[str, int]) -> None:
        """Store the number of events that each pit has acknowledged. Raises OSError if that fails."""
        try:
            self._client.ask("keep", stream=stream, had=dict(had))
        except RpcFailed as error:
            raise NoAnswer(str(error)) from None


def _head(found: Any) -> Head | None:  # noqa: ANN401  # JSON
    if found is None:
        return None
    try:
        tree = Frontier.parse(found["tree"])
        return Head(found["stream"], found["name"], found["row"], found["sealed"], tree)
    except (BadFrontier, LookupError, TypeError):
        raise OutboxError(f"{TELL} answered in another version; restart both services") from None


def _ready(found: Any, after: int) -> list[Ready]:  # noqa: ANN401  # JSON
    try:
        made = [
            Ready(seq, row, payload.encode(), bytes.fromhex(root), bytes.fromhex(before) if before else None)
            for seq, row, payload, root, before in found
        ]
    except (TypeError, ValueError, AttributeError):
        raise OutboxError(f"{TELL} answered in another version; restart both services") from None
    first = made[0].sequence if made else after + 1
    if first <= after or [each.sequence for each in made] != list(range(first, first + len(made))):
        raise OutboxError(f"{TELL} sent other events than those after {after}; restart both services")
    return made
