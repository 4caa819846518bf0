"""The declared type matches the view: the printed schema is valid for the views of a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.pages.display.view_schema import json_schema, typescript
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt, settling

PAGE = Path(__file__).parent / "page"
SCHEMA = json.loads(json_schema())
JSON = {"string": str, "integer": int, "boolean": bool, "null": type(None), "array": list, "object": dict}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Return whether a value fits a schema, for the part of JSON Schema that the view uses."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]])
    if "enum" in schema:
        return value in schema["enum"]
    if "anyOf" in schema:
        return any(fits(value, each) for each in schema["anyOf"])
    if not isinstance(value, JSON[schema["type"]]) or (
        schema["type"] == "integer" and value in (True, False)
    ):
        return value in (0, 1) and type(value) is int
    if isinstance(value, list):
        return all(fits(item, schema["items"]) for item in value)
    if not isinstance(value, dict):
        return True
    if "properties" not in schema:
        return all(fits(item, schema["additionalProperties"]) for item in value.values())
    kinds = schema["properties"]
    return set(value) == set(kinds) and all(fits(value[name], kinds[name]) for name in kinds)


def moments() -> list[dict[str, Any]]:
    """Return the views of a table before, in and after a round, with an alert and a hold."""
    felt = Felt()
    seen = [felt.table.view()]
    felt.antes(2, 3)
    felt.lay(3, across=2000)
    play = settling()
    seen += [felt.table.view(), dealt("six_card_bonus").table.view(), play.table.view()]
    play.lay(1, middle=100)
    play.stand()
    seen.append(play.table.view())
    stopped = dealt()
    stopped.report("community_exposed", place="middle")
    seen.append(stopped.table.view())
    return json.loads(json.dumps(seen))


@pytest.mark.parametrize("view", moments())
def test_a_view_fits_its_schema(view: dict[str, Any]) -> None:
    wrong = [
        name for name, value in view.items() if not fits(value, SCHEMA["$defs"]["View"]["properties"][name])
    ]
    assert wrong == []
    assert set(view) == set(SCHEMA["$defs"]["View"]["properties"])


def test_an_unknown_field_violates_the_schema() -> None:
    view = moments()[0]
    assert not fits(view | {"stub": "AS"}, {"$ref": "#/$defs/View"})
    assert not fits(view | {"round": "1"}, {"$ref": "#/$defs/View"})


def test_the_declarations_of_the_pages_are_up_to_date() -> None:
    """Run `crisscross view --types >tests/display/page/view.d.ts` to update them."""
    assert (PAGE / "view.d.ts").read_text(encoding="utf-8") == typescript()
