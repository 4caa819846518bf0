"""Number of scenarios, and of those with a body of their own.

Two scenarios have the same body if they take the same steps on the same table; rule packs, sections and
expectations may differ.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def duplicated_bodies(root: Path) -> tuple[int, int]:
    """Return the number of scenarios under `root`, and the number of distinct bodies. They are equal if no
    body occurs twice."""
    bodies = [
        _body(document)
        for path in sorted(root.rglob("*.yaml"))
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
        if document
    ]
    return len(bodies), len(set(bodies))


def _body(document: Mapping[str, Any]) -> str:
    steps = [{"expect": ...} if "expect" in step else step for step in document["steps"]]
    return json.dumps([document.get("config"), steps], sort_keys=True, default=str)
