"""Without users, the pit's pages answer only this machine, under its own names, and no request changes the
store.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import subprocess
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from controller.cli import main
from controller.floor.pit import cli, serve
from controller.floor.pit.access.options import NO_USER
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.serve import PitOptions
from controller.floor.pit.store import Store, accept
from controller.floor.pit.streams import joins_of
from controller.floor.uplink.stream_names import stream_of
from tests.pit.published_tables import Table, played
from tests.pit.served import Served
from tests.repository.house import ROOT


def get_page(served: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, str, str]:
    """Return (status, content type, body)."""
    line = HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.request(method, path, headers={"host": f"127.0.0.1:{served.port}", **headers})
    answer = line.getresponse()
    found = answer.status, answer.getheader("content-type", ""), answer.read().decode()
    line.close()
    return found


ROUTES = ("/", "/figures", "/refused", "/metrics", "/api/figures", "/figures.csv", "/tables/CC-01/floor")


@pytest.mark.parametrize("path", ROUTES)
def test_any_request_by_another_name_is_refused(served: Served, path: str) -> None:
    served.receive(played())
    assert get_page(served, path)[0] == 200
    status, _, body = get_page(served, path, host="pit.example")
    assert (status, json.loads(body)["error"]) == (421, "host: one of 127.0.0.1 [::1] localhost")


@pytest.mark.parametrize(
    "path", [*ROUTES, "/static/pit/floor.js", "/static/pit/pit.css", "/static/fonts/inter.woff2"]
)
def test_the_pages_work_behind_a_tls_proxy(served: Served, path: str) -> None:
    """The browser requests scripts and fonts with the page's origin; the proxy ends TLS."""
    served.receive(played())
    line = HTTPConnection("127.0.0.1", served.port, timeout=10)
    for origin, status in (
        (f"https://127.0.0.1:{served.port}", 200), (f"http://127.0.0.1:{served.port}", 200),
        ("https://pit.example", 403), (f"ftp://127.0.0.1:{served.port}", 403), ("null", 403),
    ):  # fmt: skip
        line.request("GET", path, headers={"host": f"127.0.0.1:{served.port}", "origin": origin})
        answer = line.getresponse()
        answer.read()
        assert answer.status == status, origin
    line.close()


def test_pushed_events_are_not_buffered_by_a_proxy(served: Served) -> None:
    served.receive(played())
    line = HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.request("GET", "/api/live", headers={"host": f"127.0.0.1:{served.port}"})
    answer = line.getresponse()
    assert (answer.status, answer.getheader("x-accel-buffering")) == (200, "no")
    line.close()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_no_route_accepts_data(served: Served, method: str) -> None:
    served.receive(played())
    for path in ROUTES:
        assert get_page(served, path, method)[0] in (404, 405)


