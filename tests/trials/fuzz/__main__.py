"""`make fuzz ARGS="--seconds 60 shoe"`: runs each named target for that time, one after the other; by default
all.

Progress is kept in build/fuzz/TARGET and continued by the next run. An input that violates a guarantee is
named: correct the cause, and put the input into tests/trials/fuzz/found/TARGET.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.trials.fuzz.target import ROOT, Target
from tests.trials.fuzz.targets import TARGETS

REACHED = ROOT / "build/fuzz"
MOST_S = 5
"""Timeout for one input in seconds; a longer run counts as a failure."""
MOST_MB = 1024
RUNS = re.compile(r"^(?:Done (\d+) runs|stat::number_of_executed_units: *(\d+))", re.MULTILINE)
COVERED = re.compile(r"\bcov: (\d+)")
BROKEN = re.compile(r"Test unit written to (\S+)")


@dataclass(frozen=True)
class Outcome:
    """Result of the run of one target. `broken`: file with an input that violated a guarantee; `last_line`:
    end of the output."""

    runs: int
    covered: int
    broken: str | None
    last_line: str


def dictionary(target: Target) -> str:
    """Return the dictionary in libFuzzer's format."""
    written = ("".join(rf"\x{byte:02x}" for byte in word) for word in target.words)
    return "".join(f'"{word}"\n' for word in written)


def prepared(target: Target) -> Path:
    """Return the folder of a target's corpus, after the target's seeds were copied into it."""
    folder = REACHED / target.name
    (folder / "inputs").mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (folder / "inputs" / f"seed-{number}").write_bytes(seed)
    (folder / "words").write_text(dictionary(target), encoding="ascii")
    return folder


def run(target: Target, seconds: int, seed: int) -> Outcome:
    folder = prepared(target)
    options = [
        f"-max_total_time={seconds}", f"-max_len={target.longest}", f"-timeout={MOST_S}", f"-seed={seed}",
        f"-rss_limit_mb={MOST_MB}", f"-artifact_prefix={folder}/broken-", "-print_final_stats=1",
        *([f"-dict={folder / 'words'}"] if target.words else []), str(folder / "inputs"),
    ]  # fmt: skip
    command = [sys.executable, "-m", "tests.trials.fuzz.guided", target.name, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    return outcome(done.stdout + done.stderr, done.returncode)


def outcome(text: str, status: int) -> Outcome:
    runs = max((int(done or units) for done, units in RUNS.findall(text)), default=0)
    covered = max(map(int, COVERED.findall(text)), default=0)
    broken = BROKEN.findall(text)
    errors = [line for line in text.splitlines() if re.match(r"[\w.]*(Error|Exception|Broken)\b", line)]
    words = (errors or text.splitlines() or ["no output"])[-1]
    return Outcome(runs, covered, broken[-1] if broken else ("no input" if status else None), words)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {' '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=20, metavar="N", help="for each target")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    unknown = [name for name in args.targets if name not in TARGETS]
    if unknown:
        parser.error(f"no target {unknown[0]}; allowed: {' '.join(TARGETS)}")
    failed = False
    for name in args.targets or TARGETS:
        found = run(TARGETS[name], args.seconds, args.seed)
        print(f"{name}: {found.runs:,} inputs, {found.covered} edges reached", flush=True)
        if found.broken:
            failed = True
            print(f"{name}: a guarantee is violated by {found.broken}: {found.last_line}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
