"""Print the manual page of `crisscross`, made of the --help text of each command."""

from __future__ import annotations

import argparse
import re
import sys

from controller.cli import AREAS, parser_for

HEAD = """.TH CRISSCROSS 1 "" "crisscross-table {version}" "User Commands"
.SH NAME
crisscross \\- the controller under a Criss-Cross Poker table
.SH SYNOPSIS
.B crisscross
.I COMMAND
[OPTION]...
.SH DESCRIPTION
Reads the cards from a dealing shoe and the chips from readers under the betting circles, keeps the order of
play, and tells the dealer one thing at a time.
.SH EXIT STATUS
0 done; 1 what was to be done or checked does not hold; 2 unusable input, reported in one line.
"""
FILES = """.SH FILES
.TP
.I /etc/crisscross/table.yaml
the table: its rules, its devices, who decides
.TP
.I /var/lib/crisscross/journal.db
every event of the game, readable to the daemon's user alone
"""


def escaped(text: str) -> str:
    """No line of it is a request of roff, and no sign of it an escape."""
    signs = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", signs)


def page(version: str) -> str:
    parts = [HEAD.format(version=version)]
    for name in (name for names in AREAS.values() for name in names):
        actions = parser_for([name])._actions  # noqa: SLF001  # argparse lists its commands nowhere else
        (found,) = (act for act in actions if isinstance(act, argparse._SubParsersAction))  # noqa: SLF001
        text = escaped(found.choices[name].format_help())
        parts.append(f".SH {escaped(f'crisscross {name}')}\n.nf\n{text}.fi\n")
    return "".join([*parts, FILES])


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
