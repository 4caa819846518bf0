"""The table file, the pin map, the register of chips and the people.

- `chip_register`: The chip register's file, which lists the value of each chip and whether it is valid or
  withdrawn: a CSV with the columns ``uid,cents,currency,status``.
- `config`: The table file: read and checked completely, with all mistakes reported at once.
- `journal_path`: Reads from the table file the path of its journal, for the package's scripts and units.
- `lamp_pins`: Reads from the table file what `crisscross lamps-off` needs: the pins and the journal's name.
- `people/`: People and their permissions: their file, PINs, `crisscross people`.
- `pin_map`: Reads the pin map's file (`hardware/pins.yaml`) into the data that the drivers take.
- `schema`: The keys that a table file may have, the values that each allows, and their defaults: every key
  and default of the configuration in one place.
"""
