"""Pages and drawings of `hardware/`, printed from its data (`python -m hardware.papers`); never on a table.

- `felt`: The felt: where the 42 circles are, from `hardware/felt.yaml`, and the drawing of it.
- `harness`: The harnesses: WireViz files in `hardware/wiring`, the drawings made of them, and what they join.
- `netlist`: A board's netlist as text: read, checked for what is true of every board, written for KiCad.
- `parts`: The parts of one table: `hardware/parts.yaml` as tables, what a table costs, and what its supplies
  carry.
- `schematic`: A board's schematic as one SVG: each part a box, at each pin the name of its net.
"""
