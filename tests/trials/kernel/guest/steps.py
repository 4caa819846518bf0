"""Steps of the trial in the emulated machine, over unmodified gpiozero, lgpio, spidev and kernel."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import lgpio

from drivers.keys.buttons import ButtonKeys
from drivers.lamps.chain import CALM_S, CHECK_S, ChainLamps, open_lamps
from drivers.pins.factory import PinFactory, PinsError, close_factory, open_factory
from drivers.ports import Signal
from tests.trials.kernel.guest import header

PINS = header.read_pins()
OE = PINS.output_enable
TABLE = Path("/tmp/table.yaml")  # noqa: S108  # the machine is the trial's own
CRISSCROSS = [sys.executable, "-m", "controller"]


@contextmanager
def panel() -> Iterator[tuple[PinFactory, ChainLamps, ButtonKeys, list[str]]]:
    """Open lamps and keys as the daemon does. Yields the pins, the lamps, the keys and a list of the pressed
    keys, and closes everything at the end."""
    for pin in (OE, *PINS.keys.values()):
        header.pull(pin, high=True)
    factory = open_factory("lgpio")
    lamps, keys, presses = open_lamps(PINS, factory), ButtonKeys(PINS, factory), list[str]()
    keys.start(presses.append)
    try:
        yield factory, lamps, keys, presses
    finally:
        keys.stop()
        lamps.stop()
        close_factory(factory)


def dark() -> bool:
    return not header.latched(PINS) and header.level(OE) == 1


def opened() -> str:
    with header.traced() as events:
        header.pull(OE, high=True)
        factory = open_factory("lgpio")
        lamps = open_lamps(PINS, factory)
        enabled = header.level(OE)
        lamps.stop()
        close_factory(factory)
    transfers = [at for at, event in enumerate(events) if event.startswith("spi_transfer_stop")]
    low = [
        at for at, event in enumerate(events) if event.startswith("gpio_value") and event.endswith("set 0")
    ]
    assert transfers, "no transfer in the kernel's trace"
    assert low, "OE was never low in the kernel's trace"
    assert enabled == 0, "the lamps are enabled"
    assert transfers[0] < low[0], "OE was low before a frame was latched"
    assert dark(), "they are not dark after the stop"
    assert (header.count("mode"), header.count("hertz")) == (0, 500_000)
    return f"{len(transfers)} transfers, OE low only after the first; mode 0, 500 kHz"


def lamps() -> str:
    with panel() as (_, chain, _, _):
        for (seat, wager, colour), bit in PINS.bits.items():
            chain.show({(seat, wager): Signal("green" if colour == "green" else "red")})
            assert header.latched(PINS) == 1 << bit, (seat, wager, colour)
        dice = random.Random(1)
        circles = sorted(PINS.circles)
        for _ in range(200):
            lit = {circle: Signal("amber") for circle in circles if dice.random() < 0.5}
            chain.show(lit)
            wanted = sum(1 << bit for (seat, wager, _), bit in PINS.bits.items() if (seat, wager) in lit)
            assert header.latched(PINS) == wanted
        health = chain.statistics()
        assert not health.failed, health
        chain.dim(50)
        assert not chain.statistics().failed
    assert dark()
    return f"{len(PINS.bits)} single lamps and 200 pictures, {health.written} transfers, none failed"


def named() -> str:
    faults = {
        "flipped": ({"flipped": 40}, "1 of 88 bits differ, first register 6 QH"),
        "edge": ({"edge": 60}, "bits are 1 off"),
        "low": ({"stuck": 0}, "nothing but low"),
        "high": ({"stuck": 1}, "nothing but high"),
        "short": ({"registers": 10}, "a chain of 10 registers"),
    }
    with panel() as (_, chain, _, _):
        now = 100.0
        for name, (parameters, words) in faults.items():
            header.chain(**parameters)
            chain.tick(now := now + CHECK_S)
            chain.tick(now := now + CHECK_S)
            why = chain.statistics().why
            header.chain(flipped=-1, edge=-1, stuck=-1, registers=PINS.registers)
            assert words in why, f"{name}: {why!r}"
            for _ in range(4 + round(CALM_S / CHECK_S)):
                chain.tick(now := now + CHECK_S)
            assert not chain.statistics().why, f"{name} is over: {chain.statistics().why}"
    return f"{len(faults)} faults named, each over ten seconds after it"


def keys() -> str:
    names = list(PINS.keys)
    with panel() as (_, _, _, presses):
        for turn in range(40):
            pin = PINS.keys[names[turn % 4]]
            for _ in range(turn % 8):
                header.tap(pin, 0.001, 0.001)
            header.tap(pin, 0.08, 0.08)
        header.until(lambda: len(presses) >= 40, f"{len(presses)} of 40 presses were read")
        for turn in range(20):
            header.tap(PINS.keys[names[turn % 4]], 0.004, 0.06)
        time.sleep(0.2)
        assert presses == [names[turn % 4] for turn in range(40)], f"{len(presses)} presses"
    return "40 presses with up to 7 bounces read once each, 20 glitches of 4 ms not at all"


def stops() -> str:
    """Press keys after everything was closed, while lgpio's thread still polls the pins: nothing may fail."""
    logging.getLogger().addHandler(counter := Counter())
    for turn in range(12):
        with panel() as (_, chain, _, _):
            chain.show({(3, "across"): Signal("red")})
            header.pull(PINS.keys["confirm"], high=bool(turn % 2))
            header.pull(PINS.keys["fold"], high=False)
        assert dark(), f"lit after stop {turn}"
        for pin in PINS.keys.values():
            header.pull(pin, high=True)
    assert lgpio._notify_thread.is_alive(), "the thread of the keys has ended"
    with panel() as (_, _, _, presses):
        header.tap(PINS.keys["floor"], 0.08, 0.08)
        header.until(lambda: presses == ["floor"], f"the key after 12 stops: {presses}")
    return f"12 stops without an exception, dark after each; {counter.busy} times the kernel was busy"


