"""Each networked service runs as its own user: the kernel refuses it the table's files, and its normal work
succeeds.
"""

from __future__ import annotations

import json
import os
import shutil
import socket as socket_
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

from controller.common.files.file_lock import lock
from controller.common.tlog.note import COSIGNATURE
from controller.floor.uplink import cursor
from controller.floor.uplink.acl import mosquitto
from controller.floor.uplink.outbox import outbox_path as outbox_beside
from controller.record.journal.journal import Journal
from controller.record.seal.cosigned import cosignatures_path as cosigned_beside
from controller.record.seal.cosigned import read_lines
from drivers.shoe.keys import keys_of_both_ends, write_keys
from tests.other_users import PYTHON, needs_shared_python, run_as, started_as
from tests.systemd.layout import Layout
from tests.systemd.layout import needs_root as needs_layout
from tests.systemd.test_units import directives
from tests.uplink.broker import Mosquitto, Pit, soon
from tests.uplink.night import NAME
from tests.uplink.papers import papers
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log, write_journal
from tests.witness.served import serving

pytestmark = [pytest.mark.serial, needs_shared_python, needs_layout]

SYSTEMD = Path(__file__).parents[2] / "systemd"
NETWORKED = ("crisscross-pages", "crisscross-uplink", "crisscross-feed")
TRYING = """import os, pathlib, sys
done = []
def attempt(what, act):
    try:
        act()
    except OSError:
        return
    done.append(what)
for text in sys.argv[1:]:
    path = pathlib.Path(text)
    if path.is_dir() if os.access(path.parent, os.X_OK) else False:
        attempt(f"list {path}", lambda: list(path.iterdir()))
        attempt(f"create in {path}", lambda: (path / "planted").write_text("x"))
        attempt(f"move {path}", lambda: path.rename(f"{path}.moved"))
        continue
    attempt(f"read {path}", lambda: path.open("rb").read(1))
    attempt(f"write {path}", lambda: os.close(os.open(path, os.O_WRONLY)))
    attempt(f"open for a lock {path}", lambda: os.close(os.open(path, os.O_RDONLY)))
    attempt(f"remove {path}", lambda: path.unlink())
    attempt(f"replace {path}", lambda: (path.parent / ".new").write_text("x"))
print("\\n".join(done), end="")
"""


class Table:
    """Files of a table as the package and the daemon lay them out, each owned by its user."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.state, self.config = layout.root / "var/lib/crisscross", layout.root / "etc/crisscross"
        layout.tmpfiles()
        self.journal = self.state / "journal.db"

    def user(self, name: str) -> int:
        return self.layout.user(name)[0]

    def groups(self, name: str) -> list[int]:
        return [self.layout.user(name)[1]]

    def socket(self, name: str) -> Path:
        return self.layout.root / f"run/{name}/socket"

    def give(self) -> None:
        """Give the files in the journal's folder to the daemon's user, as if the daemon had written them."""
        uid, gid = self.layout.user("crisscross")
        for path in self.state.rglob("*"):
            os.lchown(path, uid, gid)

    def configure(self, **keys: Any) -> Path:
        """Install the table file and its neighbours as the guide does: `install -m 640 -g crisscross`."""
        file = self.config / "table.yaml"
        journal = {"journal": str(self.journal), "rules": "pennsylvania", "shoe": {"port": "/dev/shoe"}}
        found = {"table": NAME, "people": "people.yaml", **journal, **keys}
        file.write_text(yaml.safe_dump({key: value for key, value in found.items() if value is not None}))
        (self.config / "people.yaml").write_text('"4711": {name: F-07, roles: [floorperson]}\n')
        for path in self.config.iterdir():
            path.chmod(0o640)
            os.chown(path, 0, self.layout.user("crisscross")[1])
        return file

    @contextmanager
    def running(self, name: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
        """Run `crisscross` as a service user until the end of the block."""
        with started_as(self.user(name), *arguments, groups=self.groups(name)) as process:
            try:
                yield process
            finally:
                process.terminate()
                process.wait(20)


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table in a folder outside `tmp_path`, which only root may enter."""
    root = Path(tempfile.mkdtemp(prefix="crisscross-users-"))
    root.chmod(0o755)
    yield Table(Layout(root))
    shutil.rmtree(root)


