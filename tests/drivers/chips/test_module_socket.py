"""A secure module behind a socket gives the same verdicts as without one, and no fault of the connection
becomes a verdict.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.chips.module_socket import SocketModule
from drivers.chips.secure_module import ModuleLost
from drivers.chips.sim.module_server import MAX_TICKETS, ModuleServer
from tests.drivers.chips.proving import UID, house_chip, house_module, over
from tests.drivers.chips.test_proof_over_feig import CHEAP, CIRCLE, table
from tests.drivers.chips.test_proof_over_feig import UID as VICINITY_UID
from tests.drivers.chips.test_proof_over_feig import house_chip as vicinity_chip

pytestmark = pytest.mark.serial


@pytest.fixture
def served(tmp_path: Path) -> Iterator[SocketModule]:
    server = ModuleServer(tmp_path / "module", house_module())
    server.start()
    module = SocketModule(tmp_path / "module", timeout_s=2.0)
    yield module
    module.close()
    server.stop()


def test_chips_prove_themselves_to_a_remote_module(served: SocketModule) -> None:
    other = "04000000000001"
    with over({UID: house_chip(), other: house_chip(UID)}) as (_, reader):
        for _ in range(3):
            assert reader.prove(UID, served).verdict == "proven"
            assert reader.prove(other, served).verdict == "false"
    assert served.why == ""


def test_a_remote_module_gives_a_new_challenge_for_each_proof_by_tam1(served: SocketModule) -> None:
    chip = table({VICINITY_UID: vicinity_chip(VICINITY_UID)}).readers[CIRCLE]
    copy = table({VICINITY_UID: vicinity_chip(CHEAP)}).readers[CIRCLE]
    for _ in range(3):
        assert chip.prove(VICINITY_UID, served).verdict == "proven"
        assert copy.prove(VICINITY_UID, served).verdict == "false"
    assert len({served.begin(VICINITY_UID).message for _ in range(20)}) == 20
    assert served.why == ""


def test_a_question_for_the_other_method_is_no_verdict(served: SocketModule) -> None:
    with pytest.raises(ModuleLost):
        served.respond(VICINITY_UID, bytes(16))
    with pytest.raises(ModuleLost):
        served.begin(UID)
    assert len(served.begin(VICINITY_UID).message) == 10


@pytest.mark.parametrize("uid", ["04A1B2C3", "04A1B2C3D4E5F6A7B8C9"])
def test_a_chip_with_a_uid_of_another_length_is_false_and_stops_no_other(
    served: SocketModule, uid: str
) -> None:
    with over({uid: house_chip(), UID: house_chip()}) as (_, reader):
        assert reader.prove(uid, served).verdict == "false"
        assert served.why == ""
        assert reader.prove(UID, served).verdict == "proven"


def test_many_threads_can_use_one_module(served: SocketModule) -> None:
    verdicts: list[bool] = []

    def ask() -> None:
        for _ in range(20):
            ticket = served.respond(UID, bytes(16)).ticket
            verdicts.append(served.verify(ticket, bytes(32)))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == [False] * 120


def test_a_ticket_of_another_connection_is_no_verdict_and_stays_open(tmp_path: Path) -> None:
    """Two tables share a module. Neither table can use the other's tickets or push them out."""
    server = ModuleServer(tmp_path / "module", house_module())
    server.start()
    one, other = (SocketModule(tmp_path / "module", timeout_s=2.0) for _ in range(2))
    chip = vicinity_chip(VICINITY_UID)
    begun = one.begin(VICINITY_UID)
    with pytest.raises(ModuleLost):
        other.verify(begun.ticket, bytes(16))
    for _ in range(MAX_TICKETS + 1):
        other.begin(VICINITY_UID)
    answer = chip.authenticate(bytes(3) + begun.message[::-1])
    assert one.verify(begun.ticket, answer.data[2:][::-1])
    with pytest.raises(ModuleLost):
        one.verify(begun.ticket, bytes(16))
    for module in (one, other):
        module.close()
    server.stop()


