"""Steps of the trial on a real systemd. A step returns its result as text and raises if a check fails."""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.common.texts.catalogue import languages
from controller.mock.bench.options import BADGES, PIN
from controller.pages.display.manual_pages import INDEX, MANUALS
from tests.repository.house import ROOT
from tests.trials.system import pit
from tests.trials.system.container import Container
from tests.trials.system.table import UNIT, SystemTable

JOURNAL = "/var/lib/crisscross/journal.db"
Step = Callable[["Trial"], Awaitable[str]]
QUIET_S = 25.0
"""Time in seconds for which a full disk is watched: long enough to notice systemd's watchdog or a restart
loop."""


class Trial:
    """One table in a container, the package, and the package of its next version."""

    def __init__(
        self, container: Container, table: SystemTable, package: Path, newer: Path, state: Path
    ) -> None:
        self.container, self.table, self.state = container, table, state
        self.package, self.newer = package, newer

    def output_of(self, *command: str) -> str:
        return self.container.output_of(*command)

    async def back(self, before: tuple[int, str]) -> str:
        """Wait until the table is ready again in the round `before`, and play that round to its end. Return
        one line about it."""
        began = time.monotonic()
        await self.table.attach()
        took = time.monotonic() - began
        after = self.table.where()
        hold(after[0] == before[0], f"round {before[0]} became round {after[0]}")
        ended = "void" if await self.table.rounds(1) else "settled"
        seen = f"shown again after {took:.0f} s as {after[1]}, ended {ended}"
        return f"round {before[0]}, {before[1]}: {seen}"

    async def add_floorpersons(self) -> None:
        """Add the floorpersons whom the simulated people call, with the command of the install page, and
        restart."""
        for badge in BADGES:
            line = f"crisscross people add {badge} {badge} floorperson --config /etc/crisscross/table.yaml"
            output = await asyncio.to_thread(self.container.typed, line, [PIN, PIN])
            hold(output.startswith("0 "), f"{line}: {output}")
        # in a thread, because this loop serves the simulated pins
        await asyncio.to_thread(self.container.run, "systemctl", "restart", UNIT)

    def verified(self) -> str:
        run = self.container.run("runuser", "-u", "crisscross", "--", "crisscross", "verify", JOURNAL)
        hold(run.returncode == 0, f"verify: {run.stdout}{run.stderr}")
        return run.stdout.splitlines()[0].removeprefix(f"{JOURNAL}: ")


def hold(condition: bool, words: str) -> None:
    if not condition:
        raise AssertionError(words)


def guide() -> list[str]:
    """Return the lines that a technician types, taken from the install page."""
    text = (ROOT / "systemd/README.md").read_text(encoding="utf-8")
    block = text.partition("<!-- install -->\n```sh\n")[2].partition("```")[0]
    return [line for line in block.splitlines() if line]


async def install(trial: Trial) -> str:
    """Follow the install page to the letter."""
    trial.table.install()
    (trial.container.root / "root" / trial.package.name).write_bytes(trial.package.read_bytes())
    for line in guide():
        answers = ["2468", "2468"] if " people add " in line else []
        output = await asyncio.to_thread(trial.container.typed, line, answers)
        done = output.startswith("0 ") and "Failed to" not in output and "Conflict with" not in output
        hold(done, trial.table.unit.last_output(f"{line}: {output}"))
    hold(trial.output_of("dpkg", "--verify", "crisscross-table") == "", "dpkg --verify has something to say")
    await trial.add_floorpersons()
    await trial.table.attach()
    status = trial.output_of("systemctl", "show", UNIT, "-p", "StatusText", "--value")
    return f"{len(guide())} lines typed; {status}"


async def units(trial: Trial) -> str:
    names = trial.output_of("sh", "-c", "ls /usr/lib/systemd/system/crisscross*.service").split()
    run = trial.container.run("systemd-analyze", "verify", *names)
    words = [line for line in (run.stdout + run.stderr).splitlines() if "crisscross" in line]
    hold(not words, "; ".join(words))
    security = trial.output_of("systemd-analyze", "security", "--no-pager", UNIT).splitlines()[-1]
    found = re.search(r"(\d+\.\d)", security)
    hold(found is not None and float(found[1]) <= 1.5, security)
    return f"verify is silent of {len(names)} units; exposure {found[1] if found else '?'}"


