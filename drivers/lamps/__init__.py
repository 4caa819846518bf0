"""The chain of lamps.

- `chain`: The lamps of the circles on a chain of 74HC595.
- `dimming`: Output enable of the lamp chain, with a duty cycle: one brightness for all lamps.
- `off`: Darkens the lamps after the program has ended or crashed, kill -9 included: for systemd's
  ExecStopPost.
- `pattern`: The lit bits of the chain at a given time, as the lamps blink in their rhythms: pure, for the
  entire table at once.
- `readback`: Detection of a broken lamp wire (noticed through the chain's read-back): the frame that MISO
  returns is compared with the previous frame.
- `shift_registers`: The chain of 74HC595 as a gpiozero SPI device: words out, all outputs change at once.
- `sim/`: The simulated chain of lamps.
"""
