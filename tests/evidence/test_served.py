"""Only surveillance gets access to the pages of the evidence; each figure links to its decisions, and no name
from a journal is markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path
from time import monotonic
from urllib.parse import urlencode

import pytest
from playwright.sync_api import BrowserContext, expect

from controller.cli import main
from controller.common.secret_hash import hash_secret
from controller.common.texts.catalogue import catalogue
from controller.evidence import serve
from controller.evidence.board import Board
from controller.evidence.people import Access
from controller.evidence.running_evidence import Chosen, Ended, RunningEvidence
from controller.evidence.running_shoes import RunningShoes
from controller.evidence.sitting import DealerEvidence
from controller.evidence.web import Site, make_app
from controller.evidence.words import text_of
from controller.game.model.cards import DECK
from controller.record.journal.files import NAMED_BY
from controller.rules.odds.solve import ReportProgress
from controller.settings.people.register import Person, Role, write_people
from tests.accessible import violations
from tests.display.conftest import browser, screen
from tests.evidence.conftest import CHEAT, ROUNDS
from tests.serving import Serving

__all__ = ["browser", "screen"]
pytestmark = pytest.mark.slow
PIN, ROUNDS_AT = "2580", "http://127.0.0.1:1/rounds/"


@cache
def hashed() -> str:
    """Return the hash of PIN for all people of these tests. It is computed once, because that takes as long
    as a test."""
    return hash_secret(PIN)


def person(role: Role, name: str) -> Person:
    return Person(name=name, roles=[role], pin=hashed())


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.yaml"
    everyone = {"71": person("surveillance", "S-71"), "12": person("floorperson", "F-12")}
    write_people(file, {**everyone, "99": Person(name="A-99", roles=["auditor"])})
    return file


@pytest.fixture
def served(evidence: RunningEvidence, shoes: RunningShoes, people: Path) -> Iterator[Serving]:
    board = Board(evidence, (100_000, 3_000), shoes=shoes)
    app = make_app(board, Access(people, monotonic), Site(rounds_at=(ROUNDS_AT,)))
    serving = Serving(app)
    yield serving
    serving.stop()


def asked(
    served: Serving, path: str, cookie: str = "", by_hand: str = "", **form: str
) -> tuple[int, str, str]:
    """Send a request, a POST if it has a form; return status, body and cookie. `by_hand`: value of the header
    by which a browser marks a request that a person caused."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    headers = {"Cookie": cookie} if cookie else {}
    if by_hand:
        headers["Sec-Fetch-User"] = by_hand
    body = urlencode(form) if form else None
    if body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request("POST" if body else "GET", path, body, headers)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), answer.headers.get("set-cookie", "").partition(";")[0]
    connection.close()
    return found


def signed_in(served: Serving) -> str:
    status, _, cookie = asked(served, "/sign_in", badge="71", pin=PIN)
    assert status == 303
    return cookie


# ------------------------------------------------------------------ access


@pytest.mark.parametrize(("badge", "pin"), [("71", "1111"), ("12", PIN), ("99", PIN), ("S-71", PIN)])
def test_only_surveillance_gets_access(served: Serving, badge: str, pin: str) -> None:
    status, page, cookie = asked(served, "/sign_in", badge=badge, pin=pin)
    assert (status, cookie) == (401, "")
    assert "without the role surveillance" in page


@pytest.mark.parametrize("path", ["/", "/sittings/0", "/dealers/D7"])
def test_no_page_shows_a_figure_without_a_session(served: Serving, path: str) -> None:
    for cookie in ("", "crisscross_surveillance=guessed"):
        status, page, _ = asked(served, path, cookie)
        assert (status, "10^" in page) in {(200, False), (303, False)}


def test_a_number_of_any_length_is_a_sitting_that_does_not_exist(served: Serving) -> None:
    cookie = signed_in(served)
    for number in ("9" * 5000, "999", "1x", "%C2%B2"):
        assert asked(served, f"/sittings/{number}")[0] == 303
        assert asked(served, f"/sittings/{number}", cookie)[0] == 404


def test_wrong_pins_have_to_wait(served: Serving) -> None:
    found = [asked(served, "/sign_in", badge="71", pin="0000")[0] for _ in range(4)]
    assert found == [401, 401, 401, 429]


def test_a_withdrawn_person_and_a_damaged_file_end_the_session(served: Serving, people: Path) -> None:
    cookie = signed_in(served)
    assert "<h2>Sittings</h2>" in asked(served, "/", cookie)[1]
    write_people(people, {"71": Person(name="S-71", roles=["surveillance"], withdrawn=True)})
    assert "<h2>Sittings</h2>" not in asked(served, "/", cookie)[1]
    people.write_text("71: {", encoding="utf-8")
    assert asked(served, "/sign_in", badge="71", pin=PIN)[0] == 401


def test_a_sign_out_ends_the_session(served: Serving) -> None:
    cookie = signed_in(served)
    assert asked(served, "/sign_out", cookie, now="1")[0] == 303
    assert "<h2>Sittings</h2>" not in asked(served, "/", cookie)[1]


def test_a_form_of_another_page_is_refused(served: Serving) -> None:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": "http://other.example"}
    connection.request("POST", "/sign_in", urlencode({"badge": "71", "pin": PIN}), kind)
    assert connection.getresponse().status == 403
    connection.close()


# ------------------------------------------------------------------ content


