"""Uplink of a table to the pit: its public events, in the order of the journal, over MQTT 5.

- `acl`: Access list for a broker.
- `asyncapi`: The AsyncAPI 3 document of the uplink, made of the forms that every payload is checked by.
- `cli`: `crisscross uplink`: what a table tells the pit.
- `consistency`: Rules that the form of an event cannot hold: fields that must agree with each other.
- `cursor`: Acknowledged events of each pit, kept beside the journal over a restart.
- `journal_follower`: The teller: follows a journal that the daemon writes, and puts its public events into
  the outbox.
- `kinds`: Which events a table sends, and what each may hold: the one list, by which events are made, read
  and described (asyncapi.yaml).
- `lineage`: History of the journal under an outbox: whether it is the one that was folded, and where two
  part.
- `metrics`: `/metrics` of a table in OpenMetrics 1.0, for this machine alone: the outbox and the felt in
  figures.
- `mqtt_close`: The orderly end of a client of paho-mqtt, on the table's side and on the pit's.
- `mqtt_connection`: One connection to a broker, MQTT 5 by paho-mqtt: opened once, used until it is lost,
  never mended.
- `on_my_way`: The answer "on my way" of a pit, from the broker to the table's screens and back.
- `outbox`: The outbox: a table's public events, numbered, until the pit has them.
- `outbox_client`: The outbox as the process with a network has it: at the other end of a Unix socket
  (`outbox_server.py`).
- `outbox_server`: The outbox over a Unix socket: what the process with a network asks of the one that has the
  journal.
- `presence`: Whether a table plays: its daemon runs, and a teller follows what it does.
- `public_events`: One event of the journal, handled once more, as the public events that it makes.
- `publisher`: The speaker: sends what the outbox has to the broker, as long as it runs.
- `sender`: Schedule of sending: the next events at a bounded rate, never far ahead of what the pits have.
- `serve`: `crisscross uplink tell` and `serve`: the two processes beside the daemon, made of a table file.
- `snapshot`: The table as the pit shows it: what anybody there sees, and what the floorperson's page says
  beside it.
- `tls`: TLS towards the broker, from PEM texts: the process with a network need not open the table's files.
- `wire`: Payloads between a table and the pit, and how they are read.
"""
