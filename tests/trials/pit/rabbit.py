"""A RabbitMQ cluster of three nodes on this machine, each with its own disk, behind the trial's own network.

It runs in a chroot in a Debian trixie tree that debootstrap makes once. No port is open outside the network's
namespace. A node dies with its disk: data that was not synced is lost, as after a power cut.
"""

from __future__ import annotations

import json
import random
import shutil
import urllib.request
from base64 import b64encode
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from controller.floor.uplink import wire
from tests.repository.house import ROOT
from tests.trials.pit.cutting import Disk, Wire, run
from tests.trials.pit.machine import Part, answers, soon
from tests.trials.pit.plain_client import PlainClient
from tests.trials.system.container import make_root
from tests.uplink.papers import Papers

SERIES, PACKAGE = "trixie", "rabbitmq-server"
TREE = ROOT / "build/rabbitmq" / SERIES
NODES = ("n1", "n2", "n3")
MQTT, MQTT_TLS, MANAGEMENT, DISTRIBUTION = 18_830, 18_840, 15_670, 25_670
"""First node's port of each kind; the other nodes have the following ports."""
UP_S = 300.0
DISK_MIB = 1024
EVENTS = "crisscross.1.*.events"
"""Topic of every table's events, as RabbitMQ writes it."""
ARCHIVE, DRAINED_S = "archive", 15.0
BOX = """
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount --bind "$1" "$0/var/lib/rabbitmq"
mount --bind "$2" "$0/etc/rabbitmq"
exec chroot "$0" /usr/bin/env "${@:3}"
"""
RECIPE = ROOT / "controller/floor/pit/cluster/rabbitmq.sh"
OWN = ("mqtt.listeners", "mqtt.allow_anonymous", "ssl_options.cacertfile", "ssl_options.certfile",
       "ssl_options.keyfile")  # fmt: skip
"""Settings that the trial replaces: nodes share an address, and some clients have no certificate."""
CONFIG = """
loopback_users = none
management.tcp.ip = {host}
management.tcp.port = {management}
mqtt.listeners.tcp.1 = {host}:{mqtt}
mqtt.listeners.ssl.1 = {host}:{tls}
ssl_options.cacertfile = /etc/rabbitmq/ca.pem
ssl_options.certfile = /etc/rabbitmq/broker.pem
ssl_options.keyfile = /etc/rabbitmq/broker.key
log.console = true
log.console.level = warning
log.file = false
"""


def reason() -> str:
    """Return why no cluster can run here, or "" if one can. debootstrap runs once and needs the network."""
    if (TREE / "made").exists():
        return ""
    if shutil.which("debootstrap") is None:
        return "debootstrap missing: apt-get install debootstrap"
    try:
        make_root(SERIES, TREE, PACKAGE)
    except OSError as error:
        return f"no Debian {SERIES} could be made: {error}"
    return ""


