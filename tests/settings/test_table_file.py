"""A table file is accepted completely or not at all, and each mistake is one line with the allowed values."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.common.files.mistakes import Mistakes
from controller.common.texts.catalogue import languages
from controller.game.model.names import CROSS, Circle, Method, Place, Wager
from controller.settings.config import TableConfig, Use, load_config

LEAST = """\
table: CC-01
rules: pennsylvania
journal: journal.db
shoe: {port: /dev/shoe}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.yaml"


def taken(file: Path, text: str) -> TableConfig:
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def mistakes(file: Path, text: str | bytes, use: Use = "reading") -> list[str]:
    """Return each mistake without the file's name: `line: key: what is allowed`."""
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Mistakes) as caught:
        load_config(file, use)
    for line in caught.value.lines:
        assert "\n" not in line
        assert line.startswith(f"{file}:")
    return [line.removeprefix(f"{file}:") for line in caught.value.lines]


WITNESS = "surveillance.example/w+99c4b124+BCgUev77y6LriQ0VcQHfic58vqPXPHAHkEDLK9L3cGQd"
OTHER_KIND = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"

# ---------------------------------------------------------------------- accepted files


def test_a_minimal_table_file_is_accepted_with_every_default(file: Path) -> None:
    config = taken(file, LEAST)
    assert config.method is Method.AUTOMATED_SHOE
    assert config.pack.minimum_ante == 500
    assert config.settings().cross_order == CROSS
    assert config.settings().chip_values == (100_000, 50_000, 10_000, 2_500, 500, 100)
    assert (config.keys.display.host, config.keys.display.port) == ("127.0.0.1", 8080)
    assert config.reader_ports() == {}
    assert config.journal == file.parent / "journal.db"


def test_the_seal_has_a_default_origin_and_key_folder(file: Path) -> None:
    config = taken(file, LEAST)
    assert config.origin == "crisscross.invalid/CC-01"
    assert config.key_folder == file.parent / "journal.db.keys"
    assert config.keys.seal.witnesses == []
    set_ = f"seal: {{origin: house.example/1, keys: k, witnesses: [{{key: {WITNESS}, url: 'http://192.0.2.1:80/a/'}}]}}"
    config = taken(file, f"{LEAST}{set_}\n")
    assert config.origin == "house.example/1"
    assert config.key_folder == file.parent / "k"
    assert config.keys.seal.witnesses[0].url == "http://192.0.2.1:80/a"


@pytest.mark.parametrize(
    ("setting", "key", "words"),
    [
        ("origin: a b", "seal.origin", "without space or +"),
        ("origin: a+b", "seal.origin", "without space or +"),
        ("notice_after_s: 0", "seal.notice_after_s", "seconds from 1"),
        ("witnesses: [{key: x, url: 'http://a'}]", "seal.witnesses.0.key", "NAME+NUMBER+KEY"),
        (f"witnesses: [{{key: {OTHER_KIND}, url: 'http://a'}}]", "seal.witnesses.0.key", "no cosignatures"),
        (f"witnesses: [{{key: {WITNESS}, url: 'ftp://a'}}]", "seal.witnesses.0.url", "http://HOST:PORT"),
        (f"witnesses: [{{key: {WITNESS}, url: 'http://u@a'}}]", "seal.witnesses.0.url", "http://HOST:PORT"),
        (f"witnesses: [{{key: {WITNESS}, url: 'http://a:x'}}]", "seal.witnesses.0.url", "http://HOST:PORT"),
        (f"witnesses: [{{key: {WITNESS}, url: 'http://'}}]", "seal.witnesses.0.url", "http://HOST:PORT"),
    ],
)
def test_a_mistake_in_the_seal_is_reported(file: Path, setting: str, key: str, words: str) -> None:
    (line,) = mistakes(file, f"{LEAST}seal: {{{setting}}}\n")
    assert key in line
    assert words in line


