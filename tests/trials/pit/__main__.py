"""`python -m tests.trials.pit ACT`: trials of a floor of many tables, a line of JSON for each result.

growth --tables 1,10,50,200 --seconds 30 --pace 1   lag, events a second, memory, and how fast a backlog goes
capacity --tables 200,1000,10000                    a pit's writer, memory and page with so many tables
whole-pit --tables 50 --pace 10                     processor time of a whole pit for an event from a broker
extrapolate --tables 10,200 --wanted 10000          a pit with many more tables, from floors that run
felts --tables 4 --seconds 300                      felts that tables publish for each of their events
faults --trials 100 --tables 8 --store postgresql   one of six kinds after another, and compares (root)
recovery --away 2 5 20 60                           broker or pit is dead for so many seconds (root)
connections --tables 1000,5000,10000                a broker with the connections of so many tables
outage --seconds 600                                the wire to the broker is out for so long (root)
kills --trials 50 --store postgresql --broker rabbitmq
                                                    tables play with their own daemons; a kill or a cut after
                                                    another, and compares with the journals (root); old_store:
                                                    an old copy of the store is put back; store_network:
                                                    packets between pit and PostgreSQL are lost;
                                                    store_stopped (only by --kind): PostgreSQL stops for a
                                                    minute, or SQLite's lock is held for a minute
histories --times 10 --rounds 500                   tables whose history goes wrong, against their journals;
                                                    with --kills (root) a kill or a cut at each step, beside
                                                    a table that plays without end
upkeep --events 1000000 --store postgresql          refold and backup of a large store while the pit works
cluster --only statements growth faults             three nodes of RabbitMQ 4: checks of statements.py,
                                                    speed, nodes that die (root; makes a Debian trixie, once)

Exit status 1 if an event was lost, doubled or out of order, or a check failed; 77 if this machine cannot run
the trial.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from typing import Any

from controller.floor.pit.database import BATCH_SIZE
from tests.trials.pit import rabbit
from tests.trials.pit.capacity import capacity, whole_pit
from tests.trials.pit.cluster import Queue, statements
from tests.trials.pit.connections import connections
from tests.trials.pit.cutting import reason
from tests.trials.pit.extrapolation import extrapolation
from tests.trials.pit.faults import faults
from tests.trials.pit.felts import felts
from tests.trials.pit.floor import BROKERS, FAULTS, STORE_NETWORK, STORE_STOPPED, STORES, Plan
from tests.trials.pit.growth import growth
from tests.trials.pit.histories import FAULTS as HISTORIES
from tests.trials.pit.histories import OFFLINE, histories
from tests.trials.pit.killed_histories import killed_histories
from tests.trials.pit.kills import KINDS, kills
from tests.trials.pit.upkeep import upkeep

UNTRIED = 77
WRONG = (
    "lost", "doubled", "out_of_order", "backlog_lost", "records_differ", "figures_differ", "tables_differ",
    "streams_differ", "honest_lost", "honest_doubled", "honest_out_of_order",
)  # fmt: skip
PARTS = ("statements", "growth", "faults")
ROOTLESS = (
    "growth", "histories", "capacity", "whole-pit", "extrapolate", "felts", "connections", "upkeep",
)  # fmt: skip
Rows = Iterator[dict[str, Any]]


def _growth(given: argparse.Namespace, broker: str = "mosquitto") -> Rows:
    for count in given.tables.split(","):
        yield growth(Plan(int(count), given.pace, given.store, broker), given.seconds, given.backlog)


def _faults(given: argparse.Namespace) -> Rows:
    plan = Plan(given.tables, given.pace, given.store, a_fleet=2, cuttable=True)
    return faults(plan, given.trials, given.kind or FAULTS, given.seed)


def _outage(given: argparse.Namespace) -> Rows:
    plan = Plan(given.tables, given.pace, given.store, a_fleet=2, cuttable=True)
    return faults(plan, 1, ("network",), 1, (given.seconds, given.seconds))


def _capacity(given: argparse.Namespace) -> Rows:
    return capacity([int(count) for count in given.tables.split(",")], given.events, given.batch)


def _whole_pit(given: argparse.Namespace) -> Rows:
    return whole_pit(given.tables, given.pace, given.seconds)


def _extrapolation(given: argparse.Namespace) -> Rows:
    counts = [int(count) for count in given.tables.split(",")]
    return extrapolation(counts, given.wanted, given.seconds, given.store)


def _felts(given: argparse.Namespace) -> Rows:
    return felts(given.tables, given.seconds, given.speed)


def _connections(given: argparse.Namespace) -> Rows:
    counts = [int(count) for count in given.tables.split(",")]
    return connections(counts, given.broker, given.pace, given.files)


def _recovery(given: argparse.Namespace) -> Rows:
    plan = Plan(given.tables, given.pace, given.store, a_fleet=2, cuttable=True)
    kinds = given.kind or ("broker", "pit")
    for away in given.away:
        for row in faults(plan, given.trials * len(kinds), kinds, given.seed, (away, away)):
            recovered = row["away_s"] + row["settled_s"]
            yield {**row, "recovered_s": recovered, "holds": recovered <= 2 * row["away_s"]}


def _histories(given: argparse.Namespace) -> Rows:
    if given.kills:
        return killed_histories(given.times, given.rounds, given.store, given.broker, given.kind, given.seed)
    return histories(given.times, given.rounds, given.store, given.kind)


def _upkeep(given: argparse.Namespace) -> Rows:
    return upkeep(Plan(given.live, given.pace, given.store), given.tables, given.events)


def _kills(given: argparse.Namespace) -> Rows:
    return kills(given.trials, given.store, given.broker, given.kind, given.seed)


def _cluster(given: argparse.Namespace) -> Rows:
    if "statements" in given.only:
        yield from statements()
    if "growth" in given.only:
        yield from _growth(given, "rabbitmq")
    if "faults" in given.only:
        plan = Plan(8, 20.0, given.store, "rabbitmq", a_fleet=2, cuttable=True)
        yield from faults(plan, given.trials, given.kind or FAULTS, given.seed, also=Queue())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.pit")
    acts = parser.add_subparsers(dest="act", required=True)
    growing, breaking, cutting = (acts.add_parser(act) for act in ("growth", "faults", "outage"))
    filling = acts.add_parser("capacity")
    filling.add_argument("--tables", default="200,1000,10000")
    filling.add_argument("--events", type=int, default=20, help="of each table")
    filling.add_argument("--batch", type=int, default=BATCH_SIZE, help="events of one commit")
    filling.set_defaults(run=_capacity)
    _add_whole_pit(acts.add_parser("whole-pit"))
    extrapolating = acts.add_parser("extrapolate")
    _add_extrapolation(extrapolating)
    _add_felts(acts.add_parser("felts"))
    connecting = acts.add_parser("connections")
    connecting.add_argument("--tables", default="1000,2000,5000,10000")
    connecting.add_argument("--pace", type=float, default=0.05, help="events a second of each table")
    connecting.add_argument("--files", type=int, default=65_536, help="open files that the broker may have")
    connecting.set_defaults(run=_connections)
    recovering = acts.add_parser("recovery")
    recovering.add_argument("--away", type=float, nargs="+", default=[2.0, 5.0, 20.0, 60.0], help="seconds")
    going_wrong = acts.add_parser("histories")
    going_wrong.add_argument("--times", type=int, default=10, help="of each fault")
    going_wrong.add_argument("--rounds", type=int, default=500, help="played offline, once")
    going_wrong.add_argument("--kind", nargs="+", choices=(*HISTORIES, OFFLINE), default=())
    going_wrong.add_argument("--kills", action="store_true", help="a kill or a cut at each step")
    going_wrong.add_argument("--seed", type=int, default=1)
    keeping = acts.add_parser("upkeep")
    keeping.add_argument("--events", type=int, default=1_000_000)
    keeping.add_argument("--tables", type=int, default=20, help="whose events these are")
    keeping.add_argument("--live", type=int, default=8, help="tables that publish meanwhile")
    keeping.add_argument("--pace", type=float, default=5.0, help="events a second of each of them")
    killing = acts.add_parser("kills")
    for each in (killing, connecting, going_wrong):
        each.add_argument("--broker", choices=BROKERS, default="mosquitto")
    clustered = acts.add_parser("cluster")
    for each, tables, backlog in ((growing, "1,10,50,200", 20_000), (clustered, "10,50", 2_000)):
        each.add_argument("--tables", default=tables)
        each.add_argument("--backlog", type=int, default=backlog, help="events told while the pit is dead")
        each.add_argument("--seconds", type=float, default=30.0)
        each.add_argument("--pace", type=float, default=1.0, help="events a second of each table")
    for each, trials, kinds in (
        (breaking, 100, FAULTS), (recovering, 5, FAULTS), (clustered, 24, FAULTS),
        (killing, 50, (*KINDS["rabbitmq"], STORE_NETWORK, STORE_STOPPED)),
    ):  # fmt: skip
        each.add_argument("--trials", type=int, default=trials)
        each.add_argument("--seed", type=int, default=1)
        each.add_argument("--kind", nargs="+", choices=kinds, help="only these, one after another")
    for each, pace in ((breaking, 20.0), (recovering, 1.1), (cutting, 1.1)):
        each.add_argument("--tables", type=int, default=8)
        each.add_argument("--pace", type=float, default=pace)
    cutting.add_argument("--seconds", type=float, default=600.0)
    clustered.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    runs = (_growth, _faults, _recovery, _outage, _cluster, _kills, _histories, _upkeep, _extrapolation)
    stored = (
        growing, breaking, recovering, cutting, clustered, killing, going_wrong, keeping, extrapolating,
    )  # fmt: skip
    for each, run in zip(stored, runs, strict=True):
        each.add_argument("--store", choices=STORES, default="sqlite")
        each.set_defaults(run=run)
    return parser


def _add_whole_pit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pace", type=float, default=10.0, help="events a second of each table")
    parser.add_argument("--seconds", type=float, default=30.0, help="without a page, and with one")
    parser.set_defaults(run=_whole_pit)


def _add_extrapolation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", default="10,200", help="of the floors that run")
    parser.add_argument("--wanted", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each floor")


def _add_felts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--speed", type=int, default=1, help="as a multiple of people's")
    parser.set_defaults(run=_felts)


def _why_not(given: argparse.Namespace) -> str:
    """Return why the trial cannot run on this machine, or "" if it can."""
    if STORE_NETWORK in (getattr(given, "kind", None) or ()) and given.store != "postgresql":
        return f"--kind {STORE_NETWORK}: only a store on another machine has it; add --store postgresql"
    clustered = given.act == "cluster" or getattr(given, "broker", "") == "rabbitmq"
    if given.act == "histories" and clustered and not given.kills:
        return "--broker rabbitmq: only with --kills"
    if given.act in ROOTLESS and not clustered and not getattr(given, "kills", False):
        return ""
    return reason() or (rabbit.reason() if clustered else "")


def main() -> int:
    given = _parser().parse_args()
    # by an exception, so that all cleanup runs
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if why := _why_not(given):
        print(f"pit-trial {given.act}: nothing was tried: {why}", file=sys.stderr)
        return UNTRIED
    wrong = 0
    for row in given.run(given):
        rounded = {key: round(v, 3) if isinstance(v, float) else v for key, v in row.items()}
        print(json.dumps(rounded), flush=True)
        wrong += sum(row.get(key, 0) for key in WRONG) + (not row.get("holds", True))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