class Counter(logging.Handler):
    busy = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.busy += "GPIO busy" in record.getMessage()


def other() -> str:
    with panel() as (_, chain, _, _):
        chain.show({(3, "across"): Signal("red")})
        lit, frames = header.latched(PINS), header.count("transfers")
        second = "import sys\nfrom tests.trials.kernel.guest.steps import second\nsecond()"
        run = subprocess.run([sys.executable, "-c", second], capture_output=True, text=True, check=False)
        assert "another program holds this pin" in run.stdout, run
        assert (header.latched(PINS), header.count("transfers")) == (lit, frames)
    return "a second process is refused in words, and sends no frame"


def second() -> None:
    factory = open_factory("lgpio")
    try:
        open_lamps(PINS, factory)
    except PinsError as error:
        print(error)
    finally:
        close_factory(factory)


# ------------------------------------------------------------------------------ the whole program


def _table() -> None:
    TABLE.write_text(
        "table: CC-K\nrules: pennsylvania\nmethod: hand\njournal: /tmp/journal.db\n"
        "display: {host: 127.0.0.1, port: 8080, language: en, user: root}\n"
        "pins: {factory: lgpio}\nfloorpersons: [B-Floor]\n"
    )


def _daemon() -> subprocess.Popen[bytes]:
    _table()
    for pin in (OE, *PINS.keys.values()):
        header.pull(pin, high=True)
    return subprocess.Popen([*CRISSCROSS, "run", "--mock", "--config", str(TABLE)], stderr=subprocess.STDOUT,
                            stdout=Path("/tmp/daemon.log").open("wb"))  # noqa: S108  # fmt: skip


def _view() -> object:
    try:
        with urlopen("http://127.0.0.1:8080/api/view", timeout=30) as answer:
            return json.load(answer)
    except OSError:
        return None


def daemon() -> str:
    process = _daemon()
    try:
        header.until(lambda: process.poll() is not None or _view() is not None, "the page of the daemon")
        before = _view()
        assert before is not None, "the daemon has ended"
        assert header.level(OE) == 0, "the lamps are enabled"
        header.tap(PINS.keys["floor"], 0.1, 0.1)
        header.until(lambda: _view() != before, "the view after FLOOR")
        process.send_signal(signal.SIGTERM)
        status = process.wait(120)
    except (AssertionError, subprocess.TimeoutExpired) as error:
        process.kill()
        raise AssertionError(f"{error}: {Path('/tmp/daemon.log').read_text()[-600:]}") from error  # noqa: S108
    assert status == 0, Path("/tmp/daemon.log").read_text()[-600:]  # noqa: S108
    assert dark()
    return "started, FLOOR read, stopped with status 0, dark"


def killed() -> str:
    """Kill the process at a random moment, then run the command by which systemd switches the lamps off."""
    dice = random.Random(2)
    moments = [dice.uniform(0.5, 14.0) for _ in range(3)]
    for moment in moments:
        process = _daemon()
        time.sleep(moment)
        process.kill()
        process.wait()
        header.until(lambda: header.level(OE) == 1, "OE is released by the kernel")
        subprocess.run([*CRISSCROSS, "lamps-off", "--config", str(TABLE)], check=True)
        assert dark()
    return f"killed after {', '.join(f'{moment:.1f}' for moment in moments)} s, dark after lamps-off"


def check() -> str:
    """Run `crisscross check`, which lights every lamp and reads the chain back. The step `keys` tests the
    keys."""
    _table()
    command = [*CRISSCROSS, "check", "--mock", "--config", str(TABLE)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "each frame came back with its own number" in result.stdout, result
    assert dark()
    return "lamps lit one after the other, the chain's read-back right, dark"


STEPS = {"opened": opened, "lamps": lamps, "named": named, "keys": keys, "stops": stops, "other": other,
         "check": check, "daemon": daemon, "killed": killed}  # fmt: skip


def main(wanted: list[str]) -> int:
    logging.basicConfig(level=logging.WARNING, stream=sys.stdout)
    failed = 0
    for name in wanted:
        began, ran = time.monotonic(), time.process_time()
        try:
            held, words = True, STEPS[name]()
        except (AssertionError, OSError, PinsError, lgpio.error, subprocess.SubprocessError) as error:
            held, words = False, f"{type(error).__name__}: {error}"
            traceback.print_exc(file=sys.stdout)
        failed += not held
        spent = f"{time.monotonic() - began:.1f} s virtual, {time.process_time() - ran:.1f} s processor"
        print(f"GUEST {'ok' if held else 'FAILED'} {name}: {words} ({spent})", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    status = main(sys.argv[1].split() or list(STEPS))
    os.sync()
    sys.exit(status)
