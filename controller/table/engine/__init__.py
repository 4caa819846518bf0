"""The loop: events in, journal, game, effects out.

- `assemble`: Builds one table's engine from its table file, its journal and its devices.
- `batcher`: Forms the engine's next batch of events from the inbox.
- `dead_time`: Dead time after a new prompt: a double press or tap shortly after it was meant for the previous
  prompt.
- `digests`: Digests (hashes) of a table's inputs: its settings, rules, register of chips, pins, texts and
  program.
- `engine`: The engine: events are journalled, then acted on, then shown.
- `event_decoder`: Makes events from the devices' reports.
- `inbox`: Queue of readings, keys and touches from the devices and the people to the engine.
- `loop`: Runs the engine on an asyncio loop: on input, at deadlines, and at every tick.
- `ports`: The engine's interface to the game, as Protocols, so that tests can use small stand-ins.
- `settings_guard`: Keeps rules and settings unchanged during a round: a change takes effect between rounds.
- `tally`: Figures of the table (rounds, wagers and win), added up from round records as they are written: by
  shift and hour, and the totals of the floor page.
"""
