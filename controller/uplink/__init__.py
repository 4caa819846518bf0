"""What a table tells the pit: its public events, in the order of the journal, over MQTT 5."""
