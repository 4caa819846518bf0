"""Prompts, lamps and pages read off the state; `public.py` alone decides what is public.

- `alerts`: Alerts of the public view: place, amounts, section, and the step that comes first.
- `cards`: Public knowledge of a card: whether it is dealt, and its face once the rules have it turned.
- `dark_keys`: Reasons why a key is dark (disabled) right now, as public data: the refusal that a press would
  get.
- `exam`: Public view of an exam: the facts that a trainee sees on the felt, and neutral values for all other
  fields.
- `floor_page`: Data of the floorperson's page: possible directions, and the hold.
- `front`: Front of the dealer's view: whether a prompt or an alert is shown largest, and the parts beside it.
- `lamp_states`: Lamps of a state: the lamp state of every circle, and the circles to read first.
- `lamps`: Lamp language in one table: what a red, green or amber (yellow) lamp in a circle means, steady or
  blinking in a rhythm.
- `order_view`: Step that the dealer skipped by beginning a later one, as part of the public view.
- `prompt_answers`: Whether an entry answers the prompt that it names.
- `prompt_id`: Id of a prompt: a touch contains the id of the prompt that it answers, so that a late touch
  never answers another.
- `prompts`: Prompts (instructions) for the dealer, now and next: one prompt, one step, as data.
- `public`: Public view: the only module that decides which data a page may show.
- `recalled`: Picture of a round record: seats, circles and cards of a view, with the result of each wager.
- `report_forms`: Forms of the dealer's reports: the details that each requires, and when it is offered.
- `rules_view`: Public view of a table's rules: minimum and maximum of the wagers, payouts, reports and chips,
  which no event of play changes.
- `signatures_view`: Types of the public view for the items that a floorperson signs.
- `spectator`: Data for spectators and a screen on the wall: the visible state of the table, cut from the
  public view.
- `upcoming`: Steps of the dealer that come next, after the one that is due, as far as they are certain.
- `view`: Public view as a declared type: the data of the table for pages, logs and tools.
"""
