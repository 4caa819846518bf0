"""Drivers of the devices; `ports.py` has the interface of each.

- `chips/`: Chip readers by kind: a PN532 per circle, a seat board with seven PN532, or a FEIG reader per
  seat; the schedule of fields.
- `json_lines`: One JSON object per line, for sockets between processes of one machine.
- `keys/`: The dealer's keys.
- `lamps/`: The chain of lamps.
- `pins/`: The pin map and the pin back end of gpiozero.
- `ports`: The ports: the controller's interface to each device.
- `probe`: Probe of serial lines: listen, send one request, listen again.
- `shoe/`: The dealing shoe over serial (drivers/shoe/LINK.md).
- `uart`: Serial lines of simulated devices: pseudo-terminals, the host's speed, and bytes garbled by a wrong
  speed.
"""
