"""The table file, the pin map, the register of chips and the people.

- `chip_register`: The chip register's file: a CSV with the columns ``uid,cents,currency,status``.
- `config`: The table file: read whole, checked whole, every mistake at once with its line.
- `people/`: People and their permissions: their file, PINs, `crisscross people`.
- `pin_map`: The pin map's file (`hardware/pins.yaml`) as the data that the drivers are handed.
- `schema`: The keys of a table file, what each allows, and every default, in one place.
"""
