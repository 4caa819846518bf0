"""The table file: read and checked completely, with all mistakes reported at once.

A mistake reads ``file:line: key: what is allowed``. Besides the form of each key (`schema.py`) these are
checked: each serial port is used once, dependent keys are complete, the rule pack and the chip register
load, and a real table (`mock: false`) cannot run with simulated devices. It opens no device and must never
supply a value that the file does not give, except the defaults of `schema.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from controller.common.files.forms import fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.money import dollars
from controller.common.files.packaged import data_dir
from controller.common.files.secret_file import exposure
from controller.common.files.yaml_lines import Lines, Path_, dotted, read_lines
from controller.game.model.names import Circle, Method, Wager
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.rules.packs.loader import OVERRIDES, find_pack, load_pack
from controller.settings.chip_register import read_register
from controller.settings.people.named import check_floorpersons, floorpersons_of, people_of
from controller.settings.people.register import People
from controller.settings.pin_map import read_pin_map, shipped_pin_map
from controller.settings.schema import TableSection
from drivers.chips.kinds import FEIG, PROVING, SHARED_PORT_KINDS
from drivers.chips.register import ChipRegister
from drivers.pins.map import PinMap

_T = TypeVar("_T")
SIMULATED = ("sim", "mock")
"""Pin back ends that a real table must not use."""
NO_PIN = "none has a PIN, so nothing can be decided: name a file under people, then crisscross people add"
Use: TypeAlias = Literal["reading", "mock", "real"]
"""Purpose of loading a table file: reading a value, playing on simulated devices, or playing on real ones."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """A checked table file, with the contents of the files that it names."""

    file: Path
    keys: TableSection
    pack: RulePack
    register: ChipRegister
    pin_map: PinMap
    people: People
    """People by the text that they type; empty if the table file names no file of people."""

    def path(self, text: str) -> Path:
        """Return a path in the table file, relative to the folder of that file."""
        return self.file.parent / text

    @property
    def journal(self) -> Path:
        return self.path(self.keys.journal)

    @property
    def pack_folder(self) -> Path:
        """Folder of the rule pack's file."""
        return find_pack(self.keys.rules, [self.file.parent]).parent

    @property
    def origin(self) -> str:
        """Origin of this table's checkpoints."""
        return self.keys.seal.origin or f"crisscross.invalid/{self.keys.table}"

    @property
    def key_folder(self) -> Path:
        """Folder of the table's own keys."""
        named = self.keys.seal.keys
        return self.path(named) if named else self.journal.with_name(f"{self.journal.name}.keys")

    @property
    def pairing(self) -> Path:
        """File with the keys of a paired shoe."""
        named = self.keys.shoe.pairing if self.keys.shoe else None
        return self.path(named) if named else self.journal.with_name(f"{self.journal.name}.shoe")

    @property
    def method(self) -> Method:
        return self.keys.method or next(iter(self.pack.deals))

    def reader_ports(self) -> dict[Circle, str]:
        """Return the serial port of each circle that has a reader."""
        return {
            Circle(seat, Wager(wager)): port
            for seat, circles in sorted(self.keys.readers.ports.items())
            for wager, port in circles.items()
        }

    def settings(self) -> TableSettings:
        bets = self.keys.bets
        return TableSettings(
            table=self.keys.table,
            method=self.method,
            cross_order=tuple(self.keys.cross_order),
            stack_first_out=self.keys.stack_first_out,
            shuffler=self.keys.shuffler,
            decks=self.keys.decks,
            deck_notice_minutes=self.keys.deck_notice_minutes,
            counting_device=self.keys.counting_device,
            tells_face_up=self.keys.shoe is None or self.keys.shoe.protocol != "plain",
            payouts_beside=self.keys.payouts_beside,
            payouts_proven_from=self.payouts_proven_from(),
            settle_ms=None if bets.confirm == "each" else round(bets.settle_seconds * 1000),
            fitted=frozenset(self.reader_ports()),
            floorpersons=self.floorpersons(),
            sign_on=self.keys.mock is None if self.keys.sign_on is None else self.keys.sign_on,
            reasons=self.keys.mock is None,
            correction_limit=self.correction_limit(),
            shoe_serial=self.keys.shoe.serial if self.keys.shoe else "",
            chip_values=self.chip_values(),
            zone=self.keys.zone or "",
        )

    def payouts_proven_from(self) -> int | None:
        """Return the smallest payout in cents before which the wager's chips prove themselves, or None."""
        dollars = None if self.keys.proofs is None else self.keys.proofs.payouts_from
        return None if dollars is None else dollars * 100

    def correction_limit(self) -> int | None:
        """Return the table file's limit in cents, by default the rules' highest payout; None if there is
        none."""
        own = self.keys.correction_limit
        return self.pack.payout_limit.cents if own is None else own * 100

    def floorpersons(self) -> tuple[str, ...]:
        """Return the names of the people who may make a floorperson's decision."""
        return tuple(self.keys.floorpersons) or tuple(floorpersons_of(self.people))

    def authenticating_floorpersons(self) -> tuple[str, ...]:
        """Return the names of the floorpersons who have a PIN."""
        decide = self.floorpersons()
        return tuple(each.name for each in self.people.values() if each.pin and each.name in decide)

    def dealers_without_pin(self) -> tuple[str, ...]:
        """Return the names of dealers without a PIN, who cannot sign on."""
        return tuple(each.name for each in self.people.values() if "dealer" in each.roles and not each.pin)

    def has_key(self, uid: str) -> bool:
        """Return whether a chip has a key with which it proves itself, by its value in the register."""
        proofs = self.keys.proofs
        return proofs is not None and (self.register.look_up(uid).cents or 0) >= 100 * proofs.chips_from

    def chip_values(self) -> tuple[int, ...]:
        """Return the values of the house's chips in cents, the largest first."""
        return self.register.values


