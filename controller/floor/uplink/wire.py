"""Payloads between a table and the pit, with parsers, and the age at which a table is shown as silent.

Each event is a CloudEvent 1.0 in JSON, structured mode. A payload that is not of this format is refused
completely. The exact bytes of an event are a leaf of its stream's tree (RFC 9162), so that two parties with
the same root have the same events. asyncapi.yaml beside this file describes them for other programs.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, ValidationError

from controller.common.files.json_text import json_text, read_json
from controller.common.files.strict_json import JsonError
from controller.common.tlog.merkle import leaf_hash
from controller.common.tlog.note import BadNote, Checkpoint, Note, SigningKey, VerifierKey, from_base64
from controller.floor.uplink.consistency import contradiction
from controller.floor.uplink.kinds import PRINTABLE, SENT_KINDS, Utc, form, form_of
from controller.floor.uplink.snapshot import Floor
from controller.floor.uplink.stream_names import STREAM
from controller.game.showing.spectator import Spectator
from drivers.chips.register import UID_PATTERN

FORMAT: Final = 1
"""Version of the format of all payloads. A change of any form gets another number and another topic."""
MAX_FORMAT: Final = 999
"""Largest accepted number of a later format; a larger one is refused without quoting it."""
ROOT = f"crisscross/{FORMAT}"
NAME_PATTERN = r"[A-Za-z0-9_-]{1,64}"
"""Name of a table, a site or a pit, one topic level. No dot: RabbitMQ has dots where MQTT has slashes."""
TABLE_PATTERN = rf"({NAME_PATTERN}\.)?{NAME_PATTERN}"
"""Name of a table in payloads and stores: `TABLE`, or `SITE.TABLE`, whose topics have a level for each."""
MAX_PAYLOAD_BYTES = 256 * 1024
"""Maximum size of a payload."""
TYPE = "crisscross.table."
DIGITS = 12
"""Number of digits of `sequence`, which CloudEvents sorts as text."""
_MAX_NUMBER = 10**DIGITS - 1
EVENTS_TYPE = "application/cloudevents+json"
Name = Annotated[str, Field(pattern=f"^{NAME_PATTERN}$")]
TableName = Annotated[str, Field(pattern=f"^{TABLE_PATTERN}$")]
Stream = Annotated[str, Field(pattern=STREAM)]
Count = Annotated[int, Field(ge=0, le=_MAX_NUMBER)]
Uid = Annotated[str, Field(pattern=f"^({UID_PATTERN})$")]
MAX_LISTED_CHIPS = 1000
"""Maximum number of chips in each of the two lists of `Chips`: 42 circles of twenty chips."""
LEFT_S = 60
"""Seconds for which a chip that left is listed."""


class InvalidPayload(ValueError):
    """Raised for a payload that is refused. The message is one line that never quotes the payload. `reason`:
    one word for a counter. `number`: number of the event, None if it is unknown.
    """

    reason = "form"

    def __init__(self, words: str, reason: str | None = None, number: int | None = None) -> None:
        super().__init__(words)
        self.reason, self.number = reason or type(self).reason, number


class LaterFormat(InvalidPayload):
    """Raised for a payload of a later format than this program knows."""

    reason = "future"


class _Payload(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Event(_Payload):
    """One public event of a table. `sequence` counts from 1 in its stream without a gap; `id` names the row
    of the journal and which of its events it is, and is the same whenever it is sent."""

    specversion: Literal["1.0"]
    id: Annotated[str, Field(min_length=1, max_length=128, pattern=PRINTABLE)]
    source: Annotated[str, Field(pattern=f"^/tables/{TABLE_PATTERN}$")]
    type: Annotated[str, Field(pattern=r"^crisscross\.table\.[a-z_]+$")]
    time: Utc
    subject: Annotated[str, Field(pattern="^round/(0|[1-9][0-9]{0,11})$")]
    datacontenttype: Literal["application/json"]
    sequence: Annotated[str, Field(pattern=f"^[0-9]{{{DIGITS}}}$")]
    stream: Stream
    row: Count
    format: Literal[1] = FORMAT
    data: dict[str, Any] = Field(repr=False)

    @property
    def number(self) -> int:
        """Return the position in the stream, from 1."""
        return int(self.sequence)

    @property
    def kind(self) -> str:
        return self.type.removeprefix(TYPE)

    @property
    def table(self) -> str:
        return self.source.removeprefix("/tables/")


class State(_Payload):
    """State of a table, published when its publisher connects and then every `HEARTBEAT_INTERVAL_S`. `gone`
    is the will, sent by the broker, or reports that the daemon or `uplink tell` does not run."""

    format: Literal[1] = FORMAT
    table: TableName
    stream: Stream
    state: Literal["here", "stopped", "gone"]
    time: Utc | None
    sequence: Count
    """Number of the last event that can be sent."""
    program: Annotated[str, Field(max_length=128, pattern=PRINTABLE)]
    speaker: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    """Random number of the publishing process, which distinguishes two processes of the same name."""


def _shown(form: Any) -> GetPydanticSchema:  # noqa: ANN401  # a type
    return GetPydanticSchema(lambda _source, handler: handler.generate_schema(form))


DRAWN = frozenset({"cross", "bonus_cards", "seats"})
"""Keys of a felt that every page draws."""


class Felt(_Payload):
    """The table as its screens show it after event `sequence`. Only the newest is valid."""

    format: Literal[1] = FORMAT
    table: TableName
    stream: Stream
    sequence: Count
    time: Utc
    felt: Annotated[dict[str, Any], _shown(form_of(Spectator, "felt", DRAWN))]
    """`Spectator` of controller/game/showing/spectator.py; a key that is not drawn may be missing."""
    floor: Annotated[dict[str, Any], _shown(form_of(Floor, "felt", frozenset()))]
    """`Floor` of snapshot.py, for the floorperson's page."""


