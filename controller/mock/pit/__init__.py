"""`crisscross mock --pit`: a broker, a pit and several mock tables with their uplinks.

- `broker`: Mosquitto on this machine: the path of its program and the settings of one listener.
- `floor`: `crisscross mock --pit`: a broker, a pit and several mock tables with their uplinks, all on this
  machine.
"""
