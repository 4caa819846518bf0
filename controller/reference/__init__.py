"""References printed from the code: states, lamps, irregularities, settings, the schema of a view.

- `cli`: `crisscross states` and `crisscross view`: references for developers and auditors, printed from the
  code.
- `states`: Tables of the documents, which come from code: printed from the code that obeys them.
"""