async def rounds(trial: Trial) -> str:
    began = time.monotonic()
    void = await trial.table.rounds(2)
    hold(not void, f"{void} rounds were void")
    return f"2 rounds settled in {time.monotonic() - began:.0f} s"


async def manuals(trial: Trial) -> str:
    """Check that each manual is a PDF file in the package, and a page whose pictures are served."""
    papers = [f"{language}/{name}.pdf" for language in languages() for name in MANUALS]
    folder = trial.container.root / "usr/share/doc/crisscross-table/manuals"
    missing = [name for name in papers if not (folder / name).read_bytes().startswith(b"%PDF-")]
    hold(not missing, f"no PDF file: {missing}")
    pictures: set[str] = set()
    for language, name in ((language, name) for language in languages() for name in (INDEX, *MANUALS)):
        page = trial.table.page("/manuals" + ("" if name == INDEX else f"/{name}") + f"?lang={language}")
        hold(f'<html lang="{language}">' in page, f"no page {name} in {language}")
        pictures.update(re.findall(r'<img src="([^"]+)"', page))
    for picture in pictures:
        hold(trial.table.picture(picture).startswith(b"\x89PNG"), f"no picture {picture}")
    return f"{len(papers)} PDF files, {len(pictures)} pictures"


async def pit_unit(trial: Trial) -> str:
    # in a thread, because this loop serves the simulated pins
    return await asyncio.to_thread(pit.served_and_killed, trial.container)


async def killed(trial: Trial) -> str:
    before = await trial.table.into("settlement")
    await trial.table.detach()
    trial.container.run("systemctl", "kill", "-s", "KILL", "--kill-whom=main", UNIT)
    return await trial.back(before)


async def starved(trial: Trial) -> str:
    before = await trial.table.into("down")
    await trial.table.detach()
    number = trial.output_of("systemctl", "show", UNIT, "-p", "NRestarts", "--value")
    trial.container.run("systemctl", "kill", "-s", "STOP", "--kill-whom=main", UNIT)
    began = time.monotonic()
    while trial.output_of("systemctl", "show", UNIT, "-p", "NRestarts", "--value") == number:
        hold(time.monotonic() - began < 60, "the watchdog let a daemon be that stood still")
        await asyncio.sleep(0.5)
    return f"ended by the watchdog after {time.monotonic() - began:.0f} s; {await trial.back(before)}"


async def full(trial: Trial) -> str:
    """Fill the disk: the screen keeps showing the reason, nothing restarts, and play continues once there is
    room."""
    await trial.table.into("betting")
    number = trial.output_of("systemctl", "show", UNIT, "-p", "NRestarts", "--value")
    filler = trial.state / "filler"
    await asyncio.to_thread(fill, filler)
    playing = asyncio.create_task(trial.table.rounds(1))
    try:
        alerted = await trial.table.alerted("journal_fault", 60)
        await asyncio.sleep(QUIET_S)
        still = await trial.table.alerted("journal_fault", 5)
    finally:
        filler.unlink()
        trial.table.hands.forget_presses()  # touches that the table refused while the disk was full
    again = trial.output_of("systemctl", "show", UNIT, "-p", "NRestarts", "--value")
    hold(alerted and still, "the screen did not show journal_fault, or stopped showing it")
    hold(again == number, f"the daemon was started again: {number} -> {again}")
    void = await playing
    ended = "void" if void else "settled"
    return f"journal_fault on the screen for {QUIET_S:.0f} s, no restart; then the round ended {ended}"


async def full_start(trial: Trial) -> str:
    """Start with a full disk: the screen shows the reason, nothing restarts, and the table starts when there
    is room."""
    before = await trial.table.into("across")
    await trial.table.detach()
    trial.container.run("systemctl", "stop", UNIT)
    filler = trial.state / "filler"
    await asyncio.to_thread(fill, filler)
    try:
        trial.container.run("systemctl", "start", "--no-block", UNIT)
        await asyncio.sleep(QUIET_S)
        state = trial.output_of(
            "systemctl", "show", UNIT, "-p", "ActiveState,StatusText,NRestarts", "--value"
        )
        page = await asyncio.to_thread(trial.table.page)
    finally:
        filler.unlink()
    hold("THE DISK IS FULL" in page, f"the screen showed: {page}")
    hold("activating" in state and "the disk is full" in state and "0" in state.split(), state)
    return f"THE DISK IS FULL on the screen, waiting for {QUIET_S:.0f} s; {await trial.back(before)}"


