// The subject of a touch: the prompt that it answers, or the text that the person read, as the view names it with its
// revision. The table refuses a touch whose subject has changed; a panel whose subject has changed is closed.

/** @typedef {{prompt?: string, about?: string}} Subject */

/** Kinds that may be acted on while play is held; all others wait for the decision on the hold. */
const WHILE_HELD = ["hold", "call", "dealer", "cards", "record"];

/** The present prompt, as a touch names it. @param {Data.View} view @returns {Subject} */
export const answering = ({ prompt }) => ({ prompt: prompt?.id ?? "none" });

/**
 * Whether a panel's subject is unchanged. Only the table compares a closed round.
 * @param {Data.View} view
 * @param {Subject} subject
 */
export function stands(view, { prompt, about }) {
  if (prompt !== undefined && prompt !== answering(view).prompt) return false;
  if (about === undefined) return true;
  const [kind] = about.split(" ");
  if (kind === "record") return true;
  return !(view.hold && !WHILE_HELD.includes(kind)) && shown(view).includes(about);
}

/** Every subject in the view. @param {Data.View} view @returns {(string | null | undefined)[]} */
function shown({ hold, wanted, waiting, about, seats }) {
  const circles = seats.flatMap((seat) => Object.values(seat.circles).map((circle) => circle.about));
  return [hold?.about, wanted, ...waiting.map((item) => item.about), ...Object.values(about), ...circles];
}
