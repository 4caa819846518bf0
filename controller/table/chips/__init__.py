"""The register of chips at a desk: batches read by one reader, counts compared with it.

- `antenna`: One chip reader for a person at a desk: the chips on it now, read until two readings agree.
- `cli`: `crisscross chips`: maintains the register of chips at a desk with one reader.
- `count`: A count of chips: reads it from a file and reports it in words.
- `stock`: The house's register of chips and the operations on it, each checked before it changes anything.
"""
