"""Command-line parser to which every area adds its commands: one line for a wrong option, help with
examples and defaults."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from controller.common.command_examples import EXAMPLES

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

DONE, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses of a command; UNUSABLE for an option or a file that it cannot use."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Formatter of a command's help that adds the default to each option, unless it is empty or already
    named."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help or ""
        has_default = "default" in text or not action.option_strings or action.default is argparse.SUPPRESS
        if has_default or not action.default:
            return text
        return f"{text}; default: %(default)s"


class Parser(argparse.ArgumentParser):
    """Parser that reports a wrong option on one line, without the usage."""

    def __init__(self, prog: str | None = None, description: str | None = None, **options: Any) -> None:  # noqa: ANN401  # argparse's own, handed on
        super().__init__(prog, description=description, formatter_class=Help, **options)
        self.epilog = _examples(self.prog)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print help or a mistake. argparse's own method ignores a full disk."""
        if message:
            (sys.stderr if file is None else file).write(message)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help says what is allowed\n")


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001  # argparse names it nowhere else


def refuse(*lines: object, status: int = UNUSABLE) -> int:
    """Print lines on standard error and return the exit status."""
    for line in lines:
        print(line, file=sys.stderr)
    return status


def log_to_stderr() -> None:
    """Write the log to standard error, the web server's warnings and errors included."""
    import logging

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def day_option(text: str) -> date:
    """Return the day in an option such as 2026-11-22. Raises ArgumentTypeError if it is not a day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a day as 2026-11-22") from None


def _examples(program: str) -> str | None:
    found = EXAMPLES.get(program.removeprefix("crisscross").strip())
    if not found:
        return None
    width = max(len(line) for line, _ in found)
    return "\n".join(["examples:", *(f"  {line:<{width}}  {words}" for line, words in found)])
