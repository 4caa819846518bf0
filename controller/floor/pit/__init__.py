"""The pit: stores what many tables publish, once each, and shows it; it never runs on a table.

- `access/`: Access to the pit's pages: users with roles, sessions, and the role that each page needs.
- `app`: The pit's ASGI application: the route of each page and of its data, and errors as answers.
- `archive`: Archive into which old events are moved before retention deletes them: files
  DIR/TABLE/STREAM/FIRST.jsonl.gz.
- `archive_check`: Verification of an archive: each file continues the chain of the one before, and every line
  is unchanged.
- `audit/`: Audit trail of a pit: sign-ins, answers to calls, changes of users and settings, each with its
  user.
- `catch_all`: The only place of the pit that catches every exception: around one message, and around the
  writing thread.
- `chip_copies`: Copies of chips (counterfeit, cloned): one number at two tables in less time than a chip
  needs to be carried there.
- `cli`: `crisscross pit`: one floor of many tables.
- `copies`: Copies of a pit's store: made while it runs, verified, and restored to an empty store of either
  kind.
- `counts`: Counters of a pit since its start, for `/metrics`.
- `database`: Port of the databases for a pit's store: SQLite in a file (sqlite.py), PostgreSQL by URL
  (postgresql.py).
- `expected_win`: The house's expected win (theoretical win, hold) from the wagers of a round, and its
  variance, computed in two ways; both are stored.
- `figure_increments`: Contributions of events to the figures: rounds, wagers and win by wager, errors by
  kind, time by phase.
- `figures`: The pit's figures (win, wagers, rounds an hour, errors) for a period, by table, dealer, shift or
  day, as data and as CSV.
- `floor`: State behind the pit's pages: each table's tile, connection and felt.
- `inbox`: Received messages that wait in the pit's memory for the writing thread, limited by bytes for each
  table and for all of them; the pit drops those beyond.
- `ingest`: Events received in the messages of tables: each is accepted or refused (rejected) completely, and
  acknowledged once it is on the disk.
- `logs`: Log of the pit on stderr: a line of text, or with `--log json` an object on a line for a log
  collector.
- `metrics`: The pit's metrics, exported at `/metrics` for a monitor such as Prometheus.
- `mqtt_subscriber`: The pit's connection to the broker: receives every table's topics and sends the pit's
  acknowledgements.
- `need`: Need of each table: which table on the floor needs a person first, and the reasons to notify about
  it.
- `notify/`: Notifications of a pit by webhook and by mail: a hold, a call, a copied chip, a silent table, a
  fault.
- `on_my_way`: Answers "on my way" of this pit to calls and holds, and the tables' replies.
- `opening`: Opens a pit's store by its address: the path of a file, or a URL of PostgreSQL.
- `pages`: The pages of the pit and their API: the floor, a table, its rounds, the figures, the refusals.
- `postgresql`: A pit's store in PostgreSQL, behind the port of database.py.
- `refold`: Recomputes the figures of a store from its events while the pit runs: `crisscross pit refold`.
- `refusals`: Refusals of a pit (messages of tables that it rejected): counted by table and reason, and
  reported once an hour for each of these.
- `retention`: Retention of a pit's events: how long they are kept, for ever or for a number of days.
- `round_queries`: Rounds of a table from the store: the list, the page of a round, and people's decisions.
- `schema`: Tables of a pit's store by version, the upgrade from an earlier version, and the downgrade by one
  version.
- `serve`: The pit as a service: `crisscross pit`, until SIGTERM or SIGINT.
- `sqlite`: A pit's store in a file of SQLite, behind the port of database.py.
- `store`: Store of a pit: every event of every table once, in order and as received, with the figures.
- `store_cli`: Further commands of `crisscross pit`: `refold`, `backup`, `restore`, `verify`, `downgrade`,
  `audit`, `notify` and `user`.
- `store_writer`: The writing thread of the pit: stores received messages in batches and acknowledges them to
  the tables.
- `streams`: Streams of a table: the current one, the former ones of older journals, and how a person joins a
  new one to them.
- `tile`: State of a table as its events describe it: phase, dealer, irregularities, holds, last rounds.
"""
