"""Log of the pit on stderr: a line of text, or with `--log json` an object on a line for a log collector.

A record's `table`, `event` and `sequence` come from `extra`: the table, the reason or occurrence in one word,
and the number of its event. They hold no payload.
"""

from __future__ import annotations

import logging
import sys

from controller.common.clock import utc_text
from controller.common.files.json_text import json_text

TEXT = "%(levelname)s %(name)s: %(message)s"
_FACTS = ("table", "event", "sequence")


class JsonFormatter(logging.Formatter):
    """Formatter of one JSON object for each record. A traceback is a text in `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": utc_text(record.created), "level": record.levelname.lower(), "logger": record.name,
            "message": record.getMessage(),
        }  # fmt: skip
        entry |= {fact: getattr(record, fact) for fact in _FACTS if hasattr(record, fact)}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json_text(entry)


def configure_logging(form: str, level: str) -> None:
    """Log to stderr in that form, from that level on. systemd's journal adds the time to a line of text."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else logging.Formatter(TEXT))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
