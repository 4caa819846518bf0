"""The loop: events in, journal, game, effects out.

- `assemble`: Builds one table's engine from its table file, its journal and its devices.
- `batcher`: Makes the engine's next batch from the inbox.
- `dead_time`: The dead time after a new prompt: a finger already on its way to a key meant the prompt before.
- `digests`: Digests of a table's inputs: its settings, rules, register of chips, pins, words and program.
- `engine`: The engine: events are journalled, then acted on, then shown.
- `event_decoder`: Makes events of the devices' reports.
- `inbox`: The queue between the devices, the people and the engine.
- `loop`: The engine on an asyncio loop: it runs on input, at deadlines, and on a tick.
- `ports`: The engine's interface to the game, as Protocols, so that tests can use small stand-ins.
- `settings_guard`: Keeps the rules of a round to its end: a change of settings or rules takes effect between
  rounds.
- `tally`: The table's figures, summed from round records as they are written: by shift, by hour and in total.
"""
