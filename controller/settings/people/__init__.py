"""People and their permissions: their file, PINs, `crisscross people`.

- `cli`: `crisscross people`: the people of a table, their roles and their PINs.
- `named`: The people that a table file names: read from their file, and who of them may decide.
- `register`: The people of a table: a YAML file that maps what each person types to that person.
"""
