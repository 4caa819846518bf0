"""Uplink of a table to the pit: its public events, in the order of the journal, over MQTT 5.

- `acl`: Access list for a broker, by the names in the certificates (use_identity_as_username).
- `asyncapi`: The AsyncAPI 3 document of the uplink, generated from the forms that validate every payload.
- `cli`: `crisscross uplink`: publishes a table's public events to the pit.
- `consistency`: Consistency rules of events that their form cannot express: fields that must agree.
- `cursor`: Acknowledged events of each pit, stored beside the journal for a restart.
- `journal_follower`: Follows a journal that the daemon writes, and puts its public events into the outbox.
- `kinds`: Forms of the events that a table sends, by which they are made, read and described (asyncapi.yaml).
- `lineage`: History of the journal under an outbox: whether it is the one that was published, and where they
  diverge.
- `metrics`: `/metrics` of a table in OpenMetrics 1.0, for this machine only: figures of the outbox and the
  felt.
- `mqtt_close`: The orderly end of a paho-mqtt client, for the table and for the pit.
- `mqtt_connection`: One connection to a broker, MQTT 5 by paho-mqtt: opened once, used until it is lost,
  never reopened.
- `on_my_way`: A pit's answer "on my way", from the broker to the table's screens, and the table's reply.
- `outbox`: The outbox: a file beside the journal with a table's public events, numbered, until the pits have
  them.
- `outbox_client`: The outbox for the process with a network: a client of the follower's Unix socket
  (`outbox_server.py`).
- `outbox_server`: The outbox over a Unix socket, for the process with a network.
- `presence`: Whether a table plays: its daemon runs, and a follower follows its journal.
- `public_events`: The public events of one journal event, from its replay.
- `publisher`: Publishes the outbox to the broker, as long as it runs.
- `sender`: Schedule of sending: the next events at a limited rate, never far ahead of the acknowledgements.
- `serve`: `crisscross uplink tell` and `serve`: the two processes beside the daemon, set up from a table
  file.
- `snapshot`: The table as the pit shows it: the felt for a spectator, and the facts of the floorperson's
  page.
- `tls`: TLS for the broker, from PEM texts, so that the process with a network need not open the table's
  files.
- `wire`: Payloads between a table and the pit, and their parsers.
"""
