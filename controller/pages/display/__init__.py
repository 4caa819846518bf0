"""The pages, their interface and their words (controller/pages/display/DISPLAY.md).

- `devices_view`: Data of the technician's page about the devices, as declared types.
- `explain`: Explanations for the Help key: prompt, alerts, dark keys, lit lamps and cited sections of a view.
- `fallback_text`: Fallback for a text that cannot be rendered, such as a broken translation: its code is
  shown, and the rest of the page is unaffected.
- `figures_csv`: The figures of a period as CSV: one figure per row, named as in `FiguresView`.
- `figures_view`: Data of the page of figures, as declared types.
- `floor_words`: Texts of the events listed on the floor page.
- `live`: Push of views to the pages: a stream of complete views (server-sent events) for each page, always
  the newest.
- `manual_pages`: The manuals: `/manuals` lists them, `/manuals/dealer` is one of them, for the screen or
  printed on paper.
- `phrases`: Phrases for single values: money, chips, places, hands and lists as text.
- `ports`: Interface of the web pages to the running table: every request that they can make.
- `read_only_pages`: Pages without input: none of their routes accepts a touch.
- `round_page_text`: Texts of a page about an ended round: head, cards, wagers, totals, irregularities and
  timeline.
- `round_text`: Texts of an ended round: timeline, irregularities, wagers and totals.
- `rounds_pages`: Pages of ended rounds: `/rounds` lists them, `/rounds/17` shows one, for a link or for
  paper.
- `shell`: HTML around every page: one head for all pages, and a table of each page's own parts and texts.
- `signing`: Texts of signatures: labels of the keys that sign, with the holder of the chips and the effect on
  chips and bets.
- `touch_limits`: Rate limits of touches: how many touches a second are taken per connection and in total, and
  how many may wait.
- `touches`: Touches on the screen: the fields of each kind, the allowed values, and the resulting event.
- `values`: Values of a text's placeholders, from public data: money, places, hands, chips as text.
- `view_schema`: The public view as a JSON schema and as TypeScript, from `game/showing/view.py` and
  `spectator.py`.
- `web`: Routes (URLs) of the pages and their API, each a few lines that call `RemoteSource`.
- `words`: Texts of a view: prompt, next step, alerts, hold, and the acts of CONFIRM and UNDO.
"""
