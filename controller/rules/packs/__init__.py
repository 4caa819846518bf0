"""Rule packs read from their files, each value with the section that it comes from.

- `checks`: Whether the values of a rule pack fit together, and whether they keep to the pack's own text.
- `citations`: Every citation of a pack by the name of what it is for, dotted for what lies inside.
- `cited`: Which sections a citation names, and whether it speaks of one.
- `demonstrated`: Sources and phases of the irregularities that a rule text names, and the scenarios that
  demonstrate each.
- `flat`: A rule pack with the odds of each side bet `x` as `x_pays`: so it is printed, fingerprinted and
  journalled.
- `form`: A rule pack's file: the sections, the leaves in each and what may be a leaf's value.
- `leaf`: One leaf of a rule pack: a value, the section that it comes from, and what the text leaves open.
- `loader`: Rule packs from their files: read whole, every mistake at once with its line, never half a pack.
- `overrides`: Values that a table sets in place of a pack's own; a mistake in one is reported where it was
  set.
- `trace`: Traceability: every section of a rule text, and beside it what shows it.
- `values`: Requirements of a pay table and a deal as a whole, in any pack.
"""
