"""The loop: events in, journal, game, effects out.

- `assemble`: One table's engine from its table file, its journal and its devices.
- `batcher`: From what waits in the inbox to the engine's next batch.
- `dead_time`: The dead time after a new prompt: a finger that was on its way to a key meant the prompt
  before.
- `digests`: Digests of a table's inputs: its settings, rules, register of chips, pins, words and program.
- `engine`: The engine: events are written down, then acted on, then shown.
- `event_decoder`: From what devices say to events.
- `inbox`: The queue between the devices, the people and the engine.
- `loop`: The engine on an asyncio loop: it runs when something comes in, at deadlines, and on a tick.
- `ports`: Interface of the game towards the runtime, as Protocols, so that the engine can be tested with
  small stand-ins.
- `settings_guard`: A round ends by the rules that it began with: what was changed meanwhile takes effect
  between rounds.
- `tally`: The table's figures, folded from round records as they are written: of this shift, of each hour, of
  all.
"""
