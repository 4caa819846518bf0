"""File with the brightness and sound set by hand, beside the journal (`journal.db.room`), for a restart.

A file that cannot be read or written is logged on one line; it must never prevent a start or refuse a touch.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import stat
from dataclasses import asdict
from pathlib import Path

from pydantic import Field, ValidationError

from controller.common.files.atomic_write import replace_text
from controller.common.files.forms import Flag, Form, first_mistake
from controller.common.files.json_text import json_text
from controller.common.files.strict_json import JsonError, parse_object
from controller.settings.schema import LampsPercent, ScreenPercent
from controller.table.display_source.levels import Levels, ManualSetting, Setting

MAX_FILE_BYTES = 4096
log = logging.getLogger("crisscross")


class SettingForm(Form):
    screen: ScreenPercent
    lamps: LampsPercent
    sound: Flag = Field(description="true or false")

    def setting(self) -> Setting:
        return Setting(self.screen, self.lamps, self.sound)


class FileForm(Form):
    """Content of the file: the setting chosen by hand, and the circumstances in which it was chosen
    (`ManualSetting`)."""

    chosen: SettingForm
    configured: SettingForm
    since: str = Field(
        pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})?$",
        description="a local date and time as 2026-11-23T22:00, or nothing",
    )


class LevelsFile:
    """The file of one table. Used on the event loop's thread; file access runs in another."""

    def __init__(self, journal: Path) -> None:
        self.path = Path(f"{journal}.room")
        self._writing = asyncio.Lock()

    def read(self) -> ManualSetting | None:
        """Return the setting chosen by hand, or None if there is no file or a damaged one, which is
        logged.
        """
        try:
            found = FileForm.model_validate(parse_object(self._content()))
        except FileNotFoundError:
            return None
        except OSError as error:
            why = error.strerror or "cannot be read"
        except JsonError as error:
            why = f"allowed: {error}"
        except ValidationError as error:
            why = first_mistake(error)
        else:
            return ManualSetting(found.chosen.setting(), found.configured.setting(), found.since)
        log.warning("room %s: %s; the table file's brightness and sound are used", self.path, why)
        return None

    def _content(self) -> bytes:
        """Return the first `MAX_FILE_BYTES` bytes. Raises OSError, also for a FIFO, which would wait for a
        writer."""
        with open(self.path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "no ordinary file")
            return file.read(MAX_FILE_BYTES)

    async def keep(self, levels: Levels) -> None:
        """Write the setting in force; log a warning if that fails. The last of several concurrent calls
        wins."""
        async with self._writing:
            text = f"{json_text(asdict(levels.to_keep()))}\n"
            try:
                await asyncio.to_thread(replace_text, self.path, text, 0o600)
            except OSError as error:
                why = error.strerror or "cannot be written"
                log.warning("room %s: %s; a restart uses the table file's brightness", self.path, why)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