def test_the_first_commands_of_the_page_start_a_pit() -> None:
    """The package index does not have the program, so a former first command, `pip install` by its name,
    failed."""
    page = (ROOT / "controller/floor/pit/PIT.md").read_text(encoding="utf-8")
    commands = next(line.strip() for line in page.split("\n\n") if line.startswith("    ")).splitlines()
    assert [line.strip() for line in commands] == ["make pit", "crisscross pit"]
    dry = subprocess.run(
        ["make", "-n", "--no-print-directory", "pit", "ARGS=--zone UTC"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert dry.stdout.splitlines()[-1].endswith("crisscross pit --zone UTC")
    assert "crisscross-table[pit]" not in page


def test_by_default_it_listens_only_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[PitOptions] = []
    monkeypatch.setattr(serve, "serve", given.append)
    assert main(["pit"]) == cli.DONE
    (options,) = given
    assert (options.host, options.port, options.names) == ("127.0.0.1", 8090, ())


def test_its_first_line_states_that_it_has_no_users(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def return_at_once(_floor: object) -> None:
        """Stand in for the wait for a signal, and return at once."""

    monkeypatch.setattr(serve, "_until_signal", return_at_once)
    with caplog.at_level(logging.INFO, "crisscross.pit"):
        store = str(tmp_path / "pit.db")
        assert (
            main(["pit", "--listen", "127.0.0.1:0", "--store", store, "--broker", "mqtt://127.0.0.1:1"]) == 0
        )
    (line,) = [line for line in caplog.messages if "pages at" in line]
    assert NO_USER in line
    assert "--users FILE" in NO_USER


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.7", "pit.example"])  # noqa: S104  # refused
def test_without_users_no_other_machine_is_served(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pit", "--listen", f"{host}:0"]) == 2
    line = capsys.readouterr().err
    assert "is open to other machines; add --users FILE" in line and line.count("\n") == 1


def test_an_occupied_address_is_reported_in_one_line(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listen = f"127.0.0.1:{served.port}"
    assert main(["pit", "--listen", listen, "--store", str(tmp_path / "other.db")]) == cli.FAILED
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"--listen: 127.0.0.1 port {served.port}: ")
    assert message.endswith("; set another port, or end what holds it")


def test_the_csv_has_the_data_of_the_page(served: Served) -> None:
    served.receive(played())
    for by in ("table", "dealer", "shift", "day"):
        for period in ("shift", "day", "month", "year"):
            status, kind, text = get_page(served, f"/figures.csv?period={period}&by={by}")
            assert (status, kind.partition(";")[0]) == (200, "text/csv")
            (row,) = [row for row in csv.DictReader(io.StringIO(text)) if row["rounds"] == "1"]
            page = json.loads(get_page(served, f"/api/figures?period={period}&by={by}")[2])
            (shown,) = [each for each in page["rows"] if each["rounds"]]
            assert (row[by], int(row["win_cents"]), int(row["wagered_cents"])) == (
                shown["key"], shown["win"], shown["wagered"],
            )  # fmt: skip
            assert int(row["win_cents_middle"]) == shown["wagers"]["middle"]["win"]


@pytest.mark.parametrize("path", ["/api/figures", "/figures.csv"])
@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("period=week", "Not understood: Period: one of shift, day, month, year"),
        ("period=week&lang=es", "No se entiende: Período: uno de shift, day, month, year"),
        ("by=wager", "Not understood: Grouped: one of table, dealer, shift, day"),
        ("by=wager&lang=es", "No se entiende: Agrupado: uno de table, dealer, shift, day"),
    ],
)
def test_a_wrong_period_or_grouping_is_explained_in_the_language_of_the_page(
    served: Served, path: str, query: str, words: str
) -> None:
    status, _, body = get_page(served, f"{path}?{query}")
    assert (status, json.loads(body)["error"]) == (400, words)


def test_a_round_address_without_a_journal_offers_a_choice_if_two_have_it(served: Served) -> None:
    one, other = played(), Table(stream="ffff0000")
    other.play(dealer="0088")
    other.play(dealer="0088")
    served.receive(one)
    served.intake.take([Payload(other.name, other.payloads[0])])
    accept(served.database, "CC-01", other.stream, "2026-11-22T21:00:00.000Z", "Ana", "reinstalled")
    served.intake.take([Payload(other.name, payload) for payload in other.payloads])
    status, _, body = get_page(served, "/tables/CC-01/api/rounds/1")
    assert status == 300
    assert [each["stream"] for each in json.loads(body)["choices"]] == [other.stream, one.stream]
    assert "static/pit/choice.js" in get_page(served, "/tables/CC-01/rounds/1")[2]
    for stream, dealer in ((one.stream, "0077"), (other.stream, "0088")):
        status, _, body = get_page(served, f"/tables/CC-01/api/rounds/1?stream={stream}")
        assert status == 200 and dealer in body
        status, _, body = get_page(served, f"/tables/CC-01/rounds.csv?stream={stream}")
        assert {line["stream"] for line in csv.DictReader(io.StringIO(body))} == {stream}
    assert get_page(served, "/tables/CC-01/api/rounds/2")[0] == 200, "one journal has it"
    status, _, body = get_page(served, "/tables/CC-01/api/rounds/1?stream=00000000")
    assert (status, json.loads(body)["error"]) == (
        400,
        "Not understood: Journal: one of this table's journals",
    )
    status, _, body = get_page(served, "/tables/CC-01/api/rounds?seat=9&lang=es")
    assert (status, json.loads(body)["error"]) == (400, "No se entiende: Puesto: de 1 a 6")


def test_a_table_address_redirects_to_its_page(served: Served) -> None:
    served.receive(played())
    line = HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.request("GET", "/tables/CC-01?lang=es", headers={"host": f"127.0.0.1:{served.port}"})
    answer = line.getresponse()
    answer.read()
    assert (answer.status, answer.getheader("location")) == (307, "/tables/CC-01/floor?lang=es")
    line.close()
    assert get_page(served, "/tables/CC-09")[0] == 404


def test_a_join_within_one_journal_needs_a_reason_and_stores_user_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, table = str(tmp_path / "pit.db"), Table(stream="ab" * 16)
    table.play()
    with closing(Store(open_database(place, writing=True))) as store:
        Intake(store, "UTC", table.utc, {}).take([Payload("CC-01", each) for each in table.payloads])
    new = stream_of(table.stream, bytes(32), 7)
    typed = ["pit", "--store", place, "--accept", "CC-01", new]
    assert main(typed) == 2
    assert "--reason: missing; allowed: why" in capsys.readouterr().err
    assert main([*typed, "--reason", "two\nlines"]) == 2
    assert main([*typed, "--reason", "disk replaced", "--by", "Ana"]) == 0
    with closing(Store(open_database(place, writing=True))) as store:
        assert store.switch_stream("CC-01", new)
        (join,) = joins_of(store._db, "CC-01")
        assert (join.who, join.reason) == ("Ana", "disk replaced")