class Chips(_Payload):
    """The chips in a table's circles by UID, sent only if its table file asks for it (`uplink.chips`): when
    they change, and again every `HEARTBEAT_INTERVAL_S`. Only the newest is valid."""

    format: Literal[1] = FORMAT
    table: TableName
    stream: Stream
    chips: Annotated[dict[Uid, Utc], Field(max_length=MAX_LISTED_CHIPS)]
    """Time of the reading since which each chip is there."""
    left: Annotated[dict[Uid, Utc], Field(max_length=MAX_LISTED_CHIPS)]
    """Time of the reading that no longer showed each chip that left within the last `LEFT_S`."""


class Have(_Payload):
    """A pit's acknowledgement: its stable storage has every event up to `upto`, with this root."""

    format: Literal[1] = FORMAT
    pit: Name
    table: TableName
    stream: Stream
    upto: Count
    root: Annotated[str, Field(pattern="^[A-Za-z0-9+/]{43}=$")]
    cosignature: Annotated[str, Field(max_length=1024)] | None
    """Signature under the text of `checkpoint_text` by the pit's key (C2SP tlog-cosignature); null without
    a key."""


class OnMyWay(_Payload):
    """A pit's answer to a call or a hold: a floorperson is on the way. `about`: `call` or `hold`, and its
    starting time as in its event."""

    format: Literal[1] = FORMAT
    pit: Name
    table: TableName
    stream: Stream
    about: Annotated[str, Field(pattern=r"^(call|hold) [0-9TZ:.-]{20,27}$")]


class OnTheWay(OnMyWay):
    """A table's reply to `OnMyWay`. `shown`: its screens show a floorperson on the way; false if the call or
    hold is over."""

    shown: bool


HEARTBEAT_INTERVAL_S = 20
"""Seconds between two heartbeats (`here`) of a table."""
ANSWER_EXPIRY_S = 10
"""Age after which the broker drops an `on_my_way` or `on_the_way` (MQTT 5 Message Expiry Interval)."""
SILENT_S = 60
"""Age in s of the last message at which a table is silent and is shown as silent. The broker drops a
heartbeat `here` at that age (MQTT 5 Message Expiry Interval).
"""
_KEY = re.compile(r"[a-z_]{1,32}|[0-9]{1,3}")
_P = TypeVar("_P", Event, State, Felt, Chips, Have, OnMyWay, OnTheWay)
_W = TypeVar("_W", OnMyWay, OnTheWay)

# ------------------------------------------------------------------ topics