class Rabbit:
    """The three nodes. Each client stays with one node, since there is no load balancer."""

    def __init__(self, folder: Path, line: Wire, stack: ExitStack, papers: Papers) -> None:
        self.host, self._wire, self._folder = line.host, line, folder
        self.ports = tuple(MQTT + n for n in range(len(NODES)))
        self.tls_ports = tuple(MQTT_TLS + n for n in range(len(NODES)))
        self._epmd = Part(folder, "epmd", line.inside(["chroot", str(TREE), "/usr/bin/epmd"]))
        stack.callback(self._epmd.kill)
        self.disks = [Disk(folder / name, DISK_MIB) for name in NODES]
        for disk in self.disks:
            stack.callback(disk.remove)
        self._dark: set[int] = set()
        self.nodes = [self._node(n, papers) for n in range(len(NODES))]

    def _node(self, n: int, papers: Papers) -> Part:
        name, at = NODES[n], self._folder / f"{NODES[n]}.etc"
        at.mkdir()
        peers = [f"{peer}@localhost" for peer in NODES]
        run("env", f"RABBITMQ_ETC={at}", "bash", RECIPE, "node", *peers)
        lines = (at / "rabbitmq.conf").read_text().splitlines()
        recipe = "\n".join(line for line in lines if not line.startswith(OWN))
        config = CONFIG.format(host=self.host, mqtt=MQTT + n, tls=MQTT_TLS + n, management=MANAGEMENT + n)
        (at / "rabbitmq.conf").write_text(recipe + config)
        (at / "enabled_plugins").write_text(
            "[rabbitmq_mqtt,rabbitmq_management,rabbitmq_auth_mechanism_ssl]."
        )
        for file, to in (
            (papers.ca, "ca.pem"),
            (papers.broker[0], "broker.pem"),
            (papers.broker[1], "broker.key"),
        ):
            shutil.copy(file, at / to)
        cookie = self.disks[n].at / ".erlang.cookie"
        cookie.write_text("ofthistrialalone")
        cookie.chmod(0o400)
        self.disks[n].sync()
        variables = {
            "HOME": "/var/lib/rabbitmq", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            "RABBITMQ_NODENAME": f"{name}@localhost", "RABBITMQ_DIST_PORT": str(DISTRIBUTION + n),
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1", "RABBITMQ_LOG_BASE": "/var/lib/rabbitmq",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+sbwt none +sbwtdcpu none +sbwtdio none",
        }  # fmt: skip
        box = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-ec", BOX, str(TREE)]
        inside = [f"{key}={value}" for key, value in variables.items()]
        command = [
            *box,
            str(self.disks[n].at),
            str(at),
            "-i",
            *inside,
            "/usr/lib/rabbitmq/bin/rabbitmq-server",
        ]
        return Part(self._folder, name, self._wire.inside(command))

    def start(self) -> None:
        """Start the nodes that are not running, all together, and wait until each accepts clients."""
        if first := self._epmd.process is None:
            self._epmd.start()
        for n, node in enumerate(self.nodes):
            if n in self._dark:
                self.disks[n].back()
                self._dark.discard(n)
            if node.process is None:
                node.start()
        soon(self._up, "the cluster does not come up", UP_S)
        if first:
            self.drained(frozenset())
            for disk in self.disks:
                disk.sync()

    def _up(self) -> bool:
        if not all(answers((self.host, port)) for port in self.ports):
            return False
        try:
            return [each["running"] for each in self.management("nodes")] == [True] * len(NODES)
        except OSError:
            return False

    def kill(self, lots: random.Random) -> None:
        """Kill one node with its disk."""
        self.kill_node(lots.randrange(len(NODES)))

    def kill_node(self, n: int) -> None:
        self.disks[n].cut()
        self._dark.add(n)
        self.nodes[n].kill()

    def kill_all(self) -> None:
        for n, disk in enumerate(self.disks):
            disk.cut()
            self._dark.add(n)
        for node in self.nodes:
            node.kill()

    def stop(self) -> None:
        """Stop by a kill, which is quicker; the data are no longer needed."""
        for node in self.nodes:
            node.kill()

    # ------------------------------------------------------------------ management API

    def management(
        self, path: str, body: dict[str, Any] | None = None, how: str = "GET", node: int = 0
    ) -> Any:
        """Return the answer of a node's management API to a request with the method `how`, as JSON data.
        Raises OSError if it does not answer or refuses."""
        url = f"http://{self.host}:{MANAGEMENT + node}/api/{path}"
        data = None if body is None else json.dumps(body).encode()
        asking = urllib.request.Request(url, data, method=how)
        asking.add_header("Authorization", f"Basic {b64encode(b'guest:guest').decode()}")
        asking.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(asking, timeout=30) as answer:  # noqa: S310
            text = answer.read()
        return json.loads(text) if text else None

    def bind(self, queue: str, kind: str) -> None:
        """Bind a durable queue to all events of all tables. `kind`: quorum or stream."""
        about = {"durable": True, "arguments": {"x-queue-type": kind}}
        self.management(f"queues/%2F/{queue}", about, "PUT")
        self.management(f"bindings/%2F/e/amq.topic/q/{queue}", {"routing_key": EVENTS}, "POST")

    def drained(self, wanted: frozenset[bytes]) -> list[bytes]:
        """Take messages out of the archive until all wanted ones have come or nothing more comes; return
        them. The archive is a kept session, and so a quorum queue with every table's events."""
        with closing(PlainClient((self.host, self.ports[0]), name=ARCHIVE, keeps_s=86_400)) as archive:
            archive.subscribe(wire.topic("+", "events"))
            came: list[bytes] = []
            missing = set(wanted)
            while missing and (message := archive.next(DRAINED_S)) is not None:
                came.append(bytes(message.payload))
                missing.discard(came[-1])
        return came

    def users(self, tables: Sequence[str], pits: Sequence[str]) -> None:
        """Add the users of these certificates, as the guide describes."""
        cookie = "--erlang-cookie ofthistrialalone"
        inside = " ".join(self._wire.inside(["chroot", str(TREE), "/usr/sbin/rabbitmqctl"]))
        ctl = f"RABBITMQCTL={inside} -n {NODES[0]}@localhost {cookie}"
        run("env", ctl, "bash", RECIPE, "users", *tables, "--", *pits)
