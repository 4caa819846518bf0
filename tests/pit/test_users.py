"""Each route of the pit's pages requires its role, sign-in delays guesses, sessions end in time, and the file
of users is checked.
"""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from controller.cli import main
from controller.common.http.sessions import (
    FREE_ATTEMPTS,
    FREE_ATTEMPTS_OF_ADDRESS,
    MAX_ATTEMPT_KEYS,
    MAX_SESSION_S,
    MAX_SESSIONS,
    MAX_WAIT_S,
    SESSION_TIMEOUT_S,
    Attempts,
    Sessions,
)
from controller.common.secret_hash import hash_secret
from controller.common.texts.catalogue import catalogue
from controller.floor.pit.access.gate import NEEDS, Access
from controller.floor.pit.access.users import Role, User, Users, read_users, write_users
from controller.floor.pit.audit.trail import AuditEntry
from tests.accessible import violations
from tests.display.conftest import EXPECTED, browser, check_console, screen
from tests.pit.served import NOW, Served
from tests.pit.test_on_my_way import calling

__all__ = ["browser", "screen"]
PASSWORD = "a long pass phrase"  # noqa: S105  # of the tests
HASH = hash_secret(PASSWORD)
NAMES: dict[str, Role] = {"rita": "read", "ana": "answer", "max": "manage"}
SUBJECT = "/api/tables/CC-01/on_my_way"


def user_of(role: Role) -> User:
    return User(role=role, password=HASH)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "users.yaml"
    write_users(path, {name: user_of(role) for name, role in NAMES.items()})
    return path


@pytest.fixture
def served(tmp_path: Path, file: Path) -> Iterator[Served]:
    server = Served(tmp_path, file)
    server.receive(calling())
    yield server
    server.stop()


@pytest.fixture
def page(screen: BrowserContext) -> Iterator[Page]:
    with check_console(screen.new_page(), (*EXPECTED, "401 (Unauthorized)")) as opened:
        yield opened
        opened.close()
    screen.clear_cookies()


class Browser:
    """Client that sends requests as one browser does. `cookie`: set by its last sign-in."""

    def __init__(self, served: Served, address: str = "127.0.0.1") -> None:
        self._served, self._address = served, address
        self.cookie = ""
        self.set_cookie = ""

    def asks(
        self, path: str, method: str = "GET", body: object = None, **headers: str
    ) -> tuple[int, str, dict[str, str]]:
        """Send a request; return (status, body, headers)."""
        line = HTTPConnection("127.0.0.1", self._served.port, timeout=10, source_address=(self._address, 0))
        sent = {"host": f"127.0.0.1:{self._served.port}", "cookie": self.cookie, **headers}
        if body is not None:
            sent["content-type"] = "application/json"
        line.request(method, path, None if body is None else json.dumps(body), sent)
        answer = line.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        text = "" if found.get("content-type", "").startswith("text/event") else answer.read().decode()
        line.close()
        return answer.status, text, found

    def signs_in(self, name: str, password: str = PASSWORD, **headers: str) -> int:
        body = {"name": name, "password": password}
        status, _, found = self.asks("/api/sign_in", "POST", body, **headers)
        self.set_cookie = found.get("set-cookie", self.set_cookie)
        self.cookie = self.set_cookie.partition(";")[0]
        return status

    def status(self, path: str = "/api/figures") -> int:
        return self.asks(path)[0]


def paths(routes: Iterable[BaseRoute], prefix: str = "") -> Iterator[str]:
    for route in routes:
        assert isinstance(route, Route | Mount)
        if isinstance(route, Mount) and route.routes:
            yield from paths(route.routes, prefix + route.path)
        else:
            yield prefix + route.path


def test_every_route_states_its_required_role(served: Served) -> None:
    assert isinstance(served.app, Starlette)
    assert sorted(paths(served.app.routes)) == sorted(NEEDS)


def test_a_route_without_a_need_prevents_the_start() -> None:
    async def answered(_request: object) -> Response:
        return Response()

    with pytest.raises(KeyError, match="/api/new"):
        Access().guard([Route("/api/new", answered)])


@pytest.mark.parametrize("path", sorted(NEEDS))
def test_without_a_session_a_route_answers_only_if_it_needs_no_role(served: Served, path: str) -> None:
    address = re.sub(r"\{number[^}]*\}", "1", path.replace("{name}", "CC-01"))
    method = "POST" if path.endswith(("on_my_way", "sign_in", "sign_out", "/api/users/{name}")) else "GET"
    status = Browser(served).asks(address, method, {} if method == "POST" else None)[0]
    assert (status == 401) == (NEEDS[path] in ("read", "answer", "manage"))


def test_a_page_without_a_session_redirects_to_the_sign_in_and_back(served: Served) -> None:
    status, _, headers = Browser(served).asks("/figures?by=day", accept="text/html,*/*")
    assert (status, headers["location"]) == (303, "/sign_in?next=%2Ffigures%3Fby%3Dday")
    status, _, headers = Browser(served).asks("/?lang=es", accept="text/html")
    assert (status, headers["location"]) == (303, "/sign_in?next=%2F%3Flang%3Des&lang=es")
    status, _, headers = Browser(served).asks("/", accept="text/html")
    assert (status, headers["location"]) == (303, "/sign_in")


