"""The public view as a JSON schema and as TypeScript, from `game/showing/view.py` and `spectator.py`.

`crisscross view` prints both. No running table is needed.
"""

from __future__ import annotations

import ast
import inspect
import json
import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from controller.game.showing import order_view, rules_view, signatures_view, spectator, view

Schema = dict[str, Any]
PLAIN = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def json_schema() -> str:
    """Return the JSON Schema 2020-12 of a complete view."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The public view of a Criss-Cross table",
        "$ref": "#/$defs/View",
        "$defs": {name: _object(kind) for name, kind in _kinds()},
    }
    return json.dumps(schema, indent=2) + "\n"


def typescript() -> str:
    """Return the types of the view as TypeScript declarations."""
    head = (
        "// Printed by `crisscross view --types`: change controller/game/showing/view.py or spectator.py.\n"
    )
    return head + "".join(_interface(name, kind) for name, kind in _kinds())


def _kinds() -> Iterator[tuple[str, type]]:
    """Yield each declared type, in the order of its module."""
    for module in (view, rules_view, order_view, signatures_view, spectator):
        for name, kind in vars(module).items():
            if is_typeddict(kind) and kind.__module__ == module.__name__:
                yield name, kind


def _words(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _object(kind: type) -> Schema:
    fields = {name: _schema(hint) for name, hint in get_type_hints(kind).items()}
    return {
        "description": _words(kind),
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _schema(hint: object) -> Schema:
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    if isinstance(hint, type) and is_typeddict(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is list:
        return {"type": "array", "items": _schema(inside[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inside[1])}
    if origin is types.UnionType or len(inside) > 1:
        return {"anyOf": [_schema(each) for each in inside]}
    raise TypeError(f"game/showing/view.py: {hint}: allowed are TypedDict, Literal, list, dict, plain")


def _interface(name: str, kind: type) -> str:
    """Return a declaration with the type's own fields; those of its bases come by `extends`."""
    lines = list(ast.walk(ast.parse(inspect.getsource(kind))))
    bases = [
        base.id
        for line in lines
        if isinstance(line, ast.ClassDef)
        for base in line.bases
        if isinstance(base, ast.Name) and base.id != "TypedDict"
    ]
    own = {
        line.target.id
        for line in lines
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    }
    head = f"{name} extends {', '.join(bases)}" if bases else name
    fields = "".join(
        f"  {field}: {_typed(_schema(hint))};\n"
        for field, hint in get_type_hints(kind).items()
        if field in own
    )
    return f"\n/** {_words(kind)} */\nexport interface {head} {{\n{fields}}}\n"


def _typed(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(map(_typed, schema["anyOf"]))
    if schema["type"] == "array":
        inside = _typed(schema["items"])
        return f"({inside})[]" if " " in inside else f"{inside}[]"
    if schema["type"] == "object":
        return f"Record<string, {_typed(schema['additionalProperties'])}>"
    return "number" if schema["type"] == "integer" else str(schema["type"])
