"""The pages, their interface and their words (controller/pages/display/DISPLAY.md).

- `devices_view`: Data of the technician's page about the devices, as a declared type.
- `explain`: Explanations behind the Help key: prompt, alerts, dark keys, lit lamps and cited sections of a
  view.
- `fallback_text`: A word that cannot be made shows its code, and everything beside it is said as ever.
- `figures_csv`: The figures of a period as CSV: one figure a row, named as in `FiguresView`.
- `figures_view`: Data of the page of figures, as a declared type.
- `floor_words`: The words of the floor page's list of events.
- `live`: The push: one stream of whole views to each page, the newest only.
- `manual_pages`: The manuals: `/manuals` leads each reader to theirs, `/manuals/dealer` is one, for the
  screen or for paper.
- `phrases`: Words for the small things: money, chips, places, hands, lists.
- `ports`: The port of the display: what the web pages ask of the running table, and nothing more.
- `read_only_pages`: The pages to look at: no route of theirs takes anything in.
- `round_page_text`: A round that has ended, whole and in words: head, cards, wagers, totals, what went wrong,
  the line of time; and the list of rounds.
- `round_text`: The words of a round that has ended: its line of time, what went wrong, its wagers and its
  totals.
- `rounds_pages`: The pages of rounds that have ended: `/rounds` lists them, `/rounds/17` tells one, for a
  link or for paper.
- `shell`: The HTML around every page: one head for all, with what is its own in a table.
- `signing`: The words of the keys that sign: who has the chips, and the effect on chips and bets.
- `touch_limits`: Rate limits of touches: of one connection, of all together, and how many may wait for the
  table.
- `touches`: Every touch on the screen: its keys, what each may be, and the event that it becomes.
- `values`: Values of a text's placeholders, out of plain public data: money, places, hands, chips.
- `view_schema`: The public view for others: the types of `game/showing/view.py`, and of `spectator.py` beside
  it, as a JSON schema and as TypeScript.
- `web`: The pages and their API: routes only, each a few lines around the port.
- `words`: The words of a view: prompt, next, alerts, hold, what CONFIRM confirms and UNDO takes back.
"""
