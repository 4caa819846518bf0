"""The register of chips at a desk: batches read by one reader, counts compared with it.

- `antenna`: One reader as a person at a desk uses it: what lies on it now, read until two readings agree.
- `cli`: `crisscross chips`: the register of chips, worked at a desk with one reader.
- `count`: A count of chips: the file it stands in, and its report in words.
- `stock`: The house's chips: what may be done to the register, checked before anything is changed.
"""
