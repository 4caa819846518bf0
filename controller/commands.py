"""What every area adds its commands to."""

from __future__ import annotations

import argparse
from typing import NoReturn, TypeAlias


class Parser(argparse.ArgumentParser):
    """A wrong option is one line, not a page."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help says what is allowed\n")


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001  # argparse names it nowhere else
