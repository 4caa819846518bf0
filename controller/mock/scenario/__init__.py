"""Scenario files: scripted tables with expected views and records (tests/scenarios/FORMAT.md).

- `by_pack`: Different values of a scenario in different rule packs, such as a payout that it expects.
- `expect`: Expectations of a scenario: all that its `expect` can state, and their comparison with a view and
  a record.
- `file`: A scenario file as data, read and checked completely before anything is played.
- `people`: Simulated people of a scenario: a dealer who follows prompts, and players who follow the file.
- `record_keys`: Keys of an expected record that no record has: a misspelt key would be compared with nothing.
- `round`: The `round` step: load the shoe, lay the wagers, close the bets, and play until the phase in
  `until`.
- `run`: Plays one scenario on a bench, step by step, as tests/scenarios/FORMAT.md describes.
- `runner`: `crisscross scenario`: plays each scenario on a fresh mock table, prints one line per step, and a
  count at the end.
- `steps`: The steps that a scenario can have, each as named in tests/scenarios/FORMAT.md.
- `touches`: `report`, `enter` and `floor` of a scenario file, as the touches of the dealer's screen and the
  floor page.
- `values`: The values of a scenario file: cards, circles, amounts and times, validated by pydantic.
"""
