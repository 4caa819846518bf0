"""The audit trail lists acts on the pit's pages and commands in order, and a changed or missing entry is
always detected.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.cli import main
from controller.common.process.retry_queue import HandlingFailed, RetryQueue
from controller.common.texts.catalogue import catalogue, languages
from controller.floor.pit.access.users import read_users
from controller.floor.pit.audit.recorder import Recorder
from controller.floor.pit.audit.trail import AuditEntry, append_entries, login, newest, verified
from controller.floor.pit.copies import backup, restore_copy
from controller.floor.pit.database import StoreError
from controller.floor.pit.opening import open_database
from controller.floor.pit.schema import create_or_upgrade
from controller.floor.pit.store import Store
from tests.accessible import violations
from tests.display.conftest import EXPECTED, browser, screen
from tests.pit.published_tables import Table
from tests.pit.served import NOW, Served
from tests.pit.test_streams import AT, JOURNAL, rooted
from tests.pit.test_users import PASSWORD, Browser, file, page, served
from tests.pit.with_figures import taking
from tests.uplink.broker import soon

__all__ = ["EXPECTED", "browser", "file", "page", "screen", "served"]
pytestmark = pytest.mark.serial
ENTRIES = [AuditEntry(AT, name, "192.0.2.7", "sign_in", "read") for name in ("ana", "rita", "max")]


@pytest.fixture
def trail(url: str) -> str:
    with closing(open_database(url, writing=True)) as database:
        create_or_upgrade(database)
        for entry in ENTRIES:
            append_entries(database, entry)
    return url


def test_entries_are_in_order_and_the_command_exports_them(
    trail: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", "audit", "--store", trail]) == 0
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(each["number"], each["who"], each["address"]) for each in lines] == [
        (1, "ana", "192.0.2.7"), (2, "rita", "192.0.2.7"), (3, "max", "192.0.2.7"),
    ]  # fmt: skip
    assert f"audit: 3 entries, the hash of the last is {lines[-1]['hash']}" in err
    assert main(["pit", "audit", "--store", trail, "--known", lines[1]["hash"]]) == 0


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("UPDATE audit SET who = 'eve' WHERE number = 2", 2),
        ("UPDATE audit SET at = '2026-11-22T21:00:01.000Z' WHERE number = 1", 1),
        ("DELETE FROM audit WHERE number = 1", 1),
        ("DELETE FROM audit WHERE number = 2", 2),
    ],
)
def test_a_changed_or_deleted_entry_breaks_the_chain(
    trail: str, statement: str, number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_database(trail, writing=False)) as database:
        database.rows(statement)
    assert main(["pit", "audit", "--store", trail]) == 1
    assert f"audit: entry {number} is missing or was changed" in capsys.readouterr().err
    with pytest.raises(StoreError, match=f"entry {number} is missing"):
        backup(trail, tmp_path / "copy.db")


def test_a_cut_off_end_is_found_by_a_noted_hash(trail: str, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(open_database(trail, writing=False)) as database:
        last = newest(database, 1)[0].hash
        database.rows("DELETE FROM audit WHERE number = 3")
    assert main(["pit", "audit", "--store", trail]) == 0, "a shorter trail is whole by itself"
    assert main(["pit", "audit", "--store", trail, "--known", last]) == 1
    assert "entries were cut off" in capsys.readouterr().err


def test_two_programs_can_append_at_the_same_time(trail: str) -> None:
    def many(name: str) -> None:
        with closing(open_database(trail, writing=False)) as database:
            for _ in range(40):
                append_entries(database, AuditEntry(AT, name, "", "sign_in", ""))

    threads = [threading.Thread(target=many, args=(name,)) for name in ("ana", "max")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    with closing(open_database(trail, writing=False)) as database:
        found = [each.entry.who for each in verified(database)]
    assert (len(found), found.count("ana")) == (83, 41)


def test_a_copy_of_the_store_has_the_trail(trail: str, tmp_path: Path) -> None:
    assert backup(trail, tmp_path / "copy.db")[0].startswith("audit: entries 1 to 3, hash ")
    restore_copy(tmp_path / "copy.db", str(tmp_path / "back.db"))
    with closing(open_database(str(tmp_path / "back.db"), writing=False)) as database:
        assert [each.entry for each in verified(database)] == ENTRIES


def test_a_copy_of_the_former_version_can_be_restored(tmp_path: Path) -> None:
    place = str(tmp_path / "pit.db")
    with closing(Store(open_database(place, writing=True))) as store:
        table = Table("CC-01", JOURNAL)
        table.play()
        store.clock("UTC", "UTC")
        taking(store).take(rooted(table))
    backup(place, tmp_path / "copy.db")
    with closing(open_database(str(tmp_path / "copy.db"), writing=False)) as database:
        database.rows("DROP TABLE audit")
        database.rows("UPDATE version SET number = 3")
    (line,) = restore_copy(tmp_path / "copy.db", str(tmp_path / "back.db"))
    assert line.startswith(f"table CC-01, stream {JOURNAL}: events 1 to ")


# ------------------------------------------------------------------ the pages


def test_sign_ins_sign_outs_and_failures_are_entries_of_the_user(served: Served) -> None:
    one = Browser(served)
    one.signs_in("ana", "a wrong pass phrase")
    one.signs_in(PASSWORD.replace(" ", "-"))
    one.signs_in("ana")
    one.asks("/api/sign_out", "POST", {})
    assert [(each.who, each.act, each.about) for each in served.acts] == [
        ("ana", "sign_in_refused", ""), ("", "sign_in_refused", "unknown user"),
        ("ana", "sign_in", "answer"), ("ana", "sign_out", ""),
    ]  # fmt: skip
    assert {each.address for each in served.acts} == {"127.0.0.1"}
    assert PASSWORD.replace(" ", "-") not in repr(served.acts), "typed into the wrong field"


def test_on_my_way_names_the_user_only_in_the_pit(served: Served) -> None:
    one = Browser(served)
    one.signs_in("ana")
    wanted = served.do(lambda: served.floor.tile("CC-01"))["wanted"]
    assert one.asks("/api/tables/CC-01/on_my_way", "POST", {"about": wanted, "by": "max"})[0] == 422
    assert one.asks("/api/tables/CC-01/on_my_way", "POST", {"about": wanted})[0] == 202
    assert served.acts[-1] == AuditEntry(NOW, "ana", "127.0.0.1", "on_my_way", f"CC-01: {wanted}")
    assert served.do(lambda: served.floor.tile("CC-01"))["way"] == {"shown": None, "by": "ana"}
    (sent,) = served.published
    assert set(sent.model_dump()) == {"format", "pit", "table", "stream", "about"}
    assert "ana" not in sent.model_dump_json()


def test_only_the_role_manage_sees_the_trail_and_changes_users(served: Served, file: Path) -> None:
    rita, manager = Browser(served), Browser(served)
    rita.signs_in("rita"), manager.signs_in("max")
    for path, method in (("/manage", "GET"), ("/api/manage", "GET"), ("/api/users/ana", "POST")):
        assert rita.asks(path, method, {"role": "read"} if method == "POST" else None)[0] == 403
    shown = json.loads(manager.asks("/api/manage")[1])
    assert [(each["who"], each["act"]) for each in shown["audit"]] == [
        ("max", "sign_in"),
        ("rita", "sign_in"),
    ]
    assert "argon2" not in json.dumps(shown)
    assert shown["users"][0] == {"name": "ana", "role": "answer", "by_proxy": False}
    for name, role, status in (
        ("ana", "manage", 204), ("rita", None, 204), ("max", "read", 409), ("eve", "read", 404),
        ("ana", "boss", 422),
    ):  # fmt: skip
        assert manager.asks(f"/api/users/{name}", "POST", {"role": role})[0] == status, name
    assert {name: user.role for name, user in read_users(file).items()} == {"max": "manage", "ana": "manage"}
    assert rita.status() == 401, "the session of a removed user has ended"
    assert [(each.who, each.about) for each in served.acts[2:]] == [
        ("max", "ana: answer to manage"), ("max", "rita: removed"),
    ]  # fmt: skip


def test_a_change_of_the_users_file_by_another_program_is_an_entry_without_a_hash(
    served: Served, file: Path
) -> None:
    one = Browser(served)
    one.signs_in("max")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("role: answer", "role: manage"), encoding="utf-8")
    one.status()
    assert (served.acts[-1].who, served.acts[-1].about) == ("file", "ana: answer to manage")


def test_the_page_shows_the_trail_and_changes_a_role(served: Served, page: Page) -> None:
    words = catalogue("en").texts["pit"]
    page.goto(f"{served.url}/manage")
    page.get_by_label(words["sign_in"]["name"]).fill("max")
    page.get_by_label(words["sign_in"]["password"]).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=words["manage"]["title"])).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=words["manage"]["acts"]["sign_in"])).to_contain_text("max")
    assert violations(page) == []
    page.get_by_label("Role of ana").select_option("read")
    expect(page.get_by_role("alert")).to_have_text("ana was changed.")
    expect(page.get_by_role("row").filter(has_text="ana: answer to read")).to_contain_text("max")
    page.get_by_role("button", name="Remove rita").click()
    page.get_by_role("button", name="Remove rita: press again").click()
    expect(page.get_by_text("rita: removed")).to_be_visible()
    expect(page.get_by_label("Role of max")).to_be_hidden()


def signed_in(page: Page, served: Served, language: str = "en") -> dict[str, Any]:
    """Open the page of the role `manage`; return its texts."""
    words: dict[str, Any] = catalogue(language).texts["pit"]
    page.goto(f"{served.url}/manage?lang={language}")
    page.get_by_label(words["sign_in"]["name"]).fill("max")
    page.get_by_label(words["sign_in"]["password"]).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=words["manage"]["title"])).to_be_visible()
    return words


def test_a_first_press_of_remove_counts_for_five_seconds_and_on_its_own_key(
    served: Served, page: Page, file: Path
) -> None:
    page.clock.install()
    words = signed_in(page, served)["manage"]
    key = page.get_by_role("button", name="Remove rita")
    sure = words["remove_sure"].format(name="rita")
    for leave in (lambda: page.clock.run_for(5_000), page.get_by_label("Role of ana").focus):
        key.click()
        expect(key).to_have_text(sure)
        leave()
        expect(key).to_have_text("Remove rita")
    key.click()
    expect(key).to_have_text(sure)
    assert "rita" in read_users(file)


@pytest.mark.parametrize("language", languages())
def test_an_unreadable_trail_is_not_shown_as_empty(served: Served, page: Page, language: str) -> None:
    page.route("**/api/manage", lambda route: route.abort())
    words = signed_in(page, served, language)
    expect(page.get_by_role("alert")).to_have_text(words["manage"]["not_read"])
    expect(page.get_by_text(words["nothing_said"])).to_have_count(0)
    assert violations(page) == []


def test_a_change_after_which_the_trail_is_unreadable_is_reported(served: Served, page: Page) -> None:
    words = signed_in(page, served)["manage"]
    page.route("**/api/manage", lambda route: route.abort())
    page.get_by_label("Role of ana").select_option("read")
    expect(page.get_by_role("alert")).to_have_text(f"ana was changed. {words['not_read']}")


def test_a_name_is_escaped_in_an_address(served: Served, page: Page) -> None:
    requested: list[str] = []

    def refuse(route: Route) -> None:
        requested.append(route.request.url)
        route.abort()

    page.route("**/api/users/**", refuse)
    users = [{"name": "o@b", "role": "read", "by_proxy": True}]
    page.route(
        "**/api/manage", lambda route: route.fulfill(json={"audit": [], "users": users, "keep_days": None})
    )
    signed_in(page, served)
    page.get_by_label("Role of o@b").select_option("answer")
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert requested == [f"{served.url}/api/users/o%40b"]


# ------------------------------------------------------------------ the recorder


def test_an_act_is_recorded_once_the_store_can_be_written(tmp_path: Path) -> None:
    place = str(tmp_path / "pit.db")
    recorder = Recorder(lambda: AT, lambda: 0.0)
    recorder.start(lambda: open_database(place, writing=False))
    try:
        recorder.record("ana", "192.0.2.7", "on_my_way", "CC-01: call")
        soon(lambda: recorder.faults()["audit"] == "cannot be written")
        with closing(open_database(place, writing=True)) as database:
            create_or_upgrade(database)
        soon(lambda: recorder.faults()["audit"] == "")
    finally:
        recorder.stop()
    with closing(open_database(place, writing=False)) as database:
        assert [each.entry.who for each in verified(database)] == ["ana"]


def test_an_entry_without_a_store_at_the_end_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = Recorder(lambda: AT, lambda: 0.0)
    recorder.start(lambda: open_database(str(tmp_path / "none.db"), writing=False))
    recorder.record("ana", "192.0.2.7", "sign_in", "read")
    recorder.record("max", "192.0.2.7", "sign_in", "manage")
    recorder.stop()
    lost = [line for line in caplog.messages if "is not in the store" in line]
    assert len(lost) == 2 and "who='ana'" in lost[0] and "who='max'" in lost[1]


def test_the_user_of_a_command_is_that_of_the_login(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError

    monkeypatch.setattr("controller.floor.pit.audit.trail.getuser", lambda: "ops")
    assert login() == "login:ops"
    monkeypatch.setattr("controller.floor.pit.audit.trail.getuser", nobody)
    assert login() == f"login:{os.getuid()}"


def test_a_queue_retries_gives_up_and_is_bounded() -> None:
    done: list[str] = []
    dropped: list[tuple[str, str]] = []
    attempts: list[str] = []
    go = threading.Event()

    def handle(item: str) -> None:
        go.wait()
        attempts.append(item)
        if item != "good":
            raise HandlingFailed(f"{item} failed", final=item == "final")
        done.append(item)

    queue: RetryQueue[str] = RetryQueue(
        "test", handle, lambda item, why: dropped.append((item, why)), (0.01, 0.01), lambda: 0.0, most=3
    )
    queue.start()
    assert [queue.put(item) for item in ("bad", "final", "good", "more")] == [True, True, True, False]
    go.set()
    soon(lambda: done == ["good"])
    queue.stop()
    assert attempts == ["bad", "bad", "bad", "final", "good"]
    assert dropped == [("bad", "bad failed"), ("final", "final failed")]
    assert not queue.put("late")
