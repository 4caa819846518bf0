"""Reader of rounds for the pages, in a process of its own: `python -m controller.record.timeline.reader
JOURNAL`.

It reads requests and writes answers, each a line of JSON. The daemon starts it at the first request and never
reads a journal in its own loop. The journal is opened read-only. The answers are for a screen, so they
contain only turned faces and no round in play.
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

from controller.common.files.zones import machine_zone
from controller.pages.display.round_page_text import render_list, render_round
from controller.record.journal.round_summary import RoundSummary
from controller.record.journal.schema import JournalError
from controller.record.timeline.archive import Archive
from controller.record.timeline.public import timeline_data, turned_only
from controller.record.timeline.round_filters import Filters, as_csv, filter_rounds

_IDLE_TIMEOUT_S = 600
"""Time without a request, in seconds, after which the process ends to free its memory."""


def main(arguments: list[str] | None = None) -> int:
    """Answer the requests on standard input about the journal named by the only argument, until there are no
    more. Returns the exit status."""
    (journal,) = sys.argv[1:] if arguments is None else arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C stops the daemon, whose end closes the pipe
    answer_requests(Archive(Path(journal)), sys.stdin, sys.stdout)
    return 0


def answer_requests(archive: Archive, questions: TextIO, answers: TextIO) -> None:
    """Write one answer for each request. Returns at the end of the pipe, or after `_IDLE_TIMEOUT_S` without a
    request."""
    while select.select([questions], [], [], _IDLE_TIMEOUT_S)[0]:
        question = questions.readline()
        if not question:
            return
        answers.write(json.dumps(answer_request(archive, json.loads(question))) + "\n")
        answers.flush()


def answer_request(archive: Archive, question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer a request: `round` (`missing` if there is none), `rounds`, `csv`; `luck`: win against
    expectation."""
    try:
        return ASKED[question["do"]](archive, question)
    except JournalError as error:
        return {"fault": str(error)}


def _round(archive: Archive, question: Mapping[str, Any]) -> Mapping[str, Any]:
    number = question["number"]
    story = archive.story(number)
    if story is None:
        return {"missing": "in_play" if archive.round_in_play() == number else "no_round"}
    return {"round": render_round(timeline_data(turned_only(story)), question["language"], machine_zone())}


def _list(archive: Archive, question: Mapping[str, Any]) -> Mapping[str, Any]:
    with archive.rounds() as rounds:
        wanted = _wanted(question["wanted"])
        found = list(filter_rounds(rounds.lines(), wanted, rounds.decision_words() if wanted.find else {}))
        if question["do"] == "csv":
            return {"csv": as_csv(found[::-1])}
        rows = render_list(map(RoundSummary._asdict, found), question["language"], machine_zone())
        return {"rounds": rows, "of": len(rounds)}


def _wanted(given: Mapping[str, Any]) -> Filters:
    day = given.get("day")
    return Filters(**{**given, "day": None if day is None else date.fromisoformat(day)})


def _luck(archive: Archive, _question: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"luck": archive.luck.results()}


ASKED = {"round": _round, "list": _list, "csv": _list, "luck": _luck}


if __name__ == "__main__":
    sys.exit(main())
