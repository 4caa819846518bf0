"""People and their permissions: their file, PINs, `crisscross people`.

- `cli`: `crisscross people`: the people of a table, their roles and their PINs.
- `named`: The people that a table file names: read from their file, with a check of the floorpersons.
- `register`: The people of a table: a YAML file that maps the badge or number that each person types to that
  person.
"""
