"""The dealing shoe over serial (drivers/shoe/LINK.md).

- `codec`: The frames of the shoe link as bytes (drivers/shoe/LINK.md, Frame).
- `commands`: The commands that wait for their turn at the controller's end.
- `dialect`: Interface of a dialect towards the serial driver: bytes and time in, bytes and reports out.
- `driver`: The shoe on a serial port: pyserial, opened exclusively, reopened when it comes back.
- `forms`: Which frames there are, and what their fields may hold (drivers/shoe/LINK.md, the two tables).
- `guard`: Which version the controller's end speaks, and what is told of frames that are not believed.
- `handshake`: The handshake of version 2 (drivers/shoe/LINK.md, Version 2): a KK pattern over X25519.
- `keys`: The file of a pairing: this end's secret key and the other's public one, for whoever runs the table
  alone.
- `pairing`: Two ends learn each other's keys, and a person compares six digits (drivers/shoe/LINK.md,
  Pairing).
- `plain`: The plain dialect: one card a line, `QH` or `10H`, no check, no number, no ACK
  (drivers/shoe/LINK.md).
- `protection`: Wrapping of the frames at an end of the shoe link: the one place where versions 1 and 2
  differ.
- `sealed`: Version 2 of the link at the controller's end and at the shoe's: handshake and seals behind
  `Protection`.
- `sealing`: One session's frames under version 2: sealed on their way out, opened on their way in.
- `sending`: One end's numbered frames: one on the wire at a time, the same bytes again, five sendings.
- `session`: The controller's end of the shoe link (drivers/shoe/LINK.md).
- `sim/`: The simulated shoe.
- `trace`: The last frames each way, for the technician, with every face masked when it is written down.
"""