@pytest.mark.parametrize(
    ("setting", "key", "words"),
    [
        ("screen: 79", "room.screen", "percent from 80 to 100"),
        ("lamps: 0", "room.lamps", "percent from 20 to 100"),
        ("sound: 1", "room.sound", "true: the screens sound"),
        ("schedule: [{at: 7:00}]", "room.schedule.0.at", "the time of day"),
        ("schedule: [{at: '24:00'}]", "room.schedule.0.at", '"00:00" to "23:59"'),
        ("schedule: [{at: '22:00', lamps: 5}]", "room.schedule.0.lamps", "percent from 20 to 100"),
        ("schedule: [{at: '22:00'}, {at: '22:00'}]", "room.schedule", "22:00 stands twice"),
        ("dim: 1", "room.dim", "unknown key; allowed: screen, lamps, sound, schedule"),
    ],
)
def test_a_mistake_in_the_room_section_is_reported_in_one_line(
    file: Path, setting: str, key: str, words: str
) -> None:
    (line,) = mistakes(file, f"{LEAST}room: {{{setting}}}\n")
    assert f": {key}: " in line
    assert words in line


def test_a_witness_that_is_named_twice_is_refused(file: Path) -> None:
    one = f"{{key: {WITNESS}, url: 'http://a'}}"
    (line,) = mistakes(file, f"{LEAST}seal: {{witnesses: [{one}, {one}]}}\n")
    assert "seal.witnesses.1.key" in line
    assert "stands twice" in line


def test_all_settings_of_a_table_file_are_accepted(file: Path) -> None:
    config = taken(
        file,
        LEAST
        + """\
method: manual_shoe
cross_order: [middle, down_far, across_left, across_right, down_near]
stack_first_out: bottom
minimum_ante: 10
maximum_ante: 250
whole_multiples: false
counting_device: true
payouts_beside: true
display: {host: "::1", port: 0, language: es}
readers:
  slots: odd_even
  settle_ms: 0
  ports: {1: {ante_across: /dev/a, across: /dev/b}, 6: {middle: /dev/c}}
pins: {factory: sim, socket: pins.sock}
floorpersons: [B1, "0012"]
storage_low_mib: 50
mock: {control: control.sock}
""",
    )
    settings = config.settings()
    assert settings.method is Method.MANUAL_SHOE
    assert settings.cross_order[0] is Place.MIDDLE
    assert (settings.stack_first_out, settings.floorpersons) == ("bottom", ("B1", "0012"))
    assert settings.fitted == {Circle(1, Wager.ANTE_ACROSS), Circle(1, Wager.ACROSS), Circle(6, Wager.MIDDLE)}
    assert (config.pack.minimum_ante, config.pack.maximum_ante) == (1_000, 25_000)
    assert not config.pack.whole_multiples


@pytest.mark.parametrize(("text", "cents"), [("5", 500), ("7.50", 750), ("0.29", 29), ('"$5"', 500)])
def test_amounts_in_dollars_are_read_exactly(file: Path, text: str, cents: int) -> None:
    assert taken(file, LEAST + f"bonus_minimum: {text}\n").pack.bonus_minimum == cents


def test_a_table_dealt_by_hand_needs_no_shoe(file: Path) -> None:
    text = "table: T\nrules: pennsylvania\nmethod: hand\njournal: j.db\n"
    assert taken(file, text).keys.shoe is None


def test_a_house_s_own_pack_is_found_beside_the_table_file(file: Path) -> None:
    shipped = Path(__file__).parents[2] / "config" / "rules" / "pennsylvania.yaml"
    (file.parent / "ours.yaml").write_bytes(shipped.read_bytes())
    assert taken(file, LEAST.replace("pennsylvania", "ours.yaml")).pack.key == "pennsylvania"