def test_the_oldest_ticket_of_a_connection_is_closed_without_a_verdict(served: SocketModule) -> None:
    oldest = served.begin(VICINITY_UID).ticket
    for _ in range(MAX_TICKETS):
        served.begin(VICINITY_UID)
    with pytest.raises(ModuleLost):
        served.verify(oldest, bytes(16))


def test_a_ticket_of_an_earlier_connection_does_not_end_the_present_one(served: SocketModule) -> None:
    old = served.begin(VICINITY_UID).ticket
    with pytest.raises(ModuleLost):
        served.begin(UID)  # the module hangs up
    new = served.begin(VICINITY_UID).ticket
    with pytest.raises(ModuleLost):
        served.verify(old, bytes(16))
    assert served.verify(new, bytes(16)) is False


def test_six_seats_at_a_module_that_hangs_wait_for_one_answer(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "module"))
        listener.listen()
        module = SocketModule(tmp_path / "module", timeout_s=1.0)
        lost: list[str] = []

        def ask() -> None:
            with pytest.raises(ModuleLost) as error:
                module.begin(VICINITY_UID)
            lost.append(str(error.value))

        seats = [threading.Thread(target=ask) for _ in range(6)]
        began = time.monotonic()
        for seat in seats:
            seat.start()
        for seat in seats:
            seat.join()
        assert len(lost) == 6 and time.monotonic() - began < 4.0
    module.close()


def test_without_a_module_there_is_no_verdict_until_one_is_started(tmp_path: Path) -> None:
    module = SocketModule(tmp_path / "module", timeout_s=2.0)
    with pytest.raises(ModuleLost):
        module.respond(UID, bytes(16))
    assert module.why
    server = ModuleServer(tmp_path / "module", house_module())
    server.start()
    assert len(module.respond(UID, bytes(16)).message) == 32
    assert not module.why
    server.stop()
    with pytest.raises(ModuleLost):
        module.verify(1, bytes(32))
    module.close()


def test_an_invalid_request_closes_only_its_own_connection(tmp_path: Path) -> None:
    server = ModuleServer(tmp_path / "module", house_module())
    server.start()
    for line in (b"{}\n", b"not json\n", b"[]\n", b'{"uid": "0", "challenge": "00"}\n', b"x" * 900):
        with socket.socket(socket.AF_UNIX) as invalid:
            invalid.connect(str(tmp_path / "module"))
            invalid.sendall(line)
            try:
                received = invalid.recv(100)
            except ConnectionResetError:
                received = b""
            assert received == b""
    module = SocketModule(tmp_path / "module", timeout_s=2.0)
    assert module.respond(UID, bytes(16)).ticket
    module.close()
    server.stop()


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\n", b"null\n", b"[]\n", b"{}\n", b'{"ticket": 1}\n', b'{"ticket": 1, "message": "00"}\n',
        b'{"ticket": "1", "message": "' + b"00" * 32 + b'"}\n',
        b'{"ticket": 1, "message": "' + b"zz" * 32 + b'"}\n', b'{"proven": 1}\n', b'{"proven": "true"}\n',
        b"x" * 500,
    ],
)  # fmt: skip
def test_an_invalid_answer_of_the_module_is_not_a_verdict(tmp_path: Path, answer: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "module"))
        listener.listen()
        listener.settimeout(5.0)

        def serve() -> None:
            for _ in range(3):
                connection, _ = listener.accept()
                connection.recv(400)
                connection.sendall(answer)
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        module = SocketModule(tmp_path / "module", timeout_s=2.0)
        with pytest.raises(ModuleLost):
            module.respond(UID, bytes(16))
        module.close()
        with pytest.raises(ModuleLost):
            module.begin(VICINITY_UID)
        module.close()
        with pytest.raises(ModuleLost):
            module.verify(1, bytes(32))
        module.close()
        thread.join()
