"""The dealing shoe over serial (drivers/shoe/LINK.md).

- `codec`: Frames of the shoe link as bytes, with a CRC check sum (drivers/shoe/LINK.md, Frame).
- `commands`: Queue of commands to the shoe at the controller's end, one long command in progress at a time.
- `dialect`: Interface of a dialect towards the serial driver: bytes and time in, bytes and reports out.
- `driver`: Driver of a shoe on a serial port: opened exclusively by pyserial, and opened again when an
  unplugged USB cable is reconnected.
- `forms`: Frame types and the form of their fields (drivers/shoe/LINK.md, the two tables).
- `guard`: Choice of the link's version at the controller's end, against a downgrade to the one without
  encryption, and reports about frames that are not authentic.
- `handshake`: Handshake of version 2 (drivers/shoe/LINK.md, Version 2): a Diffie-Hellman key exchange over
  X25519 with the pattern KK, as the Noise protocol framework names it.
- `keys`: File in which the keys of a pairing are stored: this end's secret key and the other end's public
  key, readable by the daemon's user only.
- `pairing`: Exchange of public keys, confirmed by a person who compares six digits (drivers/shoe/LINK.md,
  Pairing).
- `plain`: Plain dialect: one card per line, `QH` or `10H`, without check sum, number or ACK
  (drivers/shoe/LINK.md).
- `protection`: Wrapping of frames at one end of the shoe link: the only place where versions 1 and 2 differ.
- `sealed`: Version 2 of the link at the controller's end and at the shoe's: handshake and seals behind
  `Protection`.
- `sealing`: Seals of one session's frames in version 2: made (encrypted) when sending, checked when
  receiving.
- `sending`: Heartbeats of the shoe link and the silence after which it is down.
- `session`: Controller's end of the shoe link (drivers/shoe/LINK.md).
- `sim/`: The simulated shoe.
- `trace`: The last frames in each direction, for the technician; faces are masked on entry.
"""
