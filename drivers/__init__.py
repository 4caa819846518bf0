"""Drivers of the devices; `ports.py` states what the controller asks of each.

- `chips/`: Chip readers by kind: a PN532 on a line of its own, or seven on a seat board; the schedule of
  fields.
- `json_lines`: JSON a line, as sockets between processes of one machine speak it.
- `keys/`: The dealer's keys.
- `lamps/`: The chain of lamps.
- `pins/`: The pin map and the pin back end of gpiozero.
- `ports`: The ports: what the runtime asks of each device, and nothing more.
- `probe`: Probe of serial lines: listen, send one request, listen again.
- `shoe/`: The dealing shoe over serial (drivers/shoe/LINK.md).
"""
