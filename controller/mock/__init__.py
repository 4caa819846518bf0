"""The mock table: `crisscross mock`, `crisscross scenario` and `crisscross simulate`.

- `bench/`: The table of simulated devices, wired in this process or plugged in at the daemon's ports.
- `cli`: The commands `mock` and `scenario` (controller/COMMANDS.md): their options and their exit status.
- `felt_page/`: The felt in a browser: a person's hands on the simulated devices.
- `people/`: Simulated dealers and players, honest and not.
- `pit/`: `crisscross mock --pit`: a broker, a pit and several mock tables with their uplinks.
- `progress`: Output of a mock table: rounds and addresses on standard output, faults and progress on standard
  error.
- `run`: `crisscross mock`: a bench, the people around it, and the round records they produce.
- `scenario/`: Scenario files: scripted tables with expected views and records (tests/scenarios/FORMAT.md).
- `secure_module_cli`: `crisscross chips module`: the secure module in software, for mock tables and trials in
  a casino's cage.
- `simulate`: `crisscross simulate shoe` and `simulate reader`: simulated devices for a technician, each with
  a fault console.
- `surveillance`: Surveillance pages of a mock table with a cheat: `crisscross evidence` as a process of its
  own.
"""
