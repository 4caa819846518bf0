"""People and their permissions: their file, PINs, `crisscross people`.

- `cli`: `crisscross people`: who may do what at a table, and their PINs.
- `pins`: PINs as argon2id hashes (RFC 9106).
- `register`: The people of a table: one YAML file, a mapping of what each one types to who they are.
"""
