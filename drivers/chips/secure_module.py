"""Port of the secure module that keeps the secret keys of the chips and does only the reader's half of a
proof.

The table carries messages between a chip and the module. No key passes this port, and no call encrypts or
decrypts bytes of the caller's choice, so that the module verifies chips and imitates none
(controller/decisions/0019-keys-of-chips.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class NotGenuine(Exception):
    """Raised if a chip has answered, but not as a chip of the house does."""


class ModuleLost(Exception):
    """Raised if the module does not answer. This says nothing about the chip."""


@dataclass(frozen=True, slots=True)
class Response:
    """The module's message for a chip.

    `ticket`: number of the open proof, to be passed to `verify`. `message`: a response (32 bytes) or a
    challenge (10 bytes)."""

    ticket: int
    message: bytes


class SecureModule(Protocol):
    """A module with the chips' keys. Any thread may call it.

    `respond` opens a proof by AuthenticateEV2First (`ntag424.py`), `begin` one by TAM1 (`icode_dna.py`).
    """

    def respond(self, uid: str, challenge: bytes) -> Response:
        """Return the response to the challenge (16 bytes) of the chip with this UID.

        Raises ModuleLost if the module does not answer.
        """

    def begin(self, uid: str) -> Response:
        """Return a new challenge for the chip with this UID.

        Raises ModuleLost if the module does not answer.
        """

    def verify(self, ticket: int, answer: bytes) -> bool:
        """Return whether `answer` (32 bytes after `respond`, 16 after `begin`) proves that the chip has its
        key. A ticket is valid once.

        Raises ModuleLost if the module does not answer or no longer has the ticket: that is no verdict.
        """
