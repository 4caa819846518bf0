"""The pin map and the pin back end of gpiozero.

- `back_end`: The error of a lost pin back end, shared by all back ends and by the code that drives pins.
- `factory`: Opens the back end (library) of the GPIO pins that the config names: lgpio, rpigpio, mock or sim.
- `header_chip`: Finds the GPIO chip of the Raspberry Pi's header among /dev/gpiochip*.
- `map`: The pin map: the GPIO pin of each key, and the lamp on each output of the lamp chain.
- `sim/`: The simulated pins of a Raspberry Pi.
"""
