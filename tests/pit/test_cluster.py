"""The recipe of a RabbitMQ cluster (cluster/rabbitmq.sh) makes the documented settings, and gives each user
only its permissions.

`python -m tests.trials.pit cluster` starts three nodes with it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from controller.floor.uplink.acl import mosquitto

SCRIPT = Path(sys.modules["controller.floor"].__path__[0]) / "pit" / "cluster" / "rabbitmq.sh"


def typed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a rabbitmqctl that prints its arguments."""
    settings = {"RABBITMQ_ETC": str(folder), "RABBITMQCTL": "printf %s\\n"}
    command = ["bash", str(SCRIPT), *arguments]
    return subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )


def test_a_node_knows_each_peer_and_accepts_only_certificates(tmp_path: Path) -> None:
    assert typed(tmp_path, "node", "broker-1", "broker-2", "rabbit@broker-3").returncode == 0
    lines = (tmp_path / "rabbitmq.conf").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split(" = ") for line in lines)
    assert len(settings) == len(lines)
    peers = [f"rabbit@broker-{number}" for number in (1, 2, 3)]
    assert [settings[f"cluster_formation.classic_config.nodes.{n}"] for n in (1, 2, 3)] == peers
    assert settings["cluster_partition_handling"] == "pause_minority"
    assert settings["mqtt.listeners.tcp"] == settings["listeners.tcp"] == "none"
    assert settings["ssl_options.fail_if_no_peer_cert"] == settings["mqtt.ssl_cert_login"] == "true"
    assert settings["ssl_options.cacertfile"] == str(tmp_path / "ca.pem")
    assert "rabbitmq_mqtt" in (tmp_path / "enabled_plugins").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", ["CC-01", "north.CC-01"])
def test_permissions_equal_those_of_the_mosquitto_access_list(tmp_path: Path, table: str) -> None:
    printed = typed(tmp_path, "users", table, "--", "pit-1").stdout.splitlines()
    starts = [at for at, line in enumerate(printed) if line == "set_topic_permissions"]
    rights = {
        printed[at + 1]: {"write": re.compile(printed[at + 3]), "read": re.compile(printed[at + 4])}
        for at in starts
    }
    assert rights.keys() == {table, "pit-1"}
    user, checked = "", 0
    for line in filter(None, mosquitto([table], ["pit-1"]).splitlines()):
        what, _, rest = line.partition(" ")
        if what == "user":
            user = rest
            continue
        access, topic = rest.split(" ")
        rabbit = topic.replace("/", ".").replace("+", "CC-09" if user == "pit-1" else "pit-9")
        for right in ("write", "read"):
            if access in (right, "readwrite"):
                assert rights[user][right].search(rabbit), (user, right, rabbit)
                checked += 1
    assert checked > 12
    for who, right, topic in (
        (table, "write", "CC-02.events"), (table, "read", "CC-02.state"),
        (table, "write", "northxCC-01.events"),
        (table, "write", f"{table}.have.pit-1"), (table, "read", f"{table}.events"),
        ("pit-1", "write", "CC-01.events"), ("pit-1", "write", "CC-01.have.pit-2"),
    ):  # fmt: skip
        assert not rights[who][right].search(f"crisscross.1.{topic}"), (who, right, topic)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "allowed: node HOST HOST HOST"),
        (("node", "a", "b"), "three, five or seven hosts"),
        (("node", "a", "b", "c;d"), "c;d is no name of a host"),
        (("users", "a.CC.01"), "a.CC.01: allowed: letters"),
    ],
)
def test_an_invalid_option_is_refused_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = typed(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "") and words in done.stderr
    assert not list(tmp_path.iterdir())
