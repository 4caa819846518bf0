"""Surveillance is alerted when evidence reaches its threshold, and the list of sittings refreshes
automatically.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import BrowserContext, expect

from controller.common.http.sessions import SESSION_TIMEOUT_S
from controller.common.notify.notification import NOTIFICATION_KINDS, Notification
from controller.common.notify.sender import NotificationSender
from controller.common.notify.settings import Receiver
from controller.common.texts.catalogue import catalogue
from controller.evidence import web
from controller.evidence.alerts import Alerts
from controller.evidence.board import Board
from controller.evidence.page import evidence_page
from controller.evidence.people import Access
from controller.evidence.report import sitting_data, sitting_lines
from controller.evidence.running_evidence import Chosen, Ended, RunningEvidence
from controller.evidence.sitting import Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.web import Site, make_app
from controller.game.model.cards import DECK
from tests.display.conftest import browser, screen
from tests.evidence.conftest import CHEAT
from tests.evidence.test_evidence_command import record
from tests.evidence.test_served import PIN, asked, people, signed_in
from tests.pit.receivers import Hook, Post
from tests.serving import Serving
from tests.uplink.broker import soon

__all__ = ["browser", "people", "screen"]
pytestmark = pytest.mark.slow
COSTS = (100_000, 3_000)


class Watched:
    """Evidence with its threshold and alerts. `told`: notifications that the receiver got."""

    def __init__(self, evidence: RunningEvidence, costs: tuple[int, int] | None = COSTS) -> None:
        self.told: list[Notification] = []
        self.evidence = evidence
        self.board = Board(evidence, costs)
        receivers = [
            Receiver("here", NOTIFICATION_KINDS, self.told.append),
            Receiver("floor", ("hold",), self.told.append),
        ]
        self.sender = NotificationSender(receivers, lambda: 0.0, logging.getLogger("x"), Counter())
        self.alerts = Alerts(self.board, self.sender, lambda: "2026-11-22T20:00:00.000Z")

    def follow(self) -> Iterator[Ended]:
        """Add the journal's rounds to the evidence; yield each after the alerts were checked."""
        self.sender.start()
        ended = self.evidence.read()
        self.evidence.learn(ended)
        for each in ended:
            self.evidence.add(each)
            self.alerts.check([each])
            yield each
        self.sender.stop()

    def check(self, ended: list[Ended]) -> None:
        """Check alerts for rounds whose evidence has been added already."""
        self.sender.start()
        self.alerts.check(ended)
        self.sender.stop()


