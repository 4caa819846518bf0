"""Pins of the board, with CircuitPython's names for a Raspberry Pi Pico."""

SCK, MOSI, MISO = "GP2", "GP3", "GP4"
LINE_TX, LINE_RX = "GP0", "GP1"
"""Pins of RS-485, used if USB is not the line."""
READERS = {
    "ante_across": ("GP5", "GP12", "GP19"),
    "ante_down": ("GP6", "GP13", "GP20"),
    "across": ("GP7", "GP14", "GP21"),
    "down": ("GP8", "GP15", "GP22"),
    "middle": ("GP9", "GP16", "GP26"),
    "five_card_bonus": ("GP10", "GP17", "GP27"),
    "six_card_bonus": ("GP11", "GP18", "GP28"),
}
"""Pins of each circle: chip select, IRQ, RSTPDN."""
