"""Reads rounds for the pages, in a process of its own: `python -m controller.record.timeline.reader JOURNAL`.

A line of JSON in, a line of JSON out. The daemon starts it when somebody first asks and gives it no more than
questions, so that no journal, however long, is ever read in the daemon's loop. It opens the journal for
reading only. What it answers goes to a screen: faces that were turned, and no round that is still on.
"""

from __future__ import annotations

import json
import select
import signal
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, TextIO

from controller.common.files.zones import of_machine
from controller.pages.display.round_page_text import listed, render_round
from controller.record.journal.round_summary import RoundSummary
from controller.record.journal.schema import JournalError
from controller.record.timeline.archive import Archive
from controller.record.timeline.public import as_data, turned_only
from controller.record.timeline.round_filters import Wanted, as_csv, chosen

IDLE_S = 600
"""With nothing asked for so long it ends, and its memory is free again."""


def main(arguments: list[str] | None = None) -> int:
    """Until nobody asks any more."""
    (journal,) = sys.argv[1:] if arguments is None else arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the daemon, whose end ends the pipe
    serve(Archive(Path(journal)), sys.stdin, sys.stdout)
    return 0


def serve(archive: Archive, questions: TextIO, answers: TextIO) -> None:
    """One answer a question. An empty line from a pipe that has ended ends it."""
    while select.select([questions], [], [], IDLE_S)[0]:
        question = questions.readline()
        if not question:
            return
        answers.write(json.dumps(answer(archive, json.loads(question))) + "\n")
        answers.flush()


def answer(archive: Archive, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """`round` (`missing` where there is none), `rounds`, `csv`; `luck`: win against expectation."""
    try:
        return ASKED[asked["do"]](archive, asked)
    except JournalError as error:
        return {"fault": str(error)}


# ------------------------------------------------------------------ what may be asked


def _round(archive: Archive, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    number = asked["number"]
    told = archive.story(number)
    if told is None:
        return {"missing": "in_play" if archive.on_the_table() == number else "no_round"}
    return {"round": render_round(as_data(turned_only(told)), asked["language"], of_machine())}


def _list(archive: Archive, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    with archive.rounds() as rounds:
        wanted = _wanted(asked["wanted"])
        found = list(chosen(rounds.lines(), wanted, rounds.decided() if wanted.find else {}))
        if asked["do"] == "csv":
            return {"csv": as_csv(found[::-1])}
        rows = listed(map(RoundSummary._asdict, found), asked["language"], of_machine())
        return {"rounds": rows, "of": len(rounds)}


def _wanted(given: Mapping[str, Any]) -> Wanted:
    day = given.get("day")
    return Wanted(**{**given, "day": None if day is None else date.fromisoformat(day)})


def _luck(archive: Archive, _asked: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"luck": archive.luck.told()}


ASKED = {"round": _round, "list": _list, "csv": _list, "luck": _luck}


if __name__ == "__main__":
    sys.exit(main())