def test_each_sitting_is_alerted_once_with_each_hypothesis_and_only_above_the_threshold(
    cheated: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(RunningEvidence(Chosen([cheated])))
    for each_round in watched.follow():
        above = [
            each for each in watched.evidence.sittings.found
            if each.peak >= watched.board.threshold().bound(each.order) * 2.302585  # type: ignore[union-attr]
        ]  # fmt: skip
        assert bool(caplog.records) == bool(above), each_round
    told = [(each.seat, *each.codes) for each in watched.told]
    assert len(set(told)) == len(told)
    assert {seat for seat, _ in told} == {CHEAT}
    assert (CHEAT, "sees_down_far") in told
    assert [record.levelname for record in caplog.records] == ["WARNING"] * len(told)
    first = caplog.records[0].getMessage()
    assert first.startswith(f"table CC-01, seat {CHEAT}, rounds 1 to ")
    assert "above the threshold" in first
    for words in (first, watched.told[0].text("en"), watched.told[0].payload("es").decode()):
        assert not any(card in words for card in DECK)


def test_without_costs_there_is_no_threshold_and_no_alert(
    evidence: RunningEvidence, ended: list[Ended], caplog: pytest.LogCaptureFixture
) -> None:
    without, with_costs = Watched(evidence, None), Watched(evidence)
    without.check(ended)
    assert (without.told, caplog.records) == ([], [])
    with_costs.check(ended)
    assert (len(with_costs.told), len(caplog.records)) == (1, 1), "with costs the same rounds have an alert"


def favouring(errors: float, sittings: float) -> tuple[Sittings, list[Ended]]:
    """Return a table at which dealer D7 dealt to two seats, and its round. `errors`: evidence of the errors
    at seat 2; `sittings`: evidence of each of the dealer's sittings; both as powers of ten."""
    every = Sittings({})
    ended: list[Ended] = [(0, record(dealers=[{"number": "D7", "from": ""}]))]
    for at, each in ended:
        every.add(each, at)
    dealer = every.dealers["D7"]
    dealer.peak, dealer.sittings[1].errors.peak = sittings * log(10), errors * log(10)
    return every, ended


@pytest.mark.parametrize(
    ("errors", "sittings", "expected"),
    [
        (9.0, 0.0, [("dealer_errors", 2, "seat 2, dealer D7: the evidence of the errors is above")]),
        (0.0, 9.0, [("dealer", None, "dealer D7: the evidence is above")]),
        (0.0, 0.0, []),
    ],
)
def test_a_dealer_above_the_threshold_is_alerted_once_and_counted(
    errors: float, sittings: float, expected: list[tuple[str, int | None, str]],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    every, ended = favouring(errors, sittings)
    watched = Watched(cast("Any", SimpleNamespace(sittings=every, faults={})))
    watched.check([*ended, *ended])
    assert [(*each.codes, each.seat) for each in watched.told] == [each[:2] for each in expected]
    lines = [each.getMessage() for each in caplog.records]
    assert len(lines) == len(expected)
    assert all(words in line for line, (_, _, words) in zip(lines, expected, strict=True))
    assert watched.board.many_above() == len(expected)
    page = "".join(watched.board.overview(catalogue("en")))
    assert page.count("<tr class=above>") == len(expected)
    assert (f"sittings and dealers: {len(expected)}" in page) == bool(expected)
    for each in watched.told:
        assert "D7" not in each.payload("en").decode(), "a notification names no person"


def test_a_notification_names_a_dealer_s_evidence_in_both_languages() -> None:
    of_seat = Notification("1", "", "surveillance", "CC-01", "evidence", "", ("dealer_errors",), 2)
    assert of_seat.text("en").endswith(
        "the evidence is above the threshold: errors of a dealer favour the seat"
    )
    dealer = Notification("1", "", "surveillance", "CC-01", "evidence", "", ("dealer",))
    assert dealer.text("en").startswith("CC-01: the evidence of a dealer is above the threshold: ")
    assert dealer.text("es").startswith(
        "CC-01: los indicios contra quien reparte están por encima del umbral: "
    )


def test_an_alert_and_the_page_name_a_seat_that_acts_earlier_and_has_high_evidence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Seat 2 may follow seat 1, but seat 1 cannot follow seat 2. A seat that acts earlier and has low
    evidence is not named."""
    every, ended = favouring(0.0, 0.0)
    first, second = every.found
    second.peak = 9 * log(10)
    assert [every.ahead_of(each) for each in every.found] == [[], []]
    first.peak = 8 * log(10)
    assert [every.ahead_of(each) for each in every.found] == [[], [first]]
    watched = Watched(cast("Any", SimpleNamespace(sittings=every, faults={})))
    watched.check(ended)
    lines = [each.getMessage().partition("; ")[2] for each in caplog.records]
    assert lines == ["", "also high at a seat that acts earlier: 1"]
    page = evidence_page(catalogue("en"), [sitting_data(second, None, [first])], None, "")
    assert "Seats that act earlier and have high evidence in the same rounds: 1 (10^8.0)." in page
    assert "1 (10^8.0)" in " ".join(sitting_lines([sitting_data(second, None, [first])]))
    for other in (Sitting(1, "1", 1, rounds=[1]), Sitting(1, "1", rounds=[9])):
        other.peak = first.peak
        every.found = [other, second]
        assert every.ahead_of(second) == [], "of another table or another time"


def test_a_notification_names_the_seat_and_the_hypothesis_in_both_languages() -> None:
    at = "2026-11-22T20:10:00.000Z"
    found = Notification("1", at, "surveillance", "CC-01", "evidence", at, ("sees_middle",), 2)
    assert found.text("en") == "CC-01, seat 2: the evidence is above the threshold: knew the middle card"
    assert found.text("es").startswith("CC-01, puesto 2: los indicios están por encima del umbral: ")
    data = json.loads(found.payload("en"))
    assert (data["type"], data["data"]["seat"]) == ("crisscross.evidence", 2)
    assert "seat" not in json.loads(Notification("1", "", "pit-1", "CC-01", "hold").payload("en"))["data"]


def test_the_command_calls_a_webhook_sends_a_mail_and_logs_one_line(
    cheated: Path, people: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "hook.secret"
    secret.write_text(f"whsec_{base64.b64encode(b'k' * 32).decode()}", encoding="utf-8")
    secret.chmod(0o600)
    hook, post, log = Hook(200), Post(), tmp_path / "log"
    with hook.serving() as url, post.serving() as port, log.open("wb") as written:
        file = tmp_path / "notify.yaml"
        file.write_text(
            f"webhooks:\n- {{url: {url}/watch, secret: hook.secret}}\n"
            f"mail:\n- {{server: smtp://127.0.0.1:{port}, from: cc@casino.test, to: [watch@casino.test]}}\n",
            encoding="utf-8",
        )
        command = [
            sys.executable, "-m", "controller", "evidence", str(cheated), "--listen", "127.0.0.1:0",
            "--people", str(people), "--cost", "100000", "--budget", "3000", "--notify", str(file),
        ]  # fmt: skip
        with subprocess.Popen(command, stderr=written, env={**os.environ}) as process:
            soon(lambda: bool(hook.requests and post.mails))
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    path, headers, body = hook.requests[0]
    assert (path, headers["webhook-signature"][:3]) == ("/watch", "v1,")
    assert json.loads(body)["data"]["seat"] == CHEAT
    sender, to, mail = post.mails[0]
    assert ("cc@casino.test" in sender, "watch@casino.test" in to[0]) == (True, True)
    assert str(mail["subject"]).startswith(f"CC-01, seat {CHEAT}: the evidence is above the threshold: ")
    assert not any(card in mail.get_content() for card in DECK)
    lines = [line for line in log.read_text().splitlines() if "above the threshold" in line]
    assert [line.split(",")[1] for line in lines] == [f" seat {CHEAT}"] * len(hook.requests)


# ------------------------------------------------------------------ the list


@pytest.fixture
def seconds() -> list[float]:
    return [0.0]


@pytest.fixture
def served(evidence: RunningEvidence, people: Path, seconds: list[float]) -> Iterator[Serving]:
    serving = Serving(make_app(Board(evidence, COSTS), Access(people, lambda: seconds[0]), Site()))
    yield serving
    serving.stop()


def test_the_list_renews_itself_and_keeps_its_place_until_it_is_told_to_stay(
    served: Serving, screen: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "RENEWAL_S", 1)
    page = screen.new_page()
    page.set_viewport_size({"width": 400, "height": 200})
    page.goto(served.url)
    page.get_by_label("Badge").fill("71")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This page renews itself every 1 s.")).to_be_attached()
    page.evaluate("scrollTo(0, 150); window.before = true")
    with page.expect_event("load"):
        pass
    soon(lambda: page.evaluate("window.before === undefined && scrollY === 150"))
    page.get_by_role("link", name="Keep it as it is").click()
    expect(page.get_by_text("This page stays as it is.")).to_be_attached()
    assert "refresh" not in (page.reload() or page.wait_for_event("response")).headers


def test_a_page_that_renews_itself_keeps_no_session_open(served: Serving, seconds: list[float]) -> None:
    cookie = signed_in(served)
    for _ in range(3):
        seconds[0] += SESSION_TIMEOUT_S / 2
        page = asked(served, "/", cookie)[1]
    assert "<h2>Sittings</h2>" not in page
    cookie = signed_in(served)
    for _ in range(3):
        seconds[0] += SESSION_TIMEOUT_S / 2
        page = asked(served, "/", cookie, by_hand="?1")[1]
    assert "<h2>Sittings</h2>" in page
