// Sends a touch and returns its result: {ok}, or the text of a refusal and its code. One touch at a time: a repetition
// of the unanswered touch is dropped, so that a double tap confirms nothing twice; a different touch is refused with a
// text.

import { texts } from "./dom.js";

let underWay = "";
const TIMEOUT_MS = 3000;
/** ms after an answer in which a new view counts as a consequence of this page's own touch. */
const OWN_MS = 1000;
let answeredAt = -Infinity;

/** Whether a touch of this page is unanswered, or was answered just now. */
export const sentLately = () => underWay !== "" || performance.now() - answeredAt < OWN_MS;

/**
 * @param {Data.Touch} touch
 * @returns {Promise<{ok: boolean, words: Data.Text, code?: string}>}
 */
export async function send(touch) {
  const body = JSON.stringify(touch);
  if (underWay) return { ok: false, words: body === underWay ? null : texts.one_touch };
  underWay = body;
  try {
    const answer = await fetch(`/api/touch${location.search}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.ok) return { ok: true, words: null };
    const said = await answer.json();
    return { ok: false, words: said.refused ?? said.error, code: said.code };
  } catch {
    return { ok: false, words: texts.unanswered };
  } finally {
    underWay = "";
    answeredAt = performance.now();
  }
}
