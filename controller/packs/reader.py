"""Walks a rule pack file: every leaf's value and citation, every mistake kept with its line.

What a value may be is `fields.py`'s; whether values fit together is `checks.py`'s. It must
never put in a value that the file does not give.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from controller.files.mistakes import Mistakes
from controller.files.yaml_lines import Lines, Path_, dotted
from controller.game.model.irregularities import Ruled
from controller.game.model.names import Method
from controller.game.model.rules import Ruling
from controller.packs.fields import (
    COUNTS_STUB,
    DEAL_KEYS,
    DECIDED,
    DUTIES,
    FIELDS,
    HOURS,
    OUTCOMES,
    OVERRIDES,
    OWN_DUTIES,
    OWN_RULINGS,
    RESULT_WAGERS,
    RESULTS,
    RULINGS,
    SECTIONS,
    TOP_KEYS,
)  # fmt: skip
from controller.packs.values import (
    At,
    Parse,
    Wrong,
    deal_steps,
    dollars,
    flag,
    money,
    optional,
    text,
    whole,
    word,
)  # fmt: skip

LEAF_KEYS = ("value", "citation", "citations", "between", "allowed")
LIMIT_KEYS = ("value", "kind", "base", "bonus_included", "citation")
CITATION = "the section of the text, or house procedure"


class PackReader:
    """One file being read, with what a table sets beside it."""

    def __init__(self, found: Lines, over: Lines) -> None:
        self.found = found
        self.over = over
        self.citations: dict[str, str] = {}

    # ------------------------------------------------------------------ mistakes

    def finish(self) -> None:
        """Raise `Mistakes` where there are any."""
        lines = [*self.found.report(), *self.over.report()]
        if lines:
            raise Mistakes(lines)

    def add(self, path: Path_, words: str) -> None:
        self.found.add(path, words)

    def add_at(self, key: str, words: str) -> None:
        """A mistake in the value of a leaf, there where the value came from."""
        section = FIELDS[key].section if key in FIELDS else ""
        if key in self.over.data:
            self.over.add((key,), words)
        else:
            self._say(self.found, (section, key, "value") if section else (key, "value"), words)

    @staticmethod
    def _say(lines: Lines, path: Path_, words: str) -> None:
        """A mistake at the line of a leaf's value, under the name of the leaf."""
        named = path[:-1] if path[-1] == "value" else path
        lines.mistakes.append((lines.line(path), f"{dotted(named)}: {words}"))

    def _try(self, at: At, parse: Parse) -> Any:
        try:
            return parse(at)
        except Wrong as wrong:
            self._say(wrong.at.lines, wrong.at.path, wrong.words)
            return None

    # ------------------------------------------------------------------ shapes

    def _mapping(self, path: Path_, allowed: Collection[str], needed: Collection[str]) -> Mapping[str, Any]:
        """The mapping at `path`; keys that are not known or not there are mistakes."""
        given: Any = self.found.data
        for part in path:
            given = given.get(part) if isinstance(given, Mapping) else None
        if not isinstance(given, Mapping):
            self.add(path, f"missing or no mapping; allowed: {', '.join(allowed)}")
            return {}
        for key in given:
            if key not in allowed:
                self.add((*path, key), f"unknown key; allowed: {', '.join(allowed)}")
        for key in needed:
            if key not in given:
                self.add(path, f"{key}: missing; it must be given")
        return {key: value for key, value in given.items() if key in allowed}

    def _cite(self, name: str, path: Path_, citation: object) -> None:
        if isinstance(citation, str) and citation.strip():
            self.citations[name] = citation
        else:
            self.add(path, f"missing citation; allowed: {CITATION}")

    # ------------------------------------------------------------------ the file

    def read(self) -> dict[str, Any]:
        """Every value by its name; nothing that may be used before `finish`."""
        self._mapping((), TOP_KEYS, ())  # each part says itself that it is missing
        self._check_overrides()
        values: dict[str, Any] = {
            key: self._try(At(self.found, (key,), self.found.data.get(key)), text)
            for key in ("key", "title", "text")
        }
        for section in SECTIONS:
            names = [name for name, field in FIELDS.items() if field.section == section]
            needed = [name for name in names if not FIELDS[name].optional]
            given = self._mapping((section,), names, needed)
            for name in given:
                values[name] = self._leaf((section, name), FIELDS[name].parse, name)
            self._left_out([name for name in names if name not in given], values)
        values["settlement"] = self._leaf(("settlement",), FIELDS["settlement"].parse, "settlement")
        values["payout_limit"] = self._payout_limit()
        values["deals"] = self._deals()
        values["deck_hours"] = self._deck_hours(values["deals"])
        values["rulings"] = self._rulings()
        self._results()
        self._duties()
        return values

    def _left_out(self, names: Collection[str], values: dict[str, Any]) -> None:
        """What this pack has no use for; a table cannot set it either."""
        for name in names:
            if FIELDS[name].optional:
                values[name] = FIELDS[name].absent
                if name in self.over.data:
                    self.over.add((name,), "allowed: only where the rule pack has it")

    def _check_overrides(self) -> None:
        for key in self.over.data:
            if key not in OVERRIDES:
                self.over.add((key,), f"unknown key; allowed: {', '.join(sorted(OVERRIDES))}")

    def _leaf(self, path: Path_, parse: Parse, name: str, override: At | None = None) -> Any:
        """The value of one leaf, or what a table sets in its place, inside what the text leaves open."""
        leaf = self._mapping(path, LEAF_KEYS, ("value",))
        self._cite(name, path, leaf.get("citation"))
        self._finer(name, path, leaf.get("citations", {}))
        if "value" not in leaf:
            return None
        at = override or At(self.found, (*path, "value"), leaf["value"])
        if override is None and name in self.over.data:
            at = At(self.over, (name,), self.over.data[name])
        value = self._try(at, parse)
        if value is not None or at.value is None:
            self._try(at, lambda at: self._bounded(at, value, leaf, path, parse))
        return value

    def _finer(self, name: str, path: Path_, citations: object) -> None:
        """Sections for parts of a value."""
        if not isinstance(citations, Mapping):
            self.add((*path, "citations"), f"allowed: a mapping of parts, each with {CITATION}")
            return
        for part, citation in citations.items():
            self._cite(f"{name}.{part}", (*path, "citations", part), citation)

    def _bounded(self, at: At, value: Any, leaf: Mapping[str, Any], path: Path_, parse: Parse) -> None:
        """Inside what the text leaves open: `between` two numbers or amounts, or of `allowed`, where a list
        is the whole of what a value may be. `null` is nothing that a text with bounds allows."""
        each = value if isinstance(value, tuple) else (value,)
        source = f"({leaf.get('citation')})"
        if "between" in leaf:
            low, high = self._ends((*path, "between"), leaf["between"], parse is money)
            if not all(isinstance(one, int) and low <= one <= high for one in each):
                shown = f"{dollars(low)} to {dollars(high)}" if parse is money else f"{low} to {high}"
                at.fail(f"{shown} {source}")
        if "allowed" in leaf:
            allowed = At(self.found, (*path, "allowed"), leaf["allowed"]).items("a list of values")
            choices = [choice.value for choice in allowed]
            if not _one_of(choices, each):
                at.fail(f"{', '.join(map(_shown, choices)) or 'none'} {source}")

    def _ends(self, path: Path_, given: object, is_money: bool) -> tuple[int, int]:
        at = At(self.found, path, given)
        parse = money if is_money else whole(0, 1_000_000)
        ends = [parse(end) for end in at.items("a list of two, the least and the most")]
        if len(ends) != 2:
            at.fail("a list of two, the least and the most")
        return ends[0], ends[1]

    # ------------------------------------------------------------------ what is no plain leaf

    def _payout_limit(self) -> dict[str, Any]:
        given = self._mapping(("payout_limit",), LIMIT_KEYS, LIMIT_KEYS)
        self._cite("payout_limit", ("payout_limit",), given.get("citation"))
        if len(given) < len(LIMIT_KEYS):
            return {}
        at = At(self.found, ("payout_limit",), given)
        value = at.child("value")
        if "payout_limit" in self.over.data:
            value = At(self.over, ("payout_limit",), self.over.data["payout_limit"])
        return {
            "cents": self._try(value, optional(money)),
            "kind": self._try(at.child("kind"), word(("floor", "cap", "fixed"))),
            "base": self._try(at.child("base"), money),
            "bonus_included": self._try(at.child("bonus_included"), flag),
        }

    def _deals(self) -> dict[str, dict[str, Any]]:
        parsers: dict[str, Parse] = dict(zip(DEAL_KEYS, (deal_steps, COUNTS_STUB, flag), strict=True))
        deals: dict[str, dict[str, Any]] = {}
        for method in self._mapping(("deals",), tuple(Method), ()):
            path = ("deals", method)
            given = self._mapping(path, DEAL_KEYS, DEAL_KEYS)
            deals[method] = {
                key: self._leaf((*path, key), parsers[key], f"deals.{method}.{key}", self._set(key))
                for key in given
            }
        return deals

    def _set(self, key: str, part: str | None = None) -> At | None:
        """What a table sets for `key`, of a mapping for `part` of it."""
        if key not in self.over.data:
            return None
        at = At(self.over, (key,), self.over.data[key])
        if part is None:
            return at
        return at.child(part) if isinstance(at.value, Mapping) and part in at.value else None

    def _deck_hours(self, deals: Collection[str]) -> dict[str, Any]:
        given = self._mapping(("deck_hours",), tuple(deals), tuple(deals))
        override = self._set("deck_hours")
        if override is not None:
            self._try(override, lambda at: at.mapping(tuple(deals)))
        return {
            method: self._leaf(
                ("deck_hours", method), HOURS, f"deck_hours.{method}", self._set("deck_hours", method)
            )
            for method in given
        }

    def _rulings(self) -> dict[Ruled, Ruling]:
        rulings: dict[Ruled, Ruling] = {}
        needed = [code for code in RULINGS if code not in OWN_RULINGS]
        found = self._mapping(("rulings",), RULINGS, needed)
        for code in (code for code in RULINGS if code in found):
            path = ("rulings", code)
            decided = ("outcome",) if code in DECIDED else ()
            given = self._mapping(path, (*decided, "citation", "citations"), decided)
            self._cite(f"rulings.{code}", path, given.get("citation"))
            finer = self._by_method(f"rulings.{code}", (*path, "citations"), given.get("citations", {}))
            if not decided:
                rulings[code] = Ruling(None, str(given.get("citation")), finer)
            at = At(self.found, (*path, "outcome"), given.get("outcome"))
            outcome = self._try(at, word(OUTCOMES)) if "outcome" in given else None
            if outcome is not None:
                rulings[code] = Ruling(outcome, str(given.get("citation")), finer)
        return rulings

    def _by_method(self, name: str, path: Path_, given: object) -> dict[Method, str]:
        """One section a way of dealing, where the text has one for each."""
        if not isinstance(given, Mapping):
            self.add(path, f"allowed: a mapping of ways of dealing, each with {CITATION}")
            return {}
        for method, citation in given.items():
            if method in tuple(Method):
                self._cite(f"{name}.{method}", (*path, method), citation)
            else:
                self.add((*path, method), f"unknown key; allowed: {', '.join(Method)}")
        return {Method(method): str(section) for method, section in given.items() if method in tuple(Method)}

    def _results(self) -> None:
        for wager, citation in self._mapping(("results",), RESULT_WAGERS, ()).items():
            path = ("results", wager)
            if not isinstance(citation, Mapping):
                self._cite(f"results.{wager}", path, citation)
                continue
            for result, section in self._mapping(path, RESULTS, RESULTS).items():
                self._cite(f"results.{wager}.{result}", (*path, result), section)

    def _duties(self) -> None:
        """A duty has one section, or one for each way of dealing that the pack has."""
        ways = self.found.data.get("deals", {})
        for duty, citation in self._mapping(("duties",), (*DUTIES, *OWN_DUTIES), DUTIES).items():
            if isinstance(citation, Mapping):
                self._by_method(f"duties.{duty}", ("duties", duty), citation)
                for way in ways:
                    if way not in citation:
                        self.add(("duties", duty), f"{way}: missing; it must be given")
            else:
                self._cite(f"duties.{duty}", ("duties", duty), citation)


def _one_of(choices: list[Any], each: tuple[Any, ...]) -> bool:
    """Whether every part of a value is allowed, or the whole of it where whole lists are."""
    whole = [sorted(choice, key=str) for choice in choices if isinstance(choice, list)]
    return sorted(each, key=str) in whole if whole else all(one in choices for one in each)


def _shown(choice: Any) -> str:
    if isinstance(choice, list):
        return f"[{', '.join(map(_shown, choice))}]"
    return str(choice).lower()
