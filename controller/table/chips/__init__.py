"""The register of chips at a desk: batches read by one reader, counts compared with it.

- `antenna`: One chip reader at a desk, for a person: returns the chips on it once two readings agree.
- `cli`: `crisscross chips`: maintains the register of chips at a desk with one reader.
- `count`: Counts of chips (a stock-taking of the house): reads one from a file, and reports the comparison
  with the register as text.
- `stock`: The house's register of chips and the operations on it (add, withdraw, restore, compare with a
  count), each checked before it changes anything.
"""
