// Sends a touch and returns its result: {ok}, or the words of a refusal and its code. One at a time: the same touch again while the
// first is on its way is dropped, so that an impatient finger confirms nothing twice; another one is refused in words.

import { texts } from "./dom.js";

let underWay = "";
const PATIENCE = 3000;
/** ms after an answer in which a new view is taken for a consequence of this page's own touch. */
const OWN_MS = 1000;
let answeredAt = -Infinity;

/** Whether a touch of this page is on its way, or was answered just now. */
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
      signal: AbortSignal.timeout(PATIENCE),
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
