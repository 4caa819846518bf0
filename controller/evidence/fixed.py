"""Choices that must be made before play, for an export: the program, its strengths, the journals, the costs.

No proof shows when they were made. A house seals them (controller/evidence/EVIDENCE.md "The export").
"""

from __future__ import annotations

from typing import Any

from controller.common.files.program import digest, version
from controller.evidence.dealer_errors import ERROR_STRENGTHS
from controller.evidence.early_wagers import ANTE_STRENGTHS, BONUS_STRENGTHS
from controller.evidence.factor import STRENGTHS
from controller.evidence.late_chips import LATE_STRENGTHS
from controller.evidence.other_hands import SHARES
from controller.evidence.running_evidence import Chosen
from controller.evidence.shuffle import DOUBLE, FAVOURS, FOLLOWS, MISSING
from controller.evidence.threshold import Threshold


def fixed_data(chosen: Chosen, threshold: Threshold | None) -> dict[str, Any]:
    """Return the choices by the names in controller/evidence/EVIDENCE.md. `threshold`: None if the house set
    no costs."""
    costs: dict[str, int | None] = {"cost": None, "budget": None, "sittings": None}
    if threshold is not None:
        costs = {"cost": threshold.cost, "budget": threshold.budget, "sittings": threshold.sittings}
    return {
        "program": version(), "program_digest": digest(),
        "journals": [journal.name for journal in chosen.journals],
        "since": chosen.since and chosen.since.isoformat(), **costs,
        "strengths": {
            "cards": STRENGTHS, "bonus": BONUS_STRENGTHS, "ante": ANTE_STRENGTHS, "late": LATE_STRENGTHS,
            "hands": SHARES, "errors": ERROR_STRENGTHS, "positions": FAVOURS,
            "missing_and_double": (MISSING, DOUBLE), "follows": FOLLOWS,
        },
    }  # fmt: skip
