"""The pin map and the pin back end of gpiozero.

- `back_end`: The error of a pin back end that is gone, shared by every back end and by what drives pins.
- `factory`: Opening the pin back end that the config names: lgpio, rpigpio, mock or sim.
- `map`: The pin map: which key hangs on which pin and which output of the lamp chain lights what.
- `sim/`: The simulated pins of a Raspberry Pi.
"""
