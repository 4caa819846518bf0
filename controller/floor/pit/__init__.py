"""The pit: stores what many tables publish, once each, and shows it; it never runs on a table.

- `cli`: `crisscross pit`: one floor of many tables.
- `contained`: The one place that catches every exception: around one message, and around the thread that
  writes.
- `database`: The two databases that a pit may keep its store in, behind one port: SQLite in a file,
  PostgreSQL by URL.
- `expected_win`: Expectation of the house from the wagers of a round, and the spread of luck: two answers,
  both kept.
- `figure_increments`: Contributions of events to the figures: rounds, wagers and win by wager, errors by
  kind, time by phase.
- `figures`: The pit's figures: of a period, by table, dealer, shift or day, as data and as CSV.
- `floor`: State behind the pages: each table's tile, its connection, its felt.
- `ingest`: Events from the wire, taken whole or refused whole, and acknowledged once they are on the disk.
- `metrics`: The pit in numbers for a monitor: OpenMetrics 1.0 text at `/metrics`.
- `mqtt_subscriber`: The line to the broker: every table's topics in, "have up to N" out.
- `on_my_way`: The answers "on my way" of this pit to calls and holds: what was sent, and what the table
  answered.
- `pages`: The pages of the pit and their API: the floor, a table, its rounds, the figures, what was refused.
- `refusals`: Refusals of a pit: counted by table and reason, and reported once an hour for each of these.
- `retention`: Retention of events at a pit: for ever, or so many days; the figures that they added up to
  stay.
- `round_queries`: Rounds of a table out of the store: a line each, one of them told whole, and what was
  decided by whom.
- `schema`: Tables of a pit's store, by version, and the upgrade of a store that an earlier version wrote.
- `serve`: The pit as a service: `crisscross pit`, until SIGTERM or SIGINT.
- `store`: Store of a pit: every event of every table once, in order and as it came, and what follows from
  them.
- `store_writer`: The thread that writes: takes what the line heard, batch by batch, and has the tables
  answered.
- `streams`: Streams of a table: the current one, its former ones, and how a person joins them.
- `tile`: A table as its events have it: phase, dealer, what stands wrong, when it is held, its last rounds.
"""
