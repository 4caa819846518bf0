"""Examples for `--help` of each command: a line to type, and its effect. A test parses each of them."""

from __future__ import annotations

from collections.abc import Mapping

TABLE_FILE = "/etc/crisscross/table.yaml"
JOURNAL = "/var/lib/crisscross/journal.db"
PAGES_SOCKET = "/run/crisscross-pages/table.sock"
TELLER = "/run/crisscross-uplink/tell.sock"
CHECKPOINTS = "/run/crisscross-feed/checkpoints.sock"

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("crisscross mock", "a table without hardware; open the address that it prints"),
        (f"crisscross check --config {TABLE_FILE}", "is everything there that the table file names?"),
        ("crisscross rounds list", "what was played"),
    ),
    "run": (
        (f"crisscross run --config {TABLE_FILE} --pages {PAGES_SOCKET}", "as the service does"),
        (f"crisscross run --config {TABLE_FILE}", "with the pages in a child"),
    ),
    "pages": ((f"crisscross pages {PAGES_SOCKET}", "as its service does"),),
    "lamps-off": ((f"crisscross lamps-off --config {TABLE_FILE}", "lamps are lit and no daemon runs"),),
    "check": ((f"crisscross check --config {TABLE_FILE}", "with the daemon stopped: it has the ports"),),
    "mock": (
        ("crisscross mock", "watch a table play"),
        ("crisscross mock --manual --seats 3", "be the dealer"),
        ("crisscross mock --clumsy 0.3 --mischief 0.3", "with errors of dealer and players"),
        ("crisscross mock --rules maryland --seed 7", "other rules, the same cards each time"),
        ("crisscross mock --journal night.db", "kept, for: crisscross rounds list --journal night.db"),
        ("crisscross mock --no-wires --headless --json --rounds 100", "a hundred round records"),
    ),
    "scenario": (
        ("crisscross scenario tests/scenarios/settlement/hands.yaml", "one file, step by step"),
        ("crisscross scenario --no-wires --keep-going tests/scenarios/*/*.yaml", "the whole library"),
    ),
    "practice": (
        ("crisscross practice --trainee Ana", "deal the drills about pushes"),
        ("crisscross practice --trainee Ana --theme irregularities --rounds 12", "twelve rounds"),
        ("crisscross practice --scenario tests/scenarios/settlement/middle.yaml", "a scenario's rounds"),
        ("crisscross practice --list", "every theme"),
    ),
    "simulate shoe": (
        ("crisscross simulate shoe", "on a new pseudo-terminal"),
        ("crisscross simulate shoe --port /dev/ttyUSB0", "at the other end of a cable"),
    ),
    "shoe pair": (
        (f"crisscross shoe pair {TABLE_FILE}", "with the daemon stopped; then compare six digits"),
    ),
    "simulate reader": (
        ("crisscross simulate reader --pty", "then type: lay $25 2"),
        ("crisscross simulate reader --pty --kind feig_mux", "an FEIG reader with a multiplexer"),
        ("crisscross simulate reader --port /dev/ttyUSB1", "at the other end of a cable"),
    ),
    "rounds list": (
        (f"crisscross rounds list --journal {JOURNAL}", "a line a round"),
        ("crisscross rounds list --last 10", "the last ten"),
        ("crisscross rounds list --day 2026-11-22 --irregularity overpaid", "of one day, what was overpaid"),
        ("crisscross rounds list --seat 3 --amount 500", "seat 3 played, and $500 or more was at stake"),
    ),
    "rounds show": (
        ("crisscross rounds show 17", "one round from beginning to end"),
        ("crisscross rounds show 17 --lang es", "the same in Spanish"),
        ("crisscross rounds show 17 --json", "its record"),
    ),
    "rounds export": (
        ("crisscross rounds export > rounds.jsonl", "every record"),
        ("crisscross rounds export --csv --day 2026-11-22 > day.csv", "a row a round, for a spreadsheet"),
    ),
    "rounds prove": (
        (
            f"crisscross rounds prove 17 --journal {JOURNAL} --to 17.tlog-proof",
            "a file that a stranger can verify",
        ),
    ),
    "backup": (
        (f"crisscross backup {JOURNAL} /media/stick/journal.db", "also while the table plays"),
        (f"crisscross backup {JOURNAL} /media/stick/journal.db", "then sync, before the stick is taken out"),
    ),
    "restore": (
        (f"crisscross restore /media/stick/journal.db {JOURNAL}", "with the daemon stopped; nothing is lost"),
    ),
    "archive": ((f"crisscross archive {JOURNAL} --to /srv/archive", "what is older than --days"),),
    "states": (("crisscross states", "every phase and what may happen in it"),),
    "view": (("crisscross view --types > view.d.ts", "for programs that draw the table"),),
    "seal key": ((f"crisscross seal key {JOURNAL}", "the key by which others verify this journal"),),
    "seal hand-over": (
        (f"crisscross seal hand-over {JOURNAL}", "the table signs with a new key from now on"),
    ),
    "rules list": (("crisscross rules list", "every rule pack"),),
    "chips restore": (
        ("crisscross chips restore 04A1B2C3D4E5F6 --register chips.csv", "it was found again"),
    ),
    "people pin": ((f"crisscross people pin F-07 --config {TABLE_FILE}", "asks for a new PIN"),),
    "people withdraw": (
        (f"crisscross people withdraw F-07 --config {TABLE_FILE}", "who no longer works here"),
    ),
    "verify": ((f"crisscross verify {JOURNAL}", "is every event there?"),),
    "par": (
        ("crisscross par pennsylvania", "what the rules are worth to the house"),
        ("crisscross par maryland --html maryland.html", "one page to print"),
        ("crisscross par own.yaml --json", "of a pack or a table file of the house, for machines"),
        ("crisscross par pennsylvania --known middle", "what it is worth to see the middle card first"),
        ("crisscross par pennsylvania --collusion 10", "what five others' cards are worth"),
        ("crisscross par pennsylvania --strategy 'KH QD'", "the best decision for a hole"),
    ),
    "evidence": (
        (f"crisscross evidence {JOURNAL}", "does a seat play as if it knew a card too early?"),
        (f"crisscross evidence {JOURNAL} --seat 4 --json", "every decision of one seat, for machines"),
        (
            f"crisscross evidence {JOURNAL} --cost 500000 --budget 1000 --html evidence.html",
            "a page with the sittings above the house's threshold",
        ),
        (f"crisscross evidence {JOURNAL} --seat 4 --export regulator", "with the proofs of the rounds"),
        (
            f"crisscross evidence {JOURNAL} --listen 127.0.0.1:8095 --people people.yaml",
            "pages for surveillance",
        ),
        (
            (
                f"crisscross evidence {JOURNAL} --listen 127.0.0.1:8095 --people people.yaml"
                " --cost 500000 --budget 1000 --notify notify.yaml"
            ),
            "and a webhook at the threshold",
        ),
        (f"crisscross evidence {JOURNAL} --shoe", "was the shuffle fair?"),
    ),
    "rules show": (("crisscross rules show maryland", "each value with its section"),),
    "rules check": (("crisscross rules check own.yaml", "a pack or a table file of the house"),),
    "rules trace": (("crisscross rules trace pennsylvania", "every section and what shows it"),),
    "journal path": ((f"crisscross journal path --config {TABLE_FILE}", "where the table's journal is"),),
    "journal shortened": (
        ("crisscross journal shortened /var/lib/crisscross/journal.db", "after a disk lost its last rows"),
    ),
    "people add": (
        (f"crisscross people add 4711 F-07 floorperson --config {TABLE_FILE}", "asks for their PIN"),
        (
            f"crisscross people add 812 D-12 dealer --config {TABLE_FILE}",
            "a dealer; asks for their PIN",
        ),
    ),
    "people list": ((f"crisscross people list --config {TABLE_FILE}", "names and roles"),),
    "chips list": (("crisscross chips list --register chips.csv", "how many of each value"),),
    "chips read": (
        ("crisscross chips read --register chips.csv --port /dev/ttyUSB0", "what lies on it"),
        (f"crisscross chips read --config {TABLE_FILE} --circle 3:across", "a reader of the table"),
        (
            "crisscross chips read --register chips.csv --port /dev/ttyUSB0 --module module.sock",
            "is any of them a copy?",
        ),
    ),
    "chips module serve": (
        ("crisscross chips module serve module.sock --house-key house.key", "then: chips read --module"),
    ),
    "chips module new-key": (
        ("crisscross chips module new-key house.key", "prints its check value; keep a copy in a safe"),
    ),
    "chips register": (
        (
            "crisscross chips register 25 --register chips.csv --port /dev/ttyUSB0",
            "$25 chips, batch by batch",
        ),
    ),
    "chips withdraw": (("crisscross chips withdraw 04A1B2C3D4E5F6 --register chips.csv", "a lost chip"),),
    "chips import": (("crisscross chips import delivery.csv --register chips.csv", "all of it or nothing"),),
    "chips export": (("crisscross chips export --register chips.csv > copy.csv", "the whole register"),),
    "chips reconcile": (
        ("crisscross chips reconcile count.csv --register chips.csv", "which chips are missing"),
    ),
    "pit": (
        ("crisscross pit", "a broker on this machine, pages at http://127.0.0.1:8090/"),
        ("crisscross pit --store postgresql://pit@db.example/pit", "kept by a server; password in ~/.pgpass"),
        (
            "crisscross pit --users users.yaml --listen 0.0.0.0:443 --tls-certificate p.pem --tls-key p.key",
            "users sign in from other machines",
        ),
        ("crisscross pit --store pit.db --accept CC-01 0a1b2c3d", "that table has a new journal"),
    ),
    "pit user": (
        ("crisscross pit user ana --role answer --users users.yaml", "asks for a password"),
        ("crisscross pit user ana --remove --users users.yaml", "ends her sessions too"),
    ),
    "pit refold": (
        ("crisscross pit refold --dry-run", "which figures would change"),
        ("crisscross pit refold --rules maryland.yaml", "with the odds of a pack that came later"),
    ),
    "pit notify": (("crisscross pit notify notify.yaml", "which receiver takes a test?"),),
    "pit audit": (("crisscross pit audit --store pit.db > audit.jsonl", "also while the pit runs"),),
    "pit backup": (("crisscross pit backup /media/stick/pit-night.db", "also while the pit runs"),),
    "pit verify": (
        ("crisscross pit verify /media/stick/pit-night.db", "a copy, on any machine"),
        ("crisscross pit verify /srv/pit-archive --against pit.db", "an archive"),
    ),
    "pit downgrade": (("crisscross pit downgrade --store pit.db", "before the former program is started"),),
    "pit restore": (("crisscross pit restore /media/stick/pit-night.db", "with the pit stopped"),),
    "uplink tell": (
        (f"crisscross uplink tell --config {TABLE_FILE} --socket {TELLER}", "as its service does"),
    ),
    "uplink serve": (
        (
            f"crisscross uplink serve --socket {TELLER}",
            "as its service does, which opens no file of the table",
        ),
        (f"crisscross uplink serve --config {TABLE_FILE}", "as the journal's own user"),
    ),
    "uplink sent": ((f"crisscross uplink sent --config {TABLE_FILE} --after 1200", "an event a line"),),
    "uplink acl": (("crisscross uplink acl --table CC-01 --pit pit-1 > acl", "for Mosquitto's acl_file"),),
    "uplink asyncapi": (("crisscross uplink asyncapi > asyncapi.yaml", "for other programs"),),
    "witness new-key": (
        ("crisscross witness new-key surveillance.example/w witness.key", "on the witness's machine, once"),
    ),
    "witness serve": (("crisscross witness serve /etc/crisscross/witness.yaml", "as its service does"),),
    "witness feed": (
        (
            f"crisscross witness feed --socket {CHECKPOINTS}",
            "as its service does, which opens no file of the table",
        ),
        (f"crisscross witness feed {TABLE_FILE}", "as the journal's own user"),
    ),
    "witness checkpoints": (
        (f"crisscross witness checkpoints {TABLE_FILE} --socket {CHECKPOINTS}", "as its service does"),
    ),
}