def secrets(table: Table) -> list[Path]:
    """Return every secret file of a table that has played, been paired and backed up."""
    with closing(Journal(table.journal, keys=Path(f"{table.journal}.keys"))):
        pass
    Path(f"{table.journal}-wal").touch(mode=0o600)
    write_keys(Path(f"{table.journal}.shoe"), keys_of_both_ends(os.urandom(32), os.urandom(32))[0])
    table.configure()
    table.give()
    found = [path for path in table.state.rglob("*") if path.is_file()]
    names = {path.name for path in found}
    assert {"journal.db", "journal.db.shoe", "ratchet.key", "table.key", "faces.key", "first.key"} <= names
    return [*found, table.config / "people.yaml", table.config / "table.yaml"]


def attempted(table: Table, name: str, paths: list[Path]) -> list[str]:
    run = run_as(table.user(name), "-c", TRYING, *paths)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("name", NETWORKED)
def test_a_networked_user_reads_and_changes_no_file_of_the_table(table: Table, name: str) -> None:
    paths = secrets(table)
    folders = [table.state, table.state / "journal.db.keys", table.state / "before-upgrade", table.config]
    assert attempted(table, name, [*folders, *paths]) == []


@pytest.mark.parametrize("name", NETWORKED)
def test_a_networked_user_accesses_no_secret_in_open_folders(table: Table, name: str) -> None:
    """Each secret is protected by its own mode, whatever the mode of the folder."""
    paths = secrets(table)
    for folder in (table.state, table.state / "journal.db.keys", table.config):
        folder.chmod(0o755)
    assert attempted(table, name, [*paths]) == []


def test_the_attempts_succeed_for_the_table_s_own_user(table: Table) -> None:
    """The successful attempts prove that the permissions cause the refusals in the test above."""
    paths = secrets(table)
    done = attempted(table, "crisscross", [table.journal])
    assert [line.partition(" ")[0] for line in done] == ["read", "write", "open", "remove", "replace"]
    people = paths[-2]
    assert attempted(table, "crisscross", [people]) == [f"read {people}", f"open for a lock {people}"]


@pytest.mark.parametrize("name", NETWORKED)
def test_a_networked_user_changes_nothing_in_the_folder_of_its_socket(table: Table, name: str) -> None:
    folder = table.layout.root / f"run/{name}"
    found = folder.stat()
    uid, gid = table.user("crisscross"), table.groups(name)[0]
    assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (uid, gid, 0o2750)
    done = attempted(table, name, [folder])
    assert done == [f"list {folder}"]
    for other in set(NETWORKED) - {name}:
        assert attempted(table, other, [folder]) == []


def test_the_feed_under_its_own_user_gets_cosignatures(table: Table, tmp_path: Path) -> None:
    log = Log().grow(9)
    write_journal(table.journal, log, [4, 9])
    logs = {ORIGIN: (TABLE.verifier(),)}
    with serving(tmp_path / "witness.db", WITNESS, logs, lambda: 1_795_000_000) as url:
        witness = {"key": WITNESS.verifier(COSIGNATURE).text(), "url": url}
        file = table.configure(seal={"origin": ORIGIN, "witnesses": [witness]})
        table.give()
        socket, user = table.socket("crisscross-feed"), str(table.user("crisscross-feed"))
        server = ("witness", "checkpoints", file, "--socket", socket, "--socket-user", user)
        cosigned = cosigned_beside(table.journal)
        with ExitStack() as stack:
            asking = ("witness", "feed", "--socket", socket)
            feed = stack.enter_context(table.running("crisscross-feed", *asking))
            assert feed.stderr is not None
            assert "waiting for `crisscross witness checkpoints`" in feed.stderr.readline()
            with table.running("crisscross", *server):
                soon(lambda: [line.size for line in read_lines(cosigned)] == [9])
            with table.running("crisscross", *server):
                write_journal(table.journal, log.grow(3), [12])
                soon(lambda: [line.size for line in read_lines(cosigned)] == [9, 12], "not after a restart")
            assert feed.poll() is None
    assert cosigned.stat().st_uid == table.user("crisscross")
    assert cosigned.stat().st_mode & 0o777 == 0o600


