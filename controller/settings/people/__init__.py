"""People and their permissions: their file, PINs, `crisscross people`.

- `cli`: `crisscross people`: adds and withdraws the people of a table, and changes their roles and PINs, such
  as a forgotten one.
- `named`: The people that a table file names: read from their file, with a check of the floorpersons.
- `register`: The people of a table: a YAML file that maps the badge or number that each person types to that
  person.
"""
