"""Prompts, lamps and pages read off the state; `public.py` alone decides what is public.

- `alerts`: Alerts as the public view has them: place, amounts, section, and the step that comes first.
- `cards`: Public knowledge of a place where a card may lie: the one answer for table, prompt and hold.
- `dark`: Reasons why keys are dark, as public data: the refusal that a press would get now.
- `exam`: The public view of an exam: what can be seen on the felt, and nothing that the table derives from
  it.
- `floor_page`: Data of the floorperson's page beside the table: possible directions, and the hold.
- `front`: The dealer's first view, and the parts beside it: decided here, drawn by the page.
- `lamps`: The lamp language, one table: what each lamp state means, its colour and its rhythm.
- `order_view`: The step that was left for a later one, as the public view has it.
- `prompt_id`: The name of a prompt, by which a touch says which one it answers.
- `prompts`: Prompts for the dealer, now and next: one prompt, one step, as data.
- `public`: The one place that decides what is public.
- `recalled`: A round record as a picture: the seats, circles and cards of a view, with what each wager came
  to.
- `report_forms`: Forms of the dealer's reports: details of each, and when it is offered.
- `rules_view`: The public view of a table's rules: what a wager may be, and what it pays.
- `signatures_view`: The part of the public view that a floorperson signs, as declared types.
- `spectator`: Data for a spectator: all that a person at the table can see, cut from the public view.
- `upcoming`: Steps of the dealer after the one that is due, as far as they are certain already.
- `view`: The public view as a declared type: what every page, log and tool is given of the table.
"""
