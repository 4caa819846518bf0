"""A link on the page of the evidence opens the round at a pit, for a person of surveillance who has the pit's
role `read`.
"""

from __future__ import annotations

import re

from controller.common.texts.catalogue import catalogue
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.page import evidence_page
from controller.evidence.report import sitting_data
from controller.evidence.sitting import Sitting
from tests.evidence.test_dealers import factor
from tests.pit.served import Served
from tests.pit.test_users import Browser, file, served

__all__ = ["file", "served"]
PIT = "https://pit.example"


def test_a_link_of_the_evidence_opens_its_round_for_the_role_read(served: Served) -> None:
    sitting = Sitting(1, "1", table="CC-01")
    sitting.add(1, {Hypothesis.MIDDLE: factor(1000)[Hypothesis.MIDDLE]})
    page = evidence_page(catalogue("en"), [sitting_data(sitting)], None, f"{PIT}/tables/CC-01/rounds/")
    (link,) = re.findall(rf'href="{PIT}([^"]*)"', page)
    surveillance = Browser(served)
    assert surveillance.status(link) == 401
    assert surveillance.signs_in("rita") == 204
    assert surveillance.status(link) == 200
    data = link.replace("/rounds/", "/api/rounds/")
    assert surveillance.status(data) == 200
    assert surveillance.status(f"{data}9") == 404, "the table has no round 19"