def test_each_role_includes_those_before_it(served: Served) -> None:
    about = {"about": served.do(lambda: served.floor.tile("CC-01"))["wanted"]}
    for name, status in (("rita", 403), ("ana", 202), ("max", 202)):
        one = Browser(served)
        assert one.signs_in(name) == 204
        assert one.status() == 200
        assert one.asks(SUBJECT, "POST", about)[0] == status
    assert Browser(served).asks(SUBJECT, "POST", about)[0] == 401


def test_the_cookie_is_sent_only_to_this_site_and_hidden_from_scripts(served: Served) -> None:
    one = Browser(served)
    one.signs_in("ana")
    parts = {part.strip().lower() for part in one.set_cookie.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} == parts
    assert len(one.cookie.partition("=")[2]) >= 43
    one.cookie = one.cookie[:-1] + ("A" if one.cookie[-1] != "A" else "B")
    assert one.status() == 401


def test_a_sign_out_ends_the_session_and_no_other(served: Served) -> None:
    one, other = Browser(served), Browser(served)
    one.signs_in("ana"), other.signs_in("ana")
    assert one.asks("/api/sign_out", "POST")[0] == 204
    assert (one.status(), other.status()) == (401, 200)


def test_a_session_ends_when_unused_and_at_its_maximum_age(served: Served) -> None:
    one = Browser(served)
    one.signs_in("ana")
    served.wait(SESSION_TIMEOUT_S + 1)
    assert one.status() == 401
    one.signs_in("ana")
    for _ in range(int(MAX_SESSION_S / SESSION_TIMEOUT_S)):
        served.wait(SESSION_TIMEOUT_S - 1)
        assert one.status() == 200
    served.wait(SESSION_TIMEOUT_S - 1)
    assert one.status() == 401


@pytest.mark.parametrize("change", ["removed", "role", "password"])
def test_a_session_ends_when_its_user_changes_in_the_file(served: Served, file: Path, change: str) -> None:
    one, other = Browser(served), Browser(served)
    one.signs_in("ana"), other.signs_in("max")
    users = dict(read_users(file))
    users["ana"] = User(role="answer", password=hash_secret("x")) if change == "password" else user_of("read")
    if change == "removed":
        del users["ana"]
    write_users(file, users)
    assert (one.status(), other.status()) == (401, 200)


def test_an_open_page_ends_with_its_session(served: Served) -> None:
    one = Browser(served)
    one.signs_in("ana")
    line = HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.request("GET", "/api/live", headers={"host": f"127.0.0.1:{served.port}", "cookie": one.cookie})
    answer = line.getresponse()
    assert answer.readline() == b"retry: 500\n"
    assert one.asks("/api/sign_out", "POST")[0] == 204
    answer.read()  # until its end
    line.close()


def test_an_unknown_user_and_a_wrong_password_get_the_same_answer(served: Served) -> None:
    one = Browser(served)
    answers = [
        one.asks("/api/sign_in", "POST", {"name": name, "password": "wrong"})[:2] for name in ("ana", "who")
    ]
    assert answers[0] == answers[1] == (401, '{"error":"user or password: is wrong"}')
    assert one.asks("/api/sign_in", "POST", {"name": "ana"})[0] == 422


