"""Scenario files: scripted tables with expected views and records (tests/scenarios/FORMAT.md).

- `by_pack`: Values of a scenario under one rule pack, where it is played under several.
- `expect`: `expect` of a scenario file: what is wanted, and whether a view and a record hold it.
- `file`: A scenario file as data: read whole, checked whole, before anything is played.
- `people`: The two automatic hands of a scenario: a dealer who does what prompts say, players who follow the
  file.
- `round`: The `round` step: load the shoe, lay the wagers, close, and play until the table is there.
- `run`: Plays one scenario on a bench, step by step, as tests/scenarios/FORMAT.md says.
- `runner`: `crisscross scenario`: files in, each played on a fresh mock table, one line a step, a count at
  the end.
- `steps`: The steps of a scenario file, each as tests/scenarios/FORMAT.md names it.
- `touches`: `report`, `enter` and `floor` of a scenario file, as the touches of the dealer's screen and the
  floor page.
- `values`: The values of a scenario file: cards, circles, amounts, times, each as pydantic reads it.
"""