def test_the_uplink_under_its_own_user_delivers_all_events_over_tls(
    table: Table, tmp_path: Path, night: Path
) -> None:
    house = papers(tmp_path, NAME, "pit-1")
    shutil.copytree(night.parent, table.state, dirs_exist_ok=True)
    for file in table.state.glob("night.db.uplink*"):
        file.unlink()
    table.journal = table.state / night.name
    for source, name in ((house.ca, "ca.pem"), (house.table[0], "table.pem"), (house.table[1], "table.key")):
        shutil.copyfile(source, table.config / name)
    with ExitStack() as stack:
        broker = stack.enter_context(closing(Mosquitto(tmp_path, house, mosquitto([NAME], ["pit-1"]))))
        pit = stack.enter_context(closing(Pit(broker.port, tls=house.of_pit())))
        pit.open()
        names = {"ca": "ca.pem", "certificate": "table.pem", "key": "table.key"}
        at = {"broker": f"mqtts://localhost:{broker.port}", "pits": [{"name": "pit-1"}]}
        file = table.configure(uplink={**at, **names, "events_a_second": 5000})
        stack.callback(os.close, lock(table.journal))
        table.give()
        socket, user = table.socket("crisscross-uplink"), str(table.user("crisscross-uplink"))
        command = ("uplink", "tell", "--config", file, "--socket", socket, "--socket-user", user)
        uplink = stack.enter_context(ExitStack())
        uplink.enter_context(table.running("crisscross-uplink", "uplink", "serve", "--socket", socket))
        with table.running("crisscross", *command):
            soon(lambda: bool(pit.states) and pit.states[-1].state == "here")
            soon(lambda: 0 < pit.states[-1].sequence == len(pit.events))
            soon(lambda: bool(pit.felts))
            stream, kept = pit.states[0].stream, cursor.cursor_path(table.journal)
            soon(lambda: cursor.load_cursor(kept, stream) == {"pit-1": len(pit.events)}, "not acknowledged")
        soon(lambda: pit.states[-1].state == "gone", "the teller has ended, and the pit is not told")
        with table.running("crisscross", *command):
            soon(lambda: pit.states[-1].state == "here", "the teller is back, and the pit is not told")
            uplink.close()
            soon(lambda: pit.states[-1].state == "stopped")
    assert cursor.load_cursor(kept, stream) == {"pit-1": len(pit.events)}
    for path in (kept, outbox_beside(table.journal)):
        assert path.stat().st_uid == table.user("crisscross")


def test_the_pages_under_their_own_user_show_the_table_of_another_user(table: Table) -> None:
    """The pages answer requests, touches reach the journal, and the rounds can be read."""
    with socket_.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    file = table.configure(display={"port": port, "user": "root"}, people=None, floorpersons=["B1"])
    table.give()
    at, user = table.socket("crisscross-pages"), str(table.user("crisscross-pages"))
    daemon = ("run", "--mock", "--config", file, "--pages", at, "--pages-user", user)
    with table.running("crisscross-pages", "pages", at) as pages:
        with table.running("crisscross", *daemon):
            soon(lambda: answer(port, "/api/view")[0] == 200)
            view = json.loads(answer(port, "/api/view")[1])
            assert view["table"] == NAME
            sign_on = {"do": "sign_on", "number": "D7", "about": view["about"]["dealer"]}
            assert answer(port, "/api/touch", sign_on)[0] == 200
            assert json.loads(answer(port, "/api/view")[1])["dealer"] == "D7"
            assert answer(port, "/")[0] == 200
            assert answer(port, "/api/rounds")[0] == 200
        pages.wait(20)
    assert table.journal.stat().st_uid == table.user("crisscross")
    assert table.journal.stat().st_mode & 0o777 == 0o600


def answer(port: int, path: str, body: dict[str, str] | None = None) -> tuple[int, str]:
    """Return status and text of a response, or status 0 while no process listens at the port."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=20) as found:  # noqa: S310  # this machine's
            return found.status, found.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:
        return 0, ""


def test_each_networked_unit_has_its_own_user_and_no_writable_path() -> None:
    units = {path.name: directives(path) for path in SYSTEMD.glob("crisscross*.service")}
    found = {name: unit["User"][0] for name, unit in units.items() if unit["User"][0] in NETWORKED}
    assert found == {
        "crisscross-pages.service": "crisscross-pages",
        "crisscross-uplink.service": "crisscross-uplink",
        "crisscross-witness-feed.service": "crisscross-feed",
    }
    for unit in (units[name] for name in found):
        assert unit["Group"] == unit["User"]
        assert unit["InaccessiblePaths"] == ["-/var/lib/crisscross -/etc/crisscross"]
        assert not unit.keys() & {"ReadWritePaths", "StateDirectory", "SupplementaryGroups", "LoadCredential"}
        assert "/etc/crisscross" not in unit["ExecStart"][0]


def test_no_unit_of_the_table_s_user_has_a_network() -> None:
    for path in SYSTEMD.glob("crisscross*.service"):
        unit = directives(path)
        if unit["User"] == ["crisscross"]:
            assert unit["PrivateNetwork"] == ["yes"], path.name
            assert unit["RestrictAddressFamilies"] == ["AF_UNIX"], path.name
            assert (unit["IPAddressDeny"], "IPAddressAllow" in unit) == (["any"], False), path.name


def test_a_python_that_other_users_may_run_is_installed() -> None:
    assert PYTHON
