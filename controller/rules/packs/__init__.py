"""Rule packs read from their files, each value with the section that it comes from.

- `checks`: Mistakes of a rule pack: checks that its values fit together and comply with the pack's own text.
- `citations`: Citations of a pack: the section for each value, by the value's name.
- `cited`: Parser of citations: the sections that a citation names, and whether it covers a given section.
- `demonstrated`: Sources and phases of the irregularities that a rule text names, and the scenarios that
  demonstrate each.
- `flat`: A rule pack as a flat mapping, as printed, hashed and journalled: odds of each side bet `x` are in
  `x_pays`.
- `form`: The file of a rule pack: its sections, the leaves of each, the allowed values of a leaf, and which
  rules a casino may change for its own table (`OVERRIDES`).
- `leaf`: One leaf of a rule pack: a value, the section that it comes from, and the choice that the text
  leaves.
- `loader`: Rule packs from their files: read completely, all mistakes reported at once with their lines,
  never half a pack.
- `overrides`: Values that a table sets in place of a pack's own.
- `trace`: Traceability: every section of a rule text and the scenarios, prompts and values that demonstrate
  it.
- `values`: Checks of a whole pay table and of the steps of a whole deal, for any pack.
"""
