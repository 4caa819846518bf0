"""Reads from the table file the path of its journal, for the package's scripts and units.

Other keys are ignored: a journal has to be copied before an upgrade although the table file has a mistake.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from controller.common.files.forms import Form, fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Lines, read_lines
from controller.settings.schema import PathText


class _JournalOnly(Form):
    journal: PathText = Field(description="the file of the journal")


def read_journal_path(file: Path) -> Path:
    """Return the absolute path of the journal that a table file names. Raises Mistakes."""
    found = read_lines(file)
    if found.data is not None:
        named = {key: found.data[key] for key in found.data if key == "journal"}
        found = Lines(found.file, named, found.lines)
    section = fit(_JournalOnly, found)
    if section is None:
        raise Mistakes(found.report())
    return file.absolute().parent / section.journal