# ---------------------------------------------------------------------- refused files


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("tabel: x\n", "5: tabel: unknown key; allowed: table, rules,"),
        (
            "display: {hots: 127.0.0.1}\n",
            "5: display.hots: unknown key; allowed: host, port, port_file, language",
        ),
        ("readers:\n  ports:\n    1:\n      ante: /dev/a\n", "8: readers.ports.1.ante: allowed: seat 1 to 6"),
        ("readers:\n  ports:\n    7: {across: /dev/a}\n", "7: readers.ports.7: allowed: seat 1 to 6"),
        ("display: {port: '8080'}\n", "5: display.port: allowed: a port from 0 to 65535"),
        ("display: {port: 65536}\n", "5: display.port: allowed: a port from 0 to 65535"),
        ("display: {port: 80.5}\n", "5: display.port: allowed: a port from 0 to 65535"),
        ("display: {language: tlh}\n", f"5: display.language: allowed: {' or '.join(languages())}"),
        ("display: {language: 7}\n", f"5: display.language: allowed: {' or '.join(languages())}"),
        ("display: {host: 0.0.0.0}\n", "5: display.host: allowed: a loopback address"),
        ("display: {host: example.org}\n", "5: display.host: allowed: a loopback address"),
        ("display: 8080\n", "5: display: allowed: host, port"),
        ("display:\n", "5: display: allowed: host, port"),
        ("cross_order: [middle, middle]\n", "5: cross_order: allowed: a list of the five places, each once"),
        ("counting_device: 'perhaps'\n", "5: counting_device: allowed: true"),
        ("floorpersons: [12]\n", "5: floorpersons.0: allowed: a list of badges"),
        ("floorpersons: [B1, B1]\n", "5: floorpersons.1: B1 stands twice; each badge once"),
        ("method: by_robot\n", "5: method: allowed: automated_shoe, manual_shoe, hand, house_order"),
        (
            "method: house_order\n",
            "5: method: the rule pack pennsylvania does not describe house_order; allowed:",
        ),
        (
            "method: hand\nshuffler: false\n",
            (
                "5: method: hand needs an automated shuffler (58 Pa. Code § 674a.9(a)(1)); allowed: "
                "automated_shoe, manual_shoe, or shuffler: true"
            ),
        ),
        ("shuffler: 1\n", "5: shuffler: allowed: false where the table has no automated shuffler"),
        ("decks: 2\nshuffler: false\n", "5: decks: two decks need an automated shuffler"),
        ("decks: 3\n", "5: decks: allowed: 1 or 2"),
        ("counting_device: true\nshuffler: false\n", "5: counting_device: it is the shuffler that counts"),
        ("deck_notice_minutes: -1\n", "5: deck_notice_minutes: allowed: minutes from 0 to 120"),
        ("minimum_ante: five\n", "5: minimum_ante: "),
        ("minimum_ante: 5.001\n", "5: minimum_ante: "),
        ("minimum_ante: -5\n", "5: minimum_ante: "),
        ("minimum_ante: .nan\n", "5: minimum_ante: "),
        ("minimum_ante: 500\n", "5: minimum_ante: "),
        ("pins: {factory: pigpio}\n", "5: pins.factory: allowed: lgpio, rpigpio, mock or sim"),
        ("pins: {factory: sim}\n", "5: pins.factory: sim needs its socket"),
        ("pins: {factory: lgpio, socket: s}\n", "5: pins.socket: belongs to factory sim"),
        ("pins: {}\n", "5: pins.factory: missing; allowed: lgpio"),
        ("proofs: {}\n", "5: proofs.module: missing; allowed: the socket of the secure module"),
        ("proofs: {module: s, chips_from: 0}\n", "5: proofs.chips_from: allowed: dollars from 1"),
        (
            "proofs: {module: s}\nreaders: {kind: seat_board}\n",
            "5: proofs: seat_board asks no chip; allowed: nothing, or readers.kind: pn532_uart or feig_mux",
        ),
        (
            "readers: {kind: feig_mux, slots: odd_even}\n",
            "5: readers.slots: odd_even; allowed with kind feig_mux, whose fields stay on between two",
        ),
        ("readers: {settle_ms: 101}\n", "5: readers.settle_ms: allowed: milliseconds from 0 to 100"),
        ("table: CC-02\n", "5: table: stands twice; once is allowed"),
        ("1.5: x\n", "5: a key: a key is a word or a number"),
        ("? [a, b]\n: x\n", "5: a key: a key is a word or a number"),
        ("<<: {table: x}\n", "5: "),
        ("when: 2026-13-45\n", "5: when: unknown key"),
    ],
)
def test_a_mistake_names_line_key_and_allowed_values(file: Path, more: str, message: str) -> None:
    found = mistakes(file, LEAST + more)
    assert any(line.startswith(message) for line in found), found


def test_all_mistakes_are_reported_together_in_the_order_of_the_file(file: Path) -> None:
    found = mistakes(
        file,
        """\
table: 12
rules: pensylvania
tabel: x
journal: journal.db
shoe: {port: /dev/a, baud: 1200}
readers: {ports: {1: {across: /dev/a}, 2: {across: /dev/b, down: /dev/b}}}
floorpersons: B1
""",
    )
    assert [line.split(": ")[:2] for line in found] == [
        ["1", "table"],
        ["2", "rules"],
        ["3", "tabel"],
        ["5", "shoe.baud"],
        ["6", "readers.ports.1.across"],
        ["6", "readers.ports.2.down"],
        ["7", "floorpersons"],
    ]