def load_config(path: Path, use: Use = "reading") -> TableConfig:
    """Load the table file at `path`.

    A table that is to be played must name the people who may decide, and a real table may contain nothing
    reserved for mock tables. Raises Mistakes listing all mistakes.
    """
    found = read_lines(path)
    if found.data is None:
        raise Mistakes(found.report())
    overrides = {key: value for key, value in found.data.items() if key in OVERRIDES}
    own = {key: value for key, value in found.data.items() if key not in OVERRIDES}
    keys = fit(TableSection, replace(found, data=own))
    _check_ports(found)
    _check_witnesses(found, keys)
    _check_uplink(found, keys)
    _check_belonging(found)
    if use == "real":
        _check_real(found)
    pack, others = _pack(found, overrides)
    people = people_of(found, others)
    if people is not None:
        check_floorpersons(found, people, required=use != "reading")
    register = _load_named(found, others, read_register, data_dir("config") / "chips.csv", "chips")
    pins = _load_named(found, others, read_pin_map, shipped_pin_map(), "pins", "map")
    _check_method(found, pack)
    _check_shuffler(found, pack)
    _check_chips(found, pack, register)
    if keys is None or pack is None or register is None or pins is None or people is None:
        raise Mistakes([*found.report(), *others])
    if found.mistakes or others:
        raise Mistakes([*found.report(), *others])
    config = TableConfig(path, keys, pack, register, pins, people)
    if use != "reading" and keys.shoe is not None and keys.shoe.link != 1:
        _check_paired(found, config.pairing)
    return config


def _check_paired(found: Lines, pairing: Path) -> None:
    """Raise Mistakes if a table with version 2 of the link has no keys of a paired shoe."""
    from drivers.shoe.keys import KeysError, read_keys

    try:
        read_keys(pairing)
    except KeysError as error:
        found.add(("shoe", "link"), f"2: {error}")
        raise Mistakes(found.report()) from None


def _pack(found: Lines, overrides: Mapping[str, Any]) -> tuple[RulePack | None, list[str]]:
    """Return the rule pack with the table's own values (`overrides`), or None if it has mistakes; and the
    mistakes in files other than the table file."""
    name = found.data.get("rules")
    if not isinstance(name, str) or not name:
        return None, []
    folder = Path(found.file).parent
    try:
        file = find_pack(name, [folder])
    except Mistakes as mistakes:
        allowed = mistakes.lines[0].partition("allowed: ")[2]
        found.add(("rules",), f"there is no rule pack {name}; allowed: {allowed}")
        return None, []
    try:
        return load_pack(file, overrides, found), []
    except Mistakes as mistakes:
        return None, list(mistakes.lines)


