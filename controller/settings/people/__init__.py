"""People and their permissions: their file, PINs, `crisscross people`.

- `cli`: `crisscross people`: the people of a table, their roles and their PINs.
- `pins`: PINs as argon2id hashes (RFC 9106).
- `register`: The people of a table: a YAML file that maps what each person types to that person.
"""
