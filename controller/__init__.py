"""Program of the table and of the pit: `cli.py` chooses the command; each folder is a wing, and imports run
from the wings above to those below (`make lint`).

- `cli`: The program `crisscross`: chooses the command and returns its exit status (controller/COMMANDS.md).
- `common/`: Parts that do not depend on the game: files, sockets, HTTP, processes, texts, hash trees.
- `evidence/`: Statistical evidence that a seat knew a card too early (controller/evidence/EVIDENCE.md).
- `floor/`: Many tables on one floor: the uplink of each table and the pit that receives them.
- `game/`: The rules at work: pure functions from a state and an event to the next state and effects.
- `mock/`: The mock table: `crisscross mock`, `crisscross scenario` and `crisscross simulate`.
- `pages/`: Pages of the table and the process that serves them.
- `practice/`: Drills and exams for trainees on the felt: `crisscross practice`.
- `record/`: The record of a table: journal, seal, backups, witnesses, and the rounds rebuilt from them.
- `reference/`: References printed from the code: states, lamps, irregularities, settings, the schema of a
  view.
- `rules/`: Rule packs and their arithmetic: exact odds and simulation in volume.
- `settings/`: The table file, the pin map, the register of chips and the people.
- `table/`: One table: the loop around the game, the daemon, the source of the pages, commissioning.
"""
