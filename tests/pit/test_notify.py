"""A hold, a call, a silent table and a fault are notified by webhook and by mail, to real receivers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.common.files.mistakes import Mistakes
from controller.common.notify import sender
from controller.common.notify.notification import Notification
from controller.common.notify.settings import read_receivers
from controller.floor.pit.floor import PitFloor, Streams
from controller.floor.pit.notify.notifier import Notifier
from controller.floor.pit.notify.watch import MIN_INTERVAL_S, NotifyReason, Watch
from controller.floor.pit.store import Store
from controller.floor.uplink.wire import SILENT_S, read_felt, read_state
from controller.game.model.irregularities import Code
from tests.pit.published_tables import Table, played
from tests.pit.receivers import Hook, Post
from tests.pit.test_streams import AT, rooted
from tests.pit.with_figures import store, taking
from tests.uplink.broker import soon
from tests.uplink.papers import Papers, papers

__all__ = ["store"]
pytestmark = pytest.mark.serial
KEY = b"k" * 32
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
POSIX = 1_795_381_200
SENT, DROPPED = "sent", "dropped"
LOGIN = "  user: pit-1\n  password: mail.secret\n"
DEAD = "- url: http://127.0.0.1:1\n  secret: hook.secret\n"


def private(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def hook_file(folder: Path, url: str, kinds: str = "") -> Path:
    private(folder / "hook.secret", SECRET)
    text = f"webhooks:\n- url: {url}/hooks/pit?room=7\n  secret: hook.secret\n{kinds}"
    return private(folder / "notify.yaml", text)


def mail_file(folder: Path, server: str, login: str = "") -> Path:
    private(folder / "mail.secret", "open sesame")
    to = "[floor@casino.test, shift@casino.test]"
    text = f"mail:\n- server: {server}\n  from: pit-1@casino.test\n  to: {to}\n"
    return private(folder / "notify.yaml", text + login)


class House:
    """Floor of a pit with a notifier, over a store of the test. `wait` advances its clock."""

    def __init__(self, store: Store, receivers: Path, delays_s: Sequence[float] = (0.01, 0.01)) -> None:
        self._intake, self._now = taking(store), 0.0
        self.floor = PitFloor(lambda: self._now, lambda: POSIX + self._now)
        self.counted: Counter[tuple[str, str]] = Counter()
        self.notifier = Notifier(
            "pit-1", read_receivers(receivers, "en", lambda: POSIX), self.floor.reasons, lambda: AT,
            lambda: self._now, self.counted, delays_s,
        )  # fmt: skip

    def receive(self, table: Table) -> None:
        head = self._intake.head_of(table.name)
        self._intake.take(rooted(table, head.upto if head else 0))
        head = self._intake.head_of(table.name)
        assert head is not None
        self.floor.events_stored({table.name: (self._intake.tiles[table.name], head.upto)})
        self.floor.streams(Streams(table.name, table.stream))
        self.floor.state(read_state(table.state()))
        self.notifier.check()

    def wait(self, seconds: float) -> None:
        self._now += seconds
        self.notifier.check()

    @contextmanager
    def running(self) -> Iterator[House]:
        self.notifier.start()
        try:
            yield self
        finally:
            self.notifier.stop()


def test_a_table_that_is_open_in_the_store_and_silent_since_the_start_is_notified(
    store: Store, tmp_path: Path
) -> None:
    """One table was open when the pit ended, another was closed. Neither sends anything after the pit's
    start."""
    tables = [played(), Table("CC-02", "cd" * 16)]
    tables[1].play()
    tables[1].phases("closed")
    intake = taking(store)
    for table in tables:
        intake.take(rooted(table))
    now = 0.0
    floor = PitFloor(lambda: now, lambda: POSIX + now)
    floor.begin({name: (intake.tiles[name], each.upto) for name, each in store.tables.items()})
    assert [floor.tile(name)["speaks"] for name in ("CC-01", "CC-02")] == ["never", "never"]
    assert floor.reasons() == {} and not floor.is_expected()
    now = SILENT_S + 1
    tiles = [floor.tile(name) for name in ("CC-01", "CC-02")]
    assert [(each["speaks"], each["need"]) for each in tiles] == [("silent", "lost"), ("never", "closed")]
    assert list(floor.reasons()) == [("CC-01", "silent")] and floor.is_expected()
    assert floor.counts()["silent"] == 1, "the rule CrisscrossTableLost counts it"
    floor.events_stored({name: (intake.tiles[name], each.upto) for name, each in store.tables.items()})
    assert floor.tile("CC-01")["speaks"] == "silent", "a reopened store is no message of a table"
    floor.state(read_state(tables[0].state()))
    assert floor.reasons() == {} and not floor.is_expected()


def everything(house: House) -> Table:
    """Cause a call, a fault, a hold, and then silence; return the table."""
    table = played()
    table.add_event("floor_called", who="0077")
    house.receive(table)
    house.floor.felt(read_felt(table.felt()))
    table.add_event("trouble", code=Code.SHOE_LOST.value)
    house.receive(table)
    table.add_event("held", code=Code.WRONG_DECK.value)
    house.receive(table)
    house.wait(SILENT_S + 1)
    return table


def test_a_webhook_receives_signed_notifications_of_each_kind(store: Store, tmp_path: Path) -> None:
    hook = Hook(204)
    with hook.serving() as url, House(store, hook_file(tmp_path, url)).running() as house:
        table = everything(house)
        soon(lambda: len(hook.requests) == 4)
    for path, headers, body in hook.requests:
        signed = f"{headers['webhook-id']}.{POSIX}.".encode() + body
        digest = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{digest}" and headers["webhook-timestamp"] == str(POSIX)
        assert (path, headers["content-type"]) == ("/hooks/pit?room=7", "application/json")
    sent = [json.loads(body) for _, _, body in hook.requests]
    assert [each["type"] for each in sent] == [
        "crisscross.call", "crisscross.fault", "crisscross.hold", "crisscross.silent",
    ]  # fmt: skip
    assert sent[1]["data"] == {
        "pit": "pit-1", "table": "CC-01", "since": sent[1]["data"]["since"], "codes": ["shoe_lost"],
        "text": sent[1]["data"]["text"],
    }  # fmt: skip
    assert sent[1]["data"]["text"].startswith("CC-01: a device does not work: ")
    assert sent[2]["data"]["since"] == table.utc()
    assert len({headers["webhook-id"] for _, headers, _ in hook.requests}) == 4
    for _, _, body in hook.requests:
        assert b"KH" not in body and b"face" not in body and b"seat" not in body


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_a_mail_server_receives_them_over_tls_with_a_password_from_a_file(
    store: Store, tmp_path: Path, house_papers: Papers, monkeypatch: pytest.MonkeyPatch,
    scheme: str, at_once: bool,
) -> None:  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", str(house_papers.ca))
    post = Post(server_tls(house_papers), at_once=at_once)
    with (
        post.serving() as port,
        House(store, mail_file(tmp_path, f"{scheme}://127.0.0.1:{port}", LOGIN)).running() as house,
    ):
        everything(house)
        soon(lambda: len(post.mails) == 4)
    assert set(post.users) == {("open sesame", True)}
    subjects = [str(message["subject"]) for _, _, message in post.mails]
    assert [line.split(": ")[1] for line in subjects] == [
        "the floor is called", "a device does not work", "play is held", "no word from the table",
    ]  # fmt: skip
    sender, to, message = post.mails[2]
    assert (sender, to) == ("pit-1@casino.test", ["floor@casino.test", "shift@casino.test"])
    assert "pit-1" in message.get_content() and "KH" not in message.as_string()


@pytest.fixture(scope="module")
def house_papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    return papers(tmp_path_factory.mktemp("papers"), "CC-01", "pit-1")


def server_tls(house: Papers) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*house.broker)
    return context


# ------------------------------------------------------------------ receivers that fail


@pytest.mark.parametrize(
    ("answers", "attempts", "result"),
    [
        ((500, 204), 2, SENT), ((429, 503, 204), 3, SENT), ((503,), 3, DROPPED), ((404,), 1, DROPPED),
        ((302,), 1, DROPPED),
    ],
)  # fmt: skip
def test_a_webhook_is_retried_a_bounded_number_of_times_with_the_same_id(
    store: Store, tmp_path: Path, answers: tuple[int, ...], attempts: int, result: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    hook = Hook(*answers)
    with hook.serving() as url, House(store, hook_file(tmp_path, url)).running() as house:
        house.receive(called())
        soon(lambda: house.counted.total() == 1)
        ((name, counted),) = house.counted
    assert (len(hook.requests), counted) == (attempts, result)
    assert len({headers["webhook-id"] for _, headers, _ in hook.requests}) == 1
    assert name == f"webhook {url.removeprefix('http://')}"
    lines = [line for line in caplog.messages if "was not delivered" in line]
    assert len(lines) == (result == DROPPED)
    assert not any("room=7" in line or SECRET in line for line in caplog.messages)


def called() -> Table:
    table = played()
    table.add_event("floor_called", who="0077")
    return table


def test_a_receiver_without_an_answer_delays_no_event_and_no_other_receiver(
    store: Store, tmp_path: Path
) -> None:
    stuck, good = Hook(204), Hook(204)
    stuck.go.clear()
    with stuck.serving() as one, good.serving() as two:
        file = hook_file(tmp_path, one)
        file.write_text(f"{file.read_text()}- url: {two}\n  secret: hook.secret\n", encoding="utf-8")
        house = House(store, file)
        with house.running():
            table = called()
            house.receive(table)
            soon(lambda: len(stuck.requests) == 1 and len(good.requests) == 1)
            table.play()
            house.receive(table)
            assert store.tables["CC-01"].upto == len(table.payloads)
            assert house.counted.total() == 1
            stuck.go.set()
            soon(lambda: house.counted.total() == 2)


def test_a_full_queue_drops_and_counts_notifications(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "_MAX_WAITING", 1)
    house = House(store, hook_file(tmp_path, "http://127.0.0.1:1"), (3600.0,))
    with house.running():
        everything(house)
        soon(lambda: house.counted.total() == 3)
    assert set(house.counted) == {("webhook 127.0.0.1:1", DROPPED)} and house.counted.total() == 4


@pytest.mark.parametrize(
    ("refuses", "words"),
    [
        ({"mail": "451 later"}, "answers with 451"),
        ({"rcpt": "550 unknown"}, "refuses the recipients"),
        ({"data": "554 no"}, "answers with 554"),
    ],
)
def test_a_refusal_of_the_mail_server_is_logged_in_one_line(
    store: Store, tmp_path: Path, refuses: dict[str, str], words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    post = Post(**refuses)
    with (
        post.serving() as port,
        House(store, mail_file(tmp_path, f"smtp://127.0.0.1:{port}")).running() as house,
    ):
        house.receive(called())
        soon(lambda: house.counted.total() == 1)
    assert not post.mails
    (line,) = [line for line in caplog.messages if "was not delivered" in line]
    assert words in line


def test_a_password_is_never_sent_unencrypted(store: Store, tmp_path: Path) -> None:
    post = Post()
    with post.serving() as port:
        file = mail_file(tmp_path, f"smtp://127.0.0.1:{port}", LOGIN)
        with House(store, file).running() as house:
            house.receive(called())
            soon(lambda: house.counted.total() == 1)
    assert post.users == [] and post.mails == []


# ------------------------------------------------------------------ new reasons


def reason(*marks: str) -> NotifyReason:
    return NotifyReason(AT, (), frozenset(marks))


def test_a_lasting_reason_is_notified_once_and_a_second_one_after_a_minute() -> None:
    watch = Watch()

    def due(now: float, *marks: str) -> int:
        return len(list(watch.due({("CC-01", "hold"): reason(*marks)} if marks else {}, now)))

    assert [due(0, "a"), due(2, "a"), due(4, "a", "b"), due(30, "b")] == [1, 0, 0, 0]
    assert [due(MIN_INTERVAL_S, "b"), due(MIN_INTERVAL_S + 2, "b")] == [1, 0], "it lasted"
    assert [due(70.0), due(72.0, "b"), due(MIN_INTERVAL_S * 2, "b")] == [0, 0, 1], "it came again"


def test_each_receiver_gets_only_its_own_kinds(store: Store, tmp_path: Path) -> None:
    hook = Hook(204)
    with (
        hook.serving() as url,
        House(store, hook_file(tmp_path, url, "  kinds: [silent, fault]\n")).running() as house,
    ):
        everything(house)
        soon(lambda: len(hook.requests) == 2)
    assert [json.loads(body)["type"][11:] for _, _, body in hook.requests] == ["fault", "silent"]


def test_a_failed_part_of_the_pit_has_a_text_in_both_languages() -> None:
    found = Notification("1", AT, "pit-1", "", "fault", AT, ("store",))
    assert found.text("en") == "The pit pit-1: a part of its service does not work: store"
    assert found.text("es") == "El pit pit-1: una parte de su servicio no funciona: store"
    assert json.loads(found.payload("en"))["data"]["table"] is None


# ------------------------------------------------------------------ the file and the command


Write = Callable[[str], Path]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("webhooks:\n- url: ftp://x\n  secret: hook.secret\n", "webhooks.0.url: allowed: a URL"),
        ("webhooks:\n- url: https://u:p@x\n  secret: hook.secret\n", "webhooks.0.url: allowed: a URL"),
        ("webhooks:\n- url: https://x\n  secret: short.secret\n", "webhooks.0.secret: allowed: whsec_"),
        ("webhooks:\n- url: https://x\n  secret: long.secret\n", "webhooks.0.secret: allowed: whsec_"),
        ("webhooks:\n- url: https://x\n  secret: none.secret\n", "webhooks.0.secret: "),
        ("webhooks:\n- url: https://x\n  secret: open.secret\n", "others may read it; chmod 600"),
        ("webhooks: []\n", "webhooks: allowed: a list of 1 to 20"),
        ("mail:\n- server: smtp://x\n  from: a\n  to: [b@c]\n", "mail.0.from: allowed: a mail address"),
        (
            "mail:\n- server: smtp://x\n  from: a@b\n  to: [b@c]\n  user: u\n",
            "user and password: both or none",
        ),
        ("mail:\n- server: https://x\n  from: a@b\n  to: [b@c]\n", "mail.0.server: allowed: a URL"),
        ("mail:\n- server: smtp://x\n  from: a@b\n  to: [b@c]\n  kinds: [rain]\n", "mail.0.kinds"),
    ],
)
def test_a_mistake_in_the_file_is_reported_without_the_secret(tmp_path: Path, text: str, words: str) -> None:
    private(tmp_path / "hook.secret", SECRET)
    private(tmp_path / "short.secret", "whsec_c2hvcnQ=")
    private(tmp_path / "long.secret", f"whsec_{base64.b64encode(bytes(65)).decode()}")
    private(tmp_path / "open.secret", SECRET).chmod(0o644)
    file = private(tmp_path / "notify.yaml", text)
    with pytest.raises(Mistakes) as caught:
        read_receivers(file, "en", lambda: POSIX)
    (line,) = caught.value.lines
    assert line.startswith(f"{file}:") and words in line and "c2hvcnQ" not in line and SECRET not in line


def test_the_command_sends_a_test_to_each_receiver(
    tmp_path: Path, capsys: pytest.CaptureFixture[Any]
) -> None:
    hook = Hook(204)
    with hook.serving() as url:
        file = hook_file(tmp_path, url)
        assert main(["pit", "notify", str(file), "--name", "pit-9"]) == 0
        file.write_text(
            f"{file.read_text()}- url: http://127.0.0.1:1\n  secret: hook.secret\n", encoding="utf-8"
        )
        assert main(["pit", "notify", str(file)]) == 1
    assert json.loads(hook.requests[0][2])["data"]["text"] == "A test of the pit pit-9"
    out, err = capsys.readouterr()
    assert out.count("took the test") == 2 and "webhook 127.0.0.1:1: does not answer" in err
