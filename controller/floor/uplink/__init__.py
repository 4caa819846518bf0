"""Uplink of a table to the pit: its public events, in the order of the journal, over MQTT 5."""
