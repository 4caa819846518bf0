"""What prints the papers of this folder from its data: `python -m hardware.papers`.

For whoever changes a part or a wire. It never runs on a table, and draws nothing that is not in the data.
"""
