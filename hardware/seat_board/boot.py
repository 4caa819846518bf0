"""Settings before the firmware runs: one serial line to the Pi, no console, and no writing to the drive
over USB.

Safe mode (RUN to ground in the second after power-up in which the light blinks) skips this file: then the
board is a drive.
"""

import storage
import supervisor
import usb_cdc

supervisor.set_usb_identification("Criss-Cross Table", "Seat board")
usb_cdc.enable(console=False, data=True)
storage.disable_usb_drive()