OF_PIT = "have|on_my_way|on_the_way"
"""Last topic levels before a pit's name, as a pattern. A table of a site may not be called so."""
_TOPIC = re.compile(
    f"{ROOT}/(?:({NAME_PATTERN})/(?!(?:{OF_PIT})/))?({NAME_PATTERN})/"
    f"(events|state|felt|chips|(?:{OF_PIT})/{NAME_PATTERN})"
)
ALL_TABLES = ("+", "+/+")
"""Topic levels of all tables, without and with a site, as patterns of a subscription."""


def topic(table: str, leaf: str) -> str:
    """Return a topic of a table: `events`, `state`, `felt`, `chips`, or `OF_PIT` with the pit's name."""
    return f"{ROOT}/{table.replace('.', '/')}/{leaf}"


def table_of(topic: str) -> tuple[str, str]:
    """Return (table, rest) of a topic. Raises InvalidPayload if it is not a topic of this format."""
    found = _TOPIC.fullmatch(topic)
    if found is None:
        raise InvalidPayload(
            f"the topic is none of format {FORMAT}; allowed: {ROOT}/TABLE/events, state, felt, chips, "
            f"have/PIT, on_my_way/PIT, on_the_way/PIT, and the same under {ROOT}/SITE/TABLE"
        )
    site, table, rest = found.groups()
    return (f"{site}.{table}" if site else table), rest


def sender_of(topic: str) -> str:
    """Return the table of a topic, or the first level of a topic that is not of this format."""
    try:
        return table_of(topic)[0]
    except InvalidPayload:
        return topic.removeprefix(f"{ROOT}/").partition("/")[0]


# ------------------------------------------------------------------ to and from bytes


def event(  # a table calls it; a pit only reads events
    table: str, stream: str, sequence: int, *, kind: str, row: int, part: str, utc: str,
    data: Mapping[str, Any],
) -> Event:  # fmt: skip
    """Return an event. `part`: distinguishes the events of one row.

    Raises ValidationError or KeyError if `kinds.py` does not allow it.
    """
    # keeps the given order of keys: the bytes are a leaf of the tree
    values = read_json(json_text(dict(data)).encode())
    form(kind).validate_python(values)
    return Event(
        specversion="1.0", id=f"{stream}/{row}/{part}", source=f"/tables/{table}", type=f"{TYPE}{kind}",
        time=utc, subject=f"round/{data['round']}", datacontenttype="application/json",
        sequence=f"{sequence:0{DIGITS}}", stream=stream, row=row, data=values,
    )  # fmt: skip


def packed(payload: BaseModel) -> bytes:
    """Return a payload as JSON bytes. The same payload always gives the same bytes."""
    return json_text(payload.model_dump(mode="json")).encode()


def read_event(payload: bytes, topic_table: str | None = None) -> Event:
    """Return the event; its `data` has been validated by the form of its kind.

    Raises InvalidPayload, also if the event is of another table than the topic.
    """
    found = _belonging(_read(Event, payload), topic_table)
    if found.kind not in SENT_KINDS:
        words = f"an event of a kind that format {FORMAT} has not; is the table's program newer?"
        raise InvalidPayload(words, "kind", found.number)
    named = f"event {found.number}, {found.kind}"
    try:
        data = form(found.kind).validate_python(found.data)
    except ValidationError as error:
        raise InvalidPayload(f"{named}: {_places(error)}", None, found.number) from None
    if found.subject != f"round/{data['round']}":
        words = f"event {found.number}: a number that no table has: two rounds in one event"
        raise InvalidPayload(words, None, found.number)
    wrong = contradiction(found.kind, data)
    if wrong is not None:
        raise InvalidPayload(f"{named}: {wrong}", "contradiction", found.number)
    return found.model_copy(update={"data": data})


def read_state(payload: bytes, topic_table: str | None = None) -> State:
    """Return the state. Raises InvalidPayload, also if it names another table than its topic."""
    return _belonging(_read(State, payload), topic_table)


def read_felt(payload: bytes, topic_table: str | None = None) -> Felt:
    """Return the felt. Raises InvalidPayload, also if it names another table than its topic."""
    return _belonging(_read(Felt, payload), topic_table)


