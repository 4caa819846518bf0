"""Pages and drawings of `hardware/`, printed from its data (`python -m hardware.papers`); never on a table.

- `checks`: Electrical rules of every board, as KiCad checks them: pins joined, outputs apart, supplies
  driven.
- `felt`: The felt: where each of the 42 circles is, from `hardware/felt.yaml`, and its drawings.
- `harness`: Harnesses: WireViz files in `hardware/wiring`, their drawings, and the connections in them.
- `netlist`: Netlist of a board as text: parsed, and written for KiCad.
- `parts`: Parts of one table: `hardware/parts.yaml` as tables, the cost of a table, and the loads of its
  supplies.
- `schematic`: Schematic of a board as one SVG: each part a box, each pin with the name of its net.
"""