def test_guesses_are_delayed_and_no_password_is_checked_early(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    one = Browser(served)
    with caplog.at_level(logging.INFO, "crisscross.pit"):
        assert [one.signs_in("ana", f"guess {n}") for n in range(FREE_ATTEMPTS)] == [401] * FREE_ATTEMPTS
    assert served.acts[0] == AuditEntry(
        NOW, "ana", "127.0.0.1", "sign_in_refused", ""
    ) and "guess" not in caplog.text + repr(served.acts)
    assert one.signs_in("ana") == 429
    assert one.signs_in("max") == 204, "another user of the same address"
    assert Browser(served, "127.0.0.2").signs_in("ana") == 204, "the same user from another address"
    served.wait(1.1)
    assert one.signs_in("ana") == 204


def test_the_wait_grows_to_a_limit_and_memory_is_bounded() -> None:
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    waits = []
    for _ in range(20):
        attempts.failed("ana", "192.0.2.7")
        waits.append(attempts.wait_s("ana", "192.0.2.7"))
    assert waits[:6] == [0, 0, 1, 2, 4, 8] and max(waits) == waits[-1] == MAX_WAIT_S
    for number in range(2 * MAX_ATTEMPT_KEYS):
        attempts.failed(f"user{number}", f"10.0.{number >> 8}.{number & 255}")
    assert len(attempts._failed) == MAX_ATTEMPT_KEYS
    for number in range(FREE_ATTEMPTS_OF_ADDRESS):
        attempts.failed(f"u{number}", f"2001:db8::{number:x}")
    assert attempts.wait_s("another", "2001:db8::ffff") > 0, "one machine has all addresses of its network"
    assert attempts.wait_s("another", "2001:db8:0:1::1") == 0


def test_sessions_are_limited_and_the_least_recently_used_ends() -> None:
    users: Users = {"ana": user_of("read")}
    sessions = Sessions(lambda: users, lambda: 0.0)
    first, second = sessions.begin("ana", users["ana"]), sessions.begin("ana", users["ana"])
    sessions.use(first)
    for _ in range(MAX_SESSIONS - 1):
        sessions.begin("ana", users["ana"])
    assert sessions.use(second) is None
    assert sessions.use(first) is not None


@pytest.mark.parametrize("headers", [{"origin": "http://other.example"}, {"sec-fetch-site": "cross-site"}])
def test_a_page_of_another_site_signs_no_user_in_or_out(served: Served, headers: dict[str, str]) -> None:
    one = Browser(served)
    assert one.signs_in("ana", **headers) == 403
    one.signs_in("ana")
    assert one.asks("/api/sign_out", "POST", **headers)[0] == 403
    assert one.status() == 200


# ------------------------------------------------------------------ the file


def test_a_file_that_others_may_read_is_refused_in_one_line(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.chmod(0o644)
    assert main(["pit", "--users", str(file)]) == 2
    assert f"others may read it; chmod 600 {file}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ana: {role: boss}", "ana.role: allowed: read, answer, manage"),
        (
            f"ana: {{role: read, password: {PASSWORD}}}",
            "ana.password: allowed: what `crisscross",
        ),
        ("4711: {role: read}", "in quotes where all digits"),
    ],
)
def test_a_mistake_in_the_file_is_named_without_a_password(
    tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    assert main(["pit", "--users", str(file)]) == 2
    output = capsys.readouterr().err
    assert words in output and PASSWORD not in output


def test_a_later_mistake_is_logged_and_the_former_users_stay(
    served: Served, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one = Browser(served)
    one.signs_in("ana")
    file.write_text("ana: {role: boss}", encoding="utf-8")
    assert [one.status() for _ in range(3)] == [200] * 3
    assert len([line for line in caplog.messages if "the users before it stay" in line]) == 1


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_the_command_adds_changes_and_removes_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "users.yaml"
    at = ["--users", str(file)]
    typed(monkeypatch, f"{PASSWORD}\n")
    assert main(["pit", "user", "ana", "--role", "answer", *at]) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in file.read_text(encoding="utf-8") + capsys.readouterr().err
    assert main(["pit", "user", "ops@house", "--role", "read", "--by-proxy", *at]) == 0
    users = read_users(file)
    assert [(name, user.role, user.password is None) for name, user in users.items()] == [
        ("ana", "answer", False), ("ops@house", "read", True),
    ]  # fmt: skip
    assert main(["pit", "user", "ana", "--remove", *at]) == 0
    assert list(read_users(file)) == ["ops@house"]
    assert main(["pit", "user", "ana", "--remove", *at]) == 2
    for short in ("short\n", "", "tab\tin the password\n", "x" * 257 + "\n"):
        typed(monkeypatch, short)
        assert main(["pit", "user", "max", "--role", "read", *at]) == 2
    assert "allowed: 12 to 256 characters" in capsys.readouterr().err
    assert list(read_users(file)) == ["ops@house"]


# ------------------------------------------------------------------ in a browser


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_person_signs_in_answers_and_signs_out(served: Served, page: Page, language: str) -> None:
    words = catalogue(language).texts["pit"]
    text = words["sign_in"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{served.url}/tables/CC-01/floor?lang={language}")
    expect(page.get_by_role("heading", name=text["title"])).to_be_visible()
    page.goto(f"{served.url}/sign_in?lang={language}&next=/?lang={language}")
    assert violations(page) == []
    page.get_by_label(text["name"]).fill("ana")
    page.get_by_label(text["password"]).fill("not that one")
    page.get_by_role("button", name=text["key"]).click()
    expect(page.get_by_role("alert")).to_have_text(text["wrong"])
    page.get_by_label(text["password"]).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=words["on_my_way"]).tap()
    expect(page.get_by_text(words["way_sent"])).to_be_visible()
    assert [each.table for each in served.published] == ["CC-01"]
    expect(page.get_by_text(text["as"].format(name="ana", role=words["roles"]["answer"]))).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name=text["out"]).click()
    expect(page.get_by_role("heading", name=text["title"])).to_be_visible()


@pytest.mark.browser
def test_a_reader_has_no_key_to_answer_and_an_ended_session_leads_to_the_sign_in(
    served: Served, page: Page
) -> None:
    words = catalogue("en").texts["pit"]
    page.goto(f"{served.url}/sign_in?next=//elsewhere.example/")
    page.get_by_label(words["sign_in"]["name"]).fill("rita")
    page.get_by_label(words["sign_in"]["password"]).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".tile .need")).to_have_text(words["needs"]["called"])
    assert page.url == f"{served.url}/"
    expect(page.get_by_role("button", name=words["on_my_way"])).to_be_hidden()
    served.wait(MAX_SESSION_S + 1)
    expect(page.get_by_role("heading", name=words["sign_in"]["title"])).to_be_visible()