def read_chips(payload: bytes, topic_table: str | None = None) -> Chips:
    """Return the chips. Raises InvalidPayload, also if it names another table than its topic."""
    return _belonging(_read(Chips, payload), topic_table)


def read_have(payload: bytes, topic_table: str | None = None) -> Have:
    """Return the answer. Raises InvalidPayload, also if it names another table than its topic."""
    return _belonging(_read(Have, payload), topic_table)


def read_on_my_way(payload: bytes, topic_table: str, topic_pit: str) -> OnMyWay:
    """Return the answer. Raises InvalidPayload, also if it names another table or pit than its topic."""
    return _of_pit(_belonging(_read(OnMyWay, payload), topic_table), topic_pit)


def read_on_the_way(payload: bytes, topic_table: str, topic_pit: str) -> OnTheWay:
    """Return the table's reply. Raises InvalidPayload, also if it names another table or pit than its
    topic."""
    return _of_pit(_belonging(_read(OnTheWay, payload), topic_table), topic_pit)


def _of_pit(found: _W, topic_pit: str) -> _W:
    if found.pit != topic_pit:
        raise InvalidPayload("a payload names another pit than its topic", "topic")
    return found


def _belonging(found: _P, topic_table: str | None) -> _P:
    if topic_table is not None and found.table != topic_table:
        raise InvalidPayload("a payload names another table than its topic", "topic")
    return found


def _read(kind: type[_P], payload: bytes) -> _P:
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise InvalidPayload(f"a payload of {len(payload)} bytes; allowed: {MAX_PAYLOAD_BYTES}", "size")
    try:
        found = read_json(payload)
    except JsonError as error:
        raise InvalidPayload(f"a payload that is no JSON of this wire: {error}", "json") from None
    if not isinstance(found, dict):
        raise InvalidPayload("a payload that is no JSON object", "json")
    version = found.get("format")
    if type(version) is not int or version > MAX_FORMAT:
        raise InvalidPayload("a payload without its format", "format")
    if version > FORMAT:
        raise LaterFormat(f"a payload of format {version}; this program knows {FORMAT}: update it")
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        raise InvalidPayload(f"a payload that is no {kind.__name__}: {_places(error)}") from None


def _places(error: ValidationError) -> str:
    """Return a text that names the keys at fault, at most four. A key that the sender invented is not
    quoted."""
    named = {
        ".".join(part if _KEY.fullmatch(part) else "?" for part in map(str, each["loc"]))[:60]
        for each in error.errors(include_url=False, include_context=False, include_input=False)
        if each["type"] != "extra_forbidden"
    }
    clock = "; a time that no clock shows" if named & {"time"} else ""
    return (", ".join(sorted(named)[:4]) or "a key that is not known") + clock


# ------------------------------------------------------------------ the tree of a stream


def leaf_of(payload: bytes) -> bytes:
    """Return the hash of an event as a leaf of its stream's tree (RFC 9162, section 2.1.1)."""
    return leaf_hash(payload)


def checkpoint_text(table: str, stream: str, upto: int, root: bytes) -> str:
    """Return the text that a pit signs: the first `upto` events of a stream have this root.

    Format: C2SP tlog-checkpoint.
    """
    return Checkpoint(f"crisscross/{FORMAT}/{table}/{stream}", upto, root).text()


def have(
    pit: str, table: str, stream: str, upto: int, root: bytes, key: SigningKey | None = None, seconds: int = 0
) -> Have:
    """Return a pit's acknowledgement of the events up to `upto`, which are on its disk. `root`: root of their
    tree; `key`: signs the acknowledgement; `seconds`: POSIX time of the signature."""
    signed = key.cosign(checkpoint_text(table, stream, upto, root), seconds) if key else None
    return Have(
        pit=pit, table=table, stream=stream, upto=upto, root=b64encode(root).decode(), cosignature=signed
    )  # fmt: skip


def proven(answer: Have, key: VerifierKey) -> bool:
    """Return whether the acknowledgement has a valid signature by that key."""
    if answer.cosignature is None:
        return False
    try:
        text = checkpoint_text(answer.table, answer.stream, answer.upto, from_base64(answer.root))
        return Note.of(text, answer.cosignature).cosigned_by(key) is not None
    except BadNote:
        return False
