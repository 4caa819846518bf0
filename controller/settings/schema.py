"""The keys that a table file may have, the values that each allows, and their defaults: every key and
default of the configuration in one place.

The `description` of a field states what is allowed; a person reads it after a mistake in the table file.
Models are used while a file is loaded, never in play. Nothing here opens a file or a device.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from controller.common.files.forms import Flag, Form, MethodName, PlaceName, WagerName, word
from controller.common.files.zones import known
from controller.common.http.host_names import is_loopback
from controller.common.texts.catalogue import FIRST_LANGUAGE, languages
from controller.game.model.names import CROSS, SEATS, Method, Place, Wager
from controller.pages.display.ports import MIN_SCREEN_PERCENT
from controller.rules.packs.form import OVERRIDES
from drivers.chips.kinds import DEFAULT, FEIG, READER_KINDS
from drivers.ports import MIN_LAMPS_PERCENT

_SeatNumber = Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])]
Baud = Literal[9600, 19200, 38400, 57600, 115200]
Badge = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,16}$")]
ZONES = "an IANA time zone, for example America/New_York"
LANGUAGES = " or ".join(languages())
LOOPBACK_ADDRESS = "a loopback address: 127.0.0.1, ::1 or localhost"
FIVE_PLACES = f"a list of the five places, each once: {', '.join(CROSS)}"
WITNESS_KEY = "what `crisscross witness new-key` printed: NAME+NUMBER+KEY"
BROKER_URL = "mqtts://HOST:PORT; mqtt://HOST:PORT on this machine alone"
WITNESS_URL = "where the witness answers: http://HOST:PORT or https://HOST"
SCREEN = f"percent from {MIN_SCREEN_PERCENT} to 100 of the screens' brightness"
LAMPS = f"percent from {MIN_LAMPS_PERCENT} to 100 of the lamps' mean current"
ScreenPercent: TypeAlias = Annotated[int, Field(ge=MIN_SCREEN_PERCENT, le=100, description=SCREEN)]
LampsPercent: TypeAlias = Annotated[int, Field(ge=MIN_LAMPS_PERCENT, le=100, description=LAMPS)]
PathText = Annotated[str, Field(min_length=1, max_length=1024, pattern=r"^[^\x00]+$")]


def _loopback(host: str) -> str:
    """Raise ValueError for a host that is not loopback: the display has no password."""
    if not is_loopback(host):
        raise ValueError(f"allowed: {LOOPBACK_ADDRESS}")
    return host


def _check_cross(places: list[Place]) -> list[Place]:
    if sorted(places) != sorted(CROSS):
        raise ValueError(f"allowed: {FIVE_PLACES}")
    return places


def _known_zone(zone: str) -> str:
    if not known(zone):
        raise ValueError(f"allowed: {ZONES}")
    return zone


def _known_language(language: str) -> str:
    if language not in languages():
        raise ValueError(f"allowed: {LANGUAGES}")
    return language


def _cosigner(key: str) -> str:
    from controller.common.tlog.note import COSIGNATURE, BadNote, VerifierKey

    try:
        kind = VerifierKey.parse(key).kind
    except BadNote as error:
        raise ValueError(f"{error}; allowed: {WITNESS_KEY}") from None
    if kind != COSIGNATURE:
        raise ValueError(f"that key signs no cosignatures; allowed: {WITNESS_KEY}")
    return key


def _prefix(url: str) -> str:
    """Return the witness's URL without its last slash, so that `/add-checkpoint` can be appended. Raises
    ValueError if it is not a URL."""
    try:
        parts = urlsplit(url)
        well = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        well = False
    if not well or not re.fullmatch(r"[!-~]+", url) or set("?#@") & set(url):
        raise ValueError(f"allowed: {WITNESS_URL}")
    return url.rstrip("/")


def _broker(url: str) -> str:
    """Return the broker's address. Raises ValueError if it is wrong, or remote without TLS.

    Without TLS another writer on the wire could publish as the table.
    """
    try:
        parts = urlsplit(url)
        well = bool(parts.hostname) and (parts.port or 1) > 0 and not (parts.path.strip("/") or parts.query)
        host, user = parts.hostname or "", parts.username
    except ValueError:
        raise ValueError(f"allowed: {BROKER_URL}") from None
    local = parts.scheme == "mqtt" and is_loopback(host)
    if not well or user is not None or not (parts.scheme == "mqtts" or local):
        raise ValueError(f"allowed: {BROKER_URL}")
    return url


class DisplaySection(Form):
    host: Annotated[str, AfterValidator(_loopback)] = Field(default="127.0.0.1", description=LOOPBACK_ADDRESS)
    port: int = Field(
        default=8080, ge=0, le=65535, description="a port from 0 to 65535; 0 takes any free one"
    )
    port_file: PathText | None = Field(default=None, description="a file to write the port in")
    language: Annotated[str, AfterValidator(_known_language)] = Field(
        default=FIRST_LANGUAGE, description=LANGUAGES
    )
    touches_a_second: int = Field(
        default=10, ge=1, le=10_000, description="touches that are taken a second, from 1 to 10000"
    )
    user: str = Field(
        default="crisscross-display",
        description="the user whose browser is the table's own screen; a real table answers no other user",
    )


class ShoeSection(Form):
    port: PathText = Field(description="a serial port, best by /dev/serial/by-path/")
    protocol: Literal["v1", "plain"] = Field(
        default="v1", description="v1 (drivers/shoe/LINK.md) or plain (a card a line)"
    )
    serial: str = Field(
        default="",
        pattern=r"^[\x20-\x23\x25-\x29\x2B\x2D-\x7E]{0,64}$",
        description="the serial number of the table's shoe, up to 64 characters without $ * ,; "
        "left out: that of the shoe that was last connected",
    )
    link: Literal[1, 2] = Field(
        default=1,
        description="1, or 2: every frame proves that it is the paired shoe's, and faces are sealed",
    )
    pairing: PathText | None = Field(
        default=None,
        description="the file of the pairing, made by `crisscross shoe pair`; "
        "left out: the journal's name and .shoe",
    )
    baud: Baud | None = Field(
        default=None,
        description="9600, 19200, 38400, 57600 or 115200; left out: 115200 for v1, 9600 for plain",
    )


class ReadersSection(Form):
    kind: Annotated[str, word(READER_KINDS)] = Field(default=DEFAULT, description=", ".join(READER_KINDS))
    slots: Literal["all", "odd_even"] = Field(default="all", description=f"all or odd_even; with {FEIG} all")
    settle_ms: int = Field(default=5, ge=0, le=100, description="milliseconds from 0 to 100")
    baud: Literal[115200] = Field(default=115200, description="115200")
    ports: dict[_SeatNumber, dict[WagerName, PathText]] = Field(
        default_factory=dict,
        description="seat 1 to 6, then circle and serial port: 1: {ante_across: /dev/…}; circles are "
        + ", ".join(Wager),
    )


class ProofsSection(Form):
    module: PathText = Field(description="the socket of the secure module that has the chips' keys")
    chips_from: int = Field(
        default=1, ge=1, le=1_000_000,
        description="dollars from 1 to 1000000: chips of this value and more must have a key; cheaper ones "
        "are not asked",
    )  # fmt: skip
    payouts_from: int | None = Field(
        default=None, ge=1, le=1_000_000,
        description="dollars from 1 to 1000000: before a payout of so much the wager's chips prove "
        "themselves again, and the payout waits for it; left out: before none",
    )  # fmt: skip
    random_seconds: int = Field(
        default=2, ge=1, le=86_400,
        description="seconds from 1 to 86400, on average, between two proofs at random",
    )  # fmt: skip


class BetsSection(Form):
    confirm: Literal["unread", "each"] = Field(
        default="unread",
        description="unread: the dealer confirms bets that no reader has read; each: every bet and fold",
    )
    settle_seconds: float = Field(
        default=1.2,
        ge=0,
        le=10,
        description="seconds from 0 to 10 that a bet lies still, or a fold stands, before play goes on",
    )


class PinsSection(Form):
    factory: Literal["lgpio", "rpigpio", "mock", "sim"] = Field(
        description="lgpio, rpigpio, mock or sim; there is no other to fall back to"
    )
    socket: PathText | None = Field(default=None, description="the socket of factory sim, and of no other")
    map: PathText | None = Field(
        default=None, description="a pin map; left out: the one of hardware/pins.yaml"
    )


class WitnessSection(Form):
    key: Annotated[str, AfterValidator(_cosigner)] = Field(description=WITNESS_KEY)
    url: Annotated[str, AfterValidator(_prefix)] = Field(description=WITNESS_URL)


class SealSection(Form):
    origin: str | None = Field(
        default=None,
        pattern=r"^[!-*,-~]{1,100}$",
        description="what checkpoints call it for ever: at most 100 characters without space or +, "
        "for example house.example/CC-01; left out: crisscross.invalid/ and the table's name",
    )
    keys: PathText | None = Field(
        default=None, description="the folder of the table's keys; left out: the journal's name and .keys"
    )
    witnesses: list[WitnessSection] = Field(default=[], description="a list of key and url")
    notice_after_s: int = Field(
        default=900, ge=1, le=86_400,
        description="seconds from 1 to 86400 that the newest checkpoint may be without a witness's signature",
    )  # fmt: skip


class PitSection(Form):
    name: str = Field(
        pattern=r"^[A-Za-z0-9_-]{1,64}$", description="what the pit is called: letters, digits, - and _"
    )
    key: Annotated[str, AfterValidator(_cosigner)] | None = Field(
        default=None, description=f"{WITNESS_KEY}; left out: its answers are believed unsigned"
    )


class UplinkSection(Form):
    broker: Annotated[str, AfterValidator(_broker)] = Field(description=BROKER_URL)
    name: str | None = Field(
        default=None, pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="what the pit calls the table: letters, digits, - and _; left out: `table`",
    )  # fmt: skip
    site: str | None = Field(
        default=None, pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="the table's site in a group of houses; the pit calls the table SITE.NAME",
    )  # fmt: skip
    ca: PathText | None = Field(default=None, description="who signed the broker's certificate, a PEM file")
    certificate: PathText | None = Field(default=None, description="the table's certificate, a PEM file")
    key: PathText | None = Field(
        default=None, description="its private key, a PEM file of mode 0640 and of the daemon's group"
    )
    pits: list[PitSection] = Field(
        min_length=1, description="a list of name and key, of the pits whose answers count"
    )
    events_a_second: int = Field(default=200, ge=10, le=5000, description="events from 10 to 5000")
    metrics_port: int | None = Field(
        default=None, ge=0, le=65535, description="a port for /metrics on 127.0.0.1; left out: none"
    )
    chips: bool = Field(
        default=False,
        description="true: the pits receive the numbers of the chips in the circles, to detect copies",
    )


class ChangeSection(Form):
    at: str = Field(
        pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$",
        description='the time of day, local to `zone`: "00:00" to "23:59"',
    )
    screen: int | None = Field(
        default=None, ge=MIN_SCREEN_PERCENT, le=100, description=f"{SCREEN}; left out: `room.screen`"
    )
    lamps: int | None = Field(
        default=None, ge=MIN_LAMPS_PERCENT, le=100, description=f"{LAMPS}; left out: `room.lamps`"
    )


def _each_time_once(changes: list[ChangeSection]) -> list[ChangeSection]:
    times = [each.at for each in changes]
    for at, time in enumerate(times):
        if time in times[:at]:
            raise ValueError(f"{time} stands twice; each time once")
    return changes


class RoomSection(Form):
    screen: ScreenPercent = 100
    lamps: LampsPercent = 100
    sound: Flag = Field(default=False, description="true: the screens sound for a hold and a call")
    schedule: Annotated[list[ChangeSection], AfterValidator(_each_time_once)] = Field(
        default=[],
        max_length=24,
        description="a list of at, screen and lamps, 24 at most; each holds until the next",
    )


class MockSection(Form):
    control: PathText = Field(description="a socket by which a mock table's clock is moved")
    exam: bool = Field(default=False, description="true: pages and lamps withhold what a trainee has to know")


class TableSection(Form):
    """The top level of the file. The only other keys are values of the rule pack that a table may set."""

    table: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,16}$")] = Field(
        description="the table's name: up to 16 letters, digits, - _ ."
    )
    rules: str = Field(min_length=1, description="the key of a rule pack, or a file")
    method: MethodName | None = Field(
        default=None, description=", ".join(Method) + "; left out: the rule pack's first"
    )
    cross_order: Annotated[list[PlaceName], AfterValidator(_check_cross)] = Field(
        default=[*CROSS],
        description=FIVE_PLACES,
    )
    stack_first_out: Literal["top", "bottom"] = Field(default="top", description="top or bottom")
    shuffler: Flag = Field(default=True, description="false where the table has no automated shuffler")
    decks: Literal[1, 2] = Field(default=1, description="1 or 2; two decks play in turn")
    deck_notice_minutes: int = Field(
        default=15, ge=0, le=120, description="minutes from 0 to 120 before a change of the deck is due"
    )
    counting_device: Flag = Field(default=False, description="true where the shuffler counts the deck to 52")
    payouts_beside: Flag = Field(default=False, description="true where a payout is laid beside the circle")
    bets: BetsSection = Field(default=BetsSection(), description="confirm, settle_seconds")
    dead_time_ms: int = Field(
        default=400, ge=0, le=2000,
        description="milliseconds from 0 to 2000 after a new prompt in which no key is taken",
    )  # fmt: skip
    journal: PathText = Field(description="the file of the journal")
    zone: Annotated[str, AfterValidator(_known_zone)] | None = Field(
        default=None, description=f"{ZONES}; left out: the machine's"
    )
    chips: PathText | None = Field(default=None, description="the register of chips, a CSV file")
    display: DisplaySection = Field(default=DisplaySection(), description="host, port, …")
    shoe: ShoeSection | None = Field(default=None, description="port, protocol, link, …")
    readers: ReadersSection = Field(default=ReadersSection(), description="kind, slots, settle_ms, ports")
    proofs: ProofsSection | None = Field(
        default=None,
        description="module, chips_from, payouts_from, random_seconds; left out: chips have no keys",
    )
    pins: PinsSection | None = Field(
        default=None, description="factory, socket, map; left out: no lamps, no keys"
    )
    people: PathText | None = Field(
        default=None, description="the file of people, kept by `crisscross people`; a real table needs one"
    )
    floorpersons: list[Badge] = Field(
        default=[],
        description="a list of badges: letters, digits and -; in quotes where all digits; left out: "
        "every floorperson of `people`",
    )
    sign_on: Flag | None = Field(
        default=None,
        description="true: no key is taken before a dealer has signed on; false: on a mock table only; "
        "left out: true, and false on a mock table",
    )
    correction_limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="dollars from 1 to 1000000 by which a closed round may be corrected, at once and in all; "
        "left out: the payout limit of the rules",
    )
    room: RoomSection = Field(default=RoomSection(), description="screen, lamps, sound, schedule")
    storage_low_mib: int = Field(default=200, ge=1, le=1_000_000, description="MiB from 1 to 1000000")
    seal: SealSection = Field(default=SealSection(), description="origin, keys, witnesses, notice_after_s")
    uplink: UplinkSection | None = Field(
        default=None, description="broker, name, ca, certificate, key, pits, …; left out: none"
    )
    mock: MockSection | None = Field(default=None, description="control; on a mock table only")

    @classmethod
    def allowed_keys(cls) -> str:
        return f"{super().allowed_keys()}, {', '.join(sorted(OVERRIDES))}"
