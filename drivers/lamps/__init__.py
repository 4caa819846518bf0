"""The chain of lamps.

- `chain`: The lamps of the circles on a chain of 74HC595.
- `dimming`: Output enable of the lamp chain, with a duty cycle: one brightness for all lamps.
- `off`: Darkens the lamps of a table whose daemon is gone: for systemd's ExecStopPost, kill -9 included.
- `pattern`: Which bits of the chain are lit at an instant: pure, for the whole table at once.
- `readback`: Compare the frame that MISO returns with the frame that was shifted into the lamp chain before
  it.
- `shift_registers`: The chain of 74HC595 as a gpiozero SPI device: words out, the outputs change all at once.
- `sim/`: The simulated chain of lamps.
"""
