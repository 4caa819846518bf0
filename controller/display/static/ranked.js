// Alerts in the order in which they are shown, and what makes two prompts the same.

const GRADES = ["hold", "alert", "notice"];

/** Alerts with their words, the gravest first, the oldest first among equals. */
export function ranked(view) {
  const said = view.alerts.map((alert, i) => ({ ...alert, words: view.words.alerts[i] }));
  return said.sort((a, b) => GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade) || a.id - b.id);
}

/** What a prompt asks for. Its number grows with every change of the view, so it does not tell. */
export function identity(prompt) {
  return prompt ? [prompt.kind, prompt.seat, prompt.wager, prompt.amount, prompt.places, prompt.step, prompt.code].join("/") : "none";
}