def _load_named(
    found: Lines, others: list[str], read: Callable[[Path], _T], shipped: Path, *key: str
) -> _T | None:
    """Return the content of the file that the table file names under `key`, read by `read`. Without that key,
    the file `shipped` with the program is read. Returns None after adding the mistakes of the file to
    `others`."""
    name = _value_at(found.data, *key)
    if name is not None and not isinstance(name, str):
        return None
    try:
        return read(Path(found.file).parent / name if name else shipped)
    except Mistakes as mistakes:
        others.extend(mistakes.lines)
        return None


# ---------------------------------------------------------------------- checks across keys


def _check_ports(found: Lines) -> None:
    """Refuse a serial port that is used twice. A port serves a shoe, a reader, or the one board or
    multiplexed reader of a seat."""
    first: dict[str, Path_] = {}
    boards: dict[Any, str] = {}
    shared = str(_value_at(found.data, "readers", "kind")) in SHARED_PORT_KINDS
    for path, port in _ports(found.data):
        seat = path[2] if shared and path[0] == "readers" else None
        if seat is not None and boards.setdefault(seat, port) != port:
            found.add(path, f"{port}; the seat's port is {boards[seat]}: one port a seat")
        elif port in first and (seat is None or first[port][:3] != path[:3]):
            found.add(path, f"{port} stands at {dotted(first[port])} already; each port once")
        first.setdefault(port, path)


def _ports(data: Any) -> Iterator[tuple[Path_, str]]:
    """Yield each serial port with its path. Ignores values of a wrong form: the form's own check reports
    them."""
    port = _value_at(data, "shoe", "port")
    if isinstance(port, str):
        yield ("shoe", "port"), port
    seats = _value_at(data, "readers", "ports")
    for seat, circles in seats.items() if isinstance(seats, Mapping) else ():
        for wager, port in circles.items() if isinstance(circles, Mapping) else ():
            if isinstance(port, str):
                yield ("readers", "ports", seat, wager), port


def _check_witnesses(found: Lines, keys: TableSection | None) -> None:
    """Refuse a witness that is named twice, because it would count twice."""
    named = [each.key for each in keys.seal.witnesses] if keys else []
    for at, key in enumerate(named):
        if key in named[:at]:
            found.add(("seal", "witnesses", at, "key"), "that witness stands twice; each once")


def _check_uplink(found: Lines, keys: TableSection | None) -> None:
    """Check that the name can be a topic level, and that mqtts has its certificates. Pits must be named
    once."""
    uplink = keys.uplink if keys else None
    if keys is None or uplink is None:
        return
    if uplink.name is None and "." in keys.table:
        found.add(("uplink",), f"name: missing, as {keys.table} has a dot; allowed: letters, digits, - and _")
    files = {"ca": uplink.ca, "certificate": uplink.certificate, "key": uplink.key}
    for name, file in files.items() if uplink.broker.startswith("mqtts:") else ():
        if file is None:
            found.add(("uplink", name), "missing; allowed with mqtts: a PEM file")
    named = [pit.name for pit in uplink.pits]
    for at, name in enumerate(named):
        if name in named[:at]:
            found.add(("uplink", "pits", at, "name"), f"{name} stands twice; each pit once")


def _check_belonging(found: Lines) -> None:
    """Check keys that need or exclude each other."""
    data = found.data
    if "shoe" not in data and data.get("method") != "hand":
        found.add((), "shoe: missing; allowed: a section shoe with its port, or method: hand")
    if _value_at(data, "shoe", "link") == 2 and _value_at(data, "shoe", "protocol") == "plain":
        found.add(("shoe", "link"), "2; allowed with protocol plain, which proves nothing: 1")
    factory, socket = _value_at(data, "pins", "factory"), _value_at(data, "pins", "socket")
    if factory == "sim" and socket is None:
        found.add(("pins", "factory"), "sim needs its socket; allowed: a key socket beside it")
    if factory not in (None, "sim") and socket is not None:
        found.add(("pins", "socket"), f"belongs to factory sim; allowed: nothing, with factory {factory}")
    kind = _value_at(data, "readers", "kind")
    if data.get("proofs") is not None and kind not in (None, *PROVING):
        found.add(
            ("proofs",), f"{kind} asks no chip; allowed: nothing, or readers.kind: {' or '.join(PROVING)}"
        )
    if kind == FEIG and _value_at(data, "readers", "slots") == "odd_even":
        found.add(
            ("readers", "slots"),
            f"odd_even; allowed with kind {FEIG}, whose fields stay on between two readings: all",
        )
    badges = _value_at(data, "floorpersons")
    for at, badge in enumerate(badges) if isinstance(badges, list) else ():
        if badge in badges[:at]:
            found.add(("floorpersons", at), f"{badge} stands twice; each badge once")


