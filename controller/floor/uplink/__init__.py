"""Uplink of a table to the pit: its public events, in the order of the journal, over MQTT 5.

- `acl`: Access list (ACL) for an MQTT broker: the topics that the holder of each certificate may publish and
  read (use_identity_as_username).
- `asyncapi`: The AsyncAPI 3 document of the uplink, generated from the forms that validate every payload.
- `chip_times`: Times (seen since, left at) of the chips in a table's circles: since when each is there, and
  when it left.
- `cli`: `crisscross uplink`: publishes a table's public events to the pit.
- `consistency`: Consistency rules of events that their form cannot express: fields that must agree and not
  contradict each other.
- `cursor`: Acknowledged events of each pit, stored beside the journal for a restart.
- `journal_follower`: Follows a journal that the daemon writes, and adds its public events to the outbox.
- `kinds`: Forms (schema) of the events that a table publishes: the fields that each event must have.
- `limit`: Limit of a pit (flow control): bytes of a table's events that may be sent before the pit has
  acknowledged them.
- `lineage`: Compares the journal with an outbox (public events) made from it: whether the published history
  is the journal's, and where they diverge.
- `metrics`: `/metrics` of a table, for this machine only: figures of the outbox and the felt.
- `mqtt_client`: MQTT 5 client of one broker, by paho-mqtt: the only module that opens a connection to a
  broker.
- `mqtt_connection`: The uplink's connection to a broker: opened once, used until it is lost, never reopened.
- `on_my_way`: A pit's answer "on my way", from the broker to the table's screens, and the table's reply.
- `outbox`: The outbox: the events that a table keeps for the pits, in a file beside the journal.
- `outbox_client`: The outbox for the process with a network: a client of the follower's Unix socket
  (`outbox_server.py`).
- `outbox_server`: The outbox over a Unix socket, for the process with a network.
- `presence`: Presence of a table, which is shown as online or gone: whether its daemon runs and a follower
  reads its journal.
- `previous`: Root of the stream's tree before an event: the MQTT 5 user property `previous` of the event, in
  base64.
- `public_events`: The public events of one journal event, from its replay: nothing else of what happens in
  the game leaves the table for a pit.
- `publisher`: Publishes the events of the outbox to the broker until it is stopped, and reconnects after a
  loss of the connection.
- `sender`: Schedule of an uplink: when events are sent, and when lost or unacknowledged ones are sent again
  to the pit.
- `serve`: `crisscross uplink tell` and `serve`: the two processes beside the daemon, set up from a table
  file.
- `snapshot`: State of the table that is published for the pit: the felt as spectators see it, and the data of
  the floorperson's page.
- `stream_names`: Names of streams: the journal whose events a stream contains, and the row after which it
  begins.
- `tls`: TLS (certificates) for the connection to the broker, from PEM texts, so that the process with a
  network need not open the table's files.
- `wire`: Payloads between a table and the pit, with parsers, and the age at which a table is shown as silent.
"""
