"""The board's pins, as CircuitPython names those of a Raspberry Pi Pico."""

SCK, MOSI, MISO = "GP2", "GP3", "GP4"
LINE_TX, LINE_RX = "GP0", "GP1"
"""RS-485, where USB is not the line."""
READERS = {
    "ante_across": ("GP5", "GP12", "GP19"),
    "ante_down": ("GP6", "GP13", "GP20"),
    "across": ("GP7", "GP14", "GP21"),
    "down": ("GP8", "GP15", "GP22"),
    "middle": ("GP9", "GP16", "GP26"),
    "five_card_bonus": ("GP10", "GP17", "GP27"),
    "six_card_bonus": ("GP11", "GP18", "GP28"),
}
"""Of each circle: chip select, IRQ, RSTPDN."""
