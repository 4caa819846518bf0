"""The pages, their interface and their words (controller/pages/display/DISPLAY.md).

- `devices_view`: Data of the technician's page about the devices, as declared types.
- `explain`: Explanations for the Help key: prompt, alerts, dark keys, lit lamps and cited sections of a view.
- `fallback_text`: Fallback for a text that cannot be rendered: its code is shown, and the rest of the page is
  unaffected.
- `figures_csv`: The figures of a period as CSV: one figure per row, named as in `FiguresView`.
- `figures_view`: Data of the page of figures, as declared types.
- `floor_words`: The texts of the floor page's list of events.
- `live`: The push: a stream of complete views to each page, always the newest.
- `manual_pages`: The manuals: `/manuals` lists them, `/manuals/dealer` is one of them, for the screen or for
  paper.
- `phrases`: Phrases for single values: money, chips, places, hands, lists.
- `ports`: The port of the display: the interface of the web pages to the running table, and no more.
- `read_only_pages`: Pages without input: none of their routes takes a touch.
- `round_page_text`: The page of a round that has ended, in words: head, cards, wagers, totals, irregularities
  and timeline.
- `round_text`: The texts of a round that has ended: timeline, irregularities, wagers and totals.
- `rounds_pages`: The pages of rounds that have ended: `/rounds` lists them, `/rounds/17` shows one, for a
  link or for paper.
- `shell`: The HTML around every page: one head for all pages, and a table of each page's own parts and texts.
- `signing`: The texts of the keys that sign: who has the chips, and the effect on chips and bets.
- `touch_limits`: Rate limits of touches: per connection, in total, and for the number that wait for the
  table.
- `touches`: All touches on the screen: their keys, the allowed values, and the event of each.
- `values`: Values of a text's placeholders, from plain public data: money, places, hands, chips.
- `view_schema`: The public view as a JSON schema and as TypeScript, from `game/showing/view.py` and
  `spectator.py`.
- `web`: The pages and their API: routes only, each a few lines on top of the port.
- `words`: The texts of a view: prompt, next step, alerts, hold, and the acts that CONFIRM and UNDO apply to.
"""
