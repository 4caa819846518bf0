"""Many tables on one floor: the uplink of each table and the pit that receives them.

- `pit/`: The pit: stores what many tables publish, once each, and shows it; it never runs on a table.
- `uplink/`: Uplink of a table to the pit: its public events, in the order of the journal, over MQTT 5.
"""