def _check_real(found: Lines) -> None:
    """Refuse simulated parts: a control socket moves the clock, and simulated pins light no lamp."""
    if _value_at(found.data, "mock") is not None:
        found.add(("mock",), "is for a mock table alone; allowed on a real one: nothing, or run with --mock")
    if _value_at(found.data, "proofs") is not None:
        words = "no secure module for a real table exists yet; allowed: nothing, or run with --mock"
        found.add(("proofs",), words)
    factory = _value_at(found.data, "pins", "factory")
    if factory in SIMULATED:
        real = "lgpio, rpigpio, or run with --mock"
        found.add(("pins", "factory"), f"{factory} is for a mock table alone; allowed on a real one: {real}")
    if found.data.get("sign_on") in (False, "off", "no"):
        words = "no act is accepted without a name; allowed on a real table: true, or run with --mock"
        found.add(("sign_on",), words)
    people = found.data.get("people")
    file = Path(found.file).parent / people if isinstance(people, str) else None
    if file and file.exists() and (exposed := exposure(file, file.stat(), "o=")):
        found.add(("people",), f"{people} has PINs and roles, and {exposed}")


def _check_method(found: Lines, pack: RulePack | None) -> None:
    name = found.data.get("method")
    if pack is not None and name in list(Method) and name not in pack.deals:
        words = ", ".join(pack.deals)
        found.add(("method",), f"the rule pack {pack.key} does not describe {name}; allowed: {words}")


def _check_shuffler(found: Lines, pack: RulePack | None) -> None:
    """Refuse options that require an automated shuffler (58 Pa. Code § 674a.3(b), .9(a)(1))."""
    data = found.data
    if pack is not None and data.get("decks") == 2 and not pack.two_decks:
        found.add(("decks",), f"2; allowed under {pack.key}: 1 ({pack.cite('two_decks')})")
    if pack is None or data.get("shuffler") is not False:
        return
    chosen = data.get("method", next(iter(pack.deals)))
    if chosen in pack.deals and pack.deals[Method(chosen)].needs_shuffler:
        free = ", ".join(method for method, deal in pack.deals.items() if not deal.needs_shuffler)
        cited = pack.cite(f"deals.{chosen}.needs_shuffler")
        words = f"{chosen} needs an automated shuffler ({cited}); allowed: {free}, or shuffler: true"
        found.add(("method",), words)
    if data.get("decks") == 2:
        words = (
            f"two decks need an automated shuffler ({pack.cite('two_decks')}); allowed: 1, or shuffler: true"
        )
        found.add(("decks",), words)
    if data.get("counting_device") is True:
        found.add(("counting_device",), "it is the shuffler that counts; allowed: false, or shuffler: true")


def _check_chips(found: Lines, pack: RulePack | None, register: ChipRegister | None) -> None:
    """Refuse limits within which no bet can be made with the house's chips."""
    if pack is None or register is None:
        return
    chip = register.values[-1]
    limits = {"maximum_ante": (pack.minimum_ante, pack.maximum_ante)}
    if pack.bonuses:
        limits["bonus_maximum"] = (pack.bonus_minimum, pack.bonus_maximum)
    for key, (low, high) in limits.items():
        least = -(-low // chip) * chip
        if least > high:
            words = f"allowed: {dollars(least)} or more, the least that the house's chips make"
            found.add((key,), f"{dollars(high)}; {words}")


def _value_at(data: Any, *path: str) -> Any:
    for part in path:
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
