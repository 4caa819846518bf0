"""Texts of signatures: labels of the keys that sign, with the holder of the chips and the effect on chips and
bets.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.common.files.money import dollars
from controller.common.texts.catalogue import Catalogue
from controller.game.showing.signatures_view import SignatureEffect, Waiting


def sign_keys(texts: Catalogue, item: Waiting) -> list[str]:
    """Return the labels of the keys by which an item can be signed, such as "Sign: $25 stays, does not play"
    or "Sign: red deck verified"."""
    if item["step"] is not None:
        return [f"{texts.plain('page.sign')}: {step_signed(texts, item)}"]
    return [f"{_by(texts, key['holder'])}: {_effects(texts, key['effects'])}" for key in item["signs"]]


def step_signed(texts: Catalogue, item: Waiting) -> str:
    """Return the text of a signed step of the opening, such as the inspection of a deck, with the deck's
    colour."""
    back = texts.plain(f"backs.{item['back']}") if item["back"] else None
    return texts.text("signatures.step", {"back": back}) or ""


def signed_words(texts: Catalogue, holder: str | None, effects: Sequence[SignatureEffect]) -> str:
    """Return the effect of a signature that has been given: "The house has it: player has $32 less"."""
    words = _effects(texts, effects)
    return f"{_by(texts, holder)}: {words}" if holder else words


def _by(texts: Catalogue, holder: str) -> str:
    return texts.plain(f"signing.{holder}" if holder else "page.sign")


def _effects(texts: Catalogue, effects: Sequence[SignatureEffect]) -> str:
    return ", ".join(_effect(texts, each) for each in effects)


def _effect(texts: Catalogue, effect: SignatureEffect) -> str:
    rest = effect["counts"] - effect["amount"]
    amounts = {
        "amount": dollars(effect["amount"]),
        "counts": dollars(effect["counts"]),
        "rest": dollars(rest) if rest else None,
    }
    return texts.text(f"signing.{effect['kind']}", amounts) or ""