@pytest.mark.parametrize("use", ["mock", "real"])
@pytest.mark.parametrize(("text", "line"), [("", 1), ("floorpersons: []\n", 5)])
def test_a_table_without_a_floorperson_is_refused(file: Path, use: Use, text: str, line: int) -> None:
    found = mistakes(file, LEAST + text, use)
    words = (
        "no person may decide; allowed: a list of one badge at least, of those who may decide what is held"
    )
    assert found == [f"{line}: floorpersons: {words}"]


def test_a_real_table_with_a_secure_module_is_refused(file: Path) -> None:
    words = "no secure module for a real table exists yet; allowed: nothing, or run with --mock"
    assert f"5: proofs: {words}" in mistakes(file, LEAST + "proofs: {module: module.sock}\n", "real")
    assert not [line for line in mistakes(file, LEAST + "proofs: {module: s}\n", "mock") if "proofs" in line]


def test_a_port_for_two_devices_is_refused(file: Path) -> None:
    found = mistakes(file, LEAST + "readers: {ports: {1: {across: /dev/shoe}}}\n")
    assert found == ["5: readers.ports.1.across: /dev/shoe stands at shoe.port already; each port once"]


def test_the_circles_of_a_seat_share_the_port_of_its_board(file: Path) -> None:
    seats = "{1: {across: /dev/b1, down: /dev/b1}, 2: {across: /dev/b2, down: /dev/b2}}"
    file.write_text(LEAST + f"readers: {{kind: seat_board, ports: {seats}}}\n", encoding="utf-8")
    assert set(load_config(file, "reading").reader_ports().values()) == {"/dev/b1", "/dev/b2"}


def test_a_second_board_of_a_seat_or_seat_of_a_board_is_refused(file: Path) -> None:
    seats = "{1: {across: /dev/b1, down: /dev/b2}, 2: {across: /dev/b1}, 3: {across: /dev/shoe}}"
    assert mistakes(file, LEAST + f"readers: {{kind: seat_board, ports: {seats}}}\n") == [
        "5: readers.ports.1.down: /dev/b2; the seat's port is /dev/b1: one port a seat",
        "5: readers.ports.2.across: /dev/b1 stands at readers.ports.1.across already; each port once",
        "5: readers.ports.3.across: /dev/shoe stands at shoe.port already; each port once",
    ]


@pytest.mark.parametrize("key", ["table", "rules", "journal"])
def test_missing_required_keys_are_reported(file: Path, key: str) -> None:
    text = "".join(line for line in LEAST.splitlines(True) if not line.startswith(key))
    assert [line.split("; ")[0] for line in mistakes(file, text)] == [f"1: {key}: missing"]


def test_a_missing_shoe_is_reported_unless_the_deal_is_by_hand(file: Path) -> None:
    text = LEAST.replace("shoe: {port: /dev/shoe}\n", "")
    assert mistakes(file, text) == [
        "1: shoe: missing; allowed: a section shoe with its port, or method: hand"
    ]


def test_an_unknown_rule_pack_is_reported_with_the_existing_ones(file: Path) -> None:
    found = mistakes(file, LEAST.replace("pennsylvania", "nevada"))
    assert len(found) == 1
    assert found[0].startswith(
        "2: rules: there is no rule pack nevada; allowed: maryland, massachusetts, pennsylvania, six_card"
    )


def test_mistakes_in_a_chip_register_name_its_own_file(file: Path) -> None:
    (file.parent / "chips.csv").write_text("uid,cents,currency,status\nXX,1,USD,in_use\n", encoding="utf-8")
    file.write_text(LEAST + "chips: chips.csv\n", encoding="utf-8")
    with pytest.raises(Mistakes) as caught:
        load_config(file)
    assert [line.partition("chips.csv:")[2][:6] for line in caught.value.lines] == ["2: uid"]


def test_limits_within_which_no_chips_make_a_bet_are_refused(file: Path) -> None:
    chips = "uid,cents,currency,status\n01020304,2500,USD,in_use\n01020305,500,USD,withdrawn\n"
    (file.parent / "chips.csv").write_text(chips, encoding="utf-8")
    text = LEAST + "chips: chips.csv\nminimum_ante: 30\nbonus_maximum: 25\n"
    assert mistakes(file, text + "maximum_ante: 49\n") == [
        "8: maximum_ante: $49; allowed: $50 or more, the least that the house's chips make"
    ]
    taken(file, text + "maximum_ante: 50\n")