def fill(filler: Path) -> None:
    """Fill the disk to the last block."""
    subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=4k"], stderr=subprocess.DEVNULL, check=False)


async def powered_off(trial: Trial) -> str:
    before = await trial.table.into("middle")
    await trial.table.detach()
    await asyncio.to_thread(trial.container.cut_power)
    await asyncio.to_thread(trial.container.boot)
    return f"{await trial.back(before)}; {trial.verified()}"


async def rebooted(trial: Trial) -> str:
    before = await trial.table.into("across")
    await trial.table.detach()
    await asyncio.to_thread(trial.container.power_off)
    await asyncio.to_thread(trial.container.boot)
    return await trial.back(before)


async def upgraded(trial: Trial) -> str:
    return await _other(trial, trial.newer)


async def rolled_back(trial: Trial) -> str:
    return await _other(trial, trial.package)


async def _other(trial: Trial, package: Path) -> str:
    """Install another version during a round, which is the hardest moment for it. Returns one line about the
    result."""
    before = await trial.table.into("down")
    await trial.table.detach()
    (trial.container.root / "root" / package.name).write_bytes(package.read_bytes())
    command = ["apt-get", "install", "-y", "--allow-downgrades", f"./{package.name}"]
    run = await asyncio.to_thread(trial.container.run, *command)
    hold(run.returncode == 0, run.stdout + run.stderr)
    copies = sorted((trial.state / "before-upgrade").glob("*.db"))
    hold(bool(copies), "no copy of the journal was made")
    version = trial.output_of("dpkg-query", "-W", "-f", "${Version}", "crisscross-table")
    return f"{version}, {len(copies)} copies of the journal; {await trial.back(before)}"


async def restored(trial: Trial) -> str:
    """Restore the newest copy of a lost journal; a technician confirms the loss."""
    await trial.table.detach()
    trial.container.run("systemctl", "stop", UNIT)
    copy = max((trial.state / "before-upgrade").glob("*.db"))
    gone = trial.state / "gone"
    gone.mkdir()
    for path in trial.state.glob("journal.db*"):
        # .lock stays: it has the number of rows, by which the loss is noticed
        if path.is_file() and path.suffix != ".lock":
            path.rename(gone / path.name)
    as_daemon = ["runuser", "-u", "crisscross", "--", "crisscross"]
    inside = f"/var/lib/crisscross/before-upgrade/{copy.name}"
    run = trial.container.run(*as_daemon, "restore", inside, JOURNAL)
    hold(run.returncode == 0, run.stdout + run.stderr)
    lost = trial.container.run(*as_daemon, "journal", "shortened", JOURNAL)
    trial.container.run("systemctl", "start", UNIT)
    hold(
        trial.output_of("systemctl", "is-active", UNIT) == "active",
        trial.table.unit.last_output("no start on the copy"),
    )
    verified = trial.container.run(*as_daemon, "verify", JOURNAL)
    words = (verified.stdout + verified.stderr).strip()
    hold(
        verified.returncode == 1 and "are lost: confirmed" in words, f"verify does not name the loss: {words}"
    )
    return f"{(lost.stdout + lost.stderr).strip().splitlines()[-1]}; verify: {words.splitlines()[0]}"


async def removed(trial: Trial) -> str:
    """Remove the package; the journal stays unless its removal is requested."""
    run = trial.container.run("apt-get", "purge", "-y", "crisscross-table")
    hold(run.returncode == 0, run.stdout + run.stderr)
    root = trial.container.root
    hold(not (root / "opt/crisscross/bin").exists(), "/opt/crisscross is still there")
    hold(not (root / "etc/crisscross").exists(), "/etc/crisscross is still there after a purge")
    hold((trial.state / "journal.db").exists(), "the journal is gone")
    return "no program, no config; the journal stays"


STEPS: dict[str, Step] = {
    "install by the page": install,
    "units": units,
    "two rounds": rounds,
    "manuals": manuals,
    "a pit": pit_unit,
    "kill -9 in settlement": killed,
    "SIGSTOP in mid-round": starved,
    "full disk": full,
    "start on a full disk": full_start,
    "power cut in mid-round": powered_off,
    "power off and on in mid-round": rebooted,
    "upgrade in mid-round": upgraded,
    "roll back in mid-round": rolled_back,
    "restore": restored,
    "purge": removed,
}