def test_each_figure_links_to_its_decisions_and_each_decision_to_its_round(
    served: Serving, screen: BrowserContext
) -> None:
    page = screen.new_page()
    page.goto(served.url)
    page.get_by_label("Badge").fill("71")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    strongest = page.locator("tr.above")
    expect(strongest).to_have_count(1)
    assert strongest.locator("td").nth(1).inner_text() == str(CHEAT)
    expect(page.get_by_role("alert")).to_have_text("Above the threshold, sittings and dealers: 1")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    assert violations(page) == []
    strongest.get_by_role("link").first.click()
    expect(page.locator("h2")).to_have_text(f"Table CC-01, seat {CHEAT}, rounds 1 to {ROUNDS}")
    first = page.locator("#sees_down_far + table tr").nth(1)
    assert re.match(rf"{ROUNDS_AT}\d+$", first.get_by_role("link").get_attribute("href") or "")
    assert "a player who knew the far card of the Down pair, one of 42 cards, would" in first.inner_text()
    assert not re.search(rf"\b({'|'.join(DECK)})\b", page.inner_text("body"))
    assert violations(page) == []


def test_a_name_from_a_journal_is_never_markup(
    served: Serving, evidence: RunningEvidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = evidence.sittings.found[0]
    monkeypatch.setattr(sitting, "table", "<b>CC-01</b>")
    monkeypatch.setitem(evidence.sittings.dealers, "<b>7", DealerEvidence("<b>7"))
    cookie = signed_in(served)
    for path in ("/", "/sittings/0", "/dealers/%3Cb%3E7"):
        status, body, _ = asked(served, path, cookie)
        assert status == 200
        assert "<b>" not in body
        assert "&lt;b&gt;" in body


def test_the_pages_are_in_both_languages(served: Serving) -> None:
    cookie = signed_in(served)
    assert "<h2>Estancias</h2>" in asked(served, "/?lang=es", cookie)[1]
    page = asked(served, "/sittings/1?lang=es", cookie)[1]
    assert "un jugador que conociera la carta lejana de la pareja Down" in page


def test_the_page_of_a_shoe_has_the_figures_of_the_command(
    served: Serving, cheated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page got the rounds in two parts, while the command reads them at once."""
    capsys.readouterr()
    assert main(["evidence", str(cheated), "--shoe", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    cookie = signed_in(served)
    assert f"<h2>Shoes</h2>\n{'<table>'}" in asked(served, "/", cookie)[1]
    assert '<a href="/shoes/0">' in asked(served, "/", cookie)[1]
    status, page, _ = asked(served, "/shoes/0", cookie)
    assert (status, asked(served, "/shoes/1", cookie)[0]) == (200, 404)
    assert f"Shoe of table CC-01, rounds {data['first_round']} to {data['last_round']}" in page
    for name, each in data["hypotheses"].items():
        cells = (
            f"<td class=number>10^{each['log10']:.1f}</td><td class=number>10^{each['peak_log10']:.1f}</td>"
        )
        assert f"<tr><td>{text_of(catalogue('en'), f'shuffle.{name}')}</td>{cells}</tr>" in page
    assert "rank: needs 65 orders" in page
    assert not any(re.search(rf"\b{card}\b", page) for card in DECK)
    assert "falta una carta en una baraja" in asked(served, "/shoes/0?lang=es", cookie)[1]
    assert asked(served, "/shoes/0")[0] == 303, "without a session"


def test_an_unreadable_journal_is_named_and_read_once_available(cheated: Path, tmp_path: Path) -> None:
    late = tmp_path / "late.db"
    evidence = RunningEvidence(Chosen([late, cheated]))
    assert {at for at, _ in evidence.read()} == {1}
    assert evidence.faults == {0: f"journal {late}: there is no such file; {NAMED_BY}"}
    late.write_bytes(cheated.read_bytes())
    assert {at for at, _ in evidence.read()} == {0}
    assert evidence.faults == {}


def test_the_values_of_a_new_pack_are_counted_with_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    class Unknown(RunningEvidence):
        def learn(self, ended: Iterable[Ended], progress: ReportProgress = lambda done, of: None) -> None:
            progress(85, 170)

    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    serve.learn(Unknown(Chosen([])), [])
    assert f"counting [{'#' * 20}{' ' * 20}] 85 of 170 kinds of hole" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--listen", "127.0.0.1:0"], "--listen: add --people FILE, whose people with the role surveillance"),
        (["--people", "x"], "--people is for --listen; add --listen"),
        (["--listen", "0.0.0.0:0", "--people", "{people}"], "--listen: 0.0.0.0 is open to other machines"),
        (["--listen", "here", "--people", "{people}"], "--listen: allowed: HOST:PORT, as 127.0.0.1:8095"),
        (["--listen", "127.0.0.1:0", "--people", "{people}", "--json"], "--json: not with --listen"),
        (["--dealers", "--html", "x"], "--html: not with --dealers"),
        (["--rounds-at", "a", "--rounds-at", "b"], "--rounds-at: once for each JOURNAL, in their order"),
        (["--notify", "x"], "--notify is for --listen; add --listen"),
        (
            ["--listen", "127.0.0.1:0", "--people", "{people}", "--notify", "x"],
            "--notify is for sittings above a threshold; add --cost and --budget",
        ),
        (["--tls-key", "x"], "--tls-certificate and --tls-key: both or none"),
    ],
)
def test_invalid_options_of_the_pages_are_refused(
    cheated: Path, people: Path, capsys: pytest.CaptureFixture[str], options: list[str], line: str
) -> None:
    assert main(["evidence", str(cheated), *(each.format(people=people) for each in options)]) == 2
    assert capsys.readouterr().err.startswith(f"crisscross evidence: {line}")
