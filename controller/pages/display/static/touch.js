// Sends a touch and returns its result: {ok}, or the words of a refusal and its code. One at a time: the same touch again while the
// first is on its way is dropped, so that an impatient finger confirms nothing twice; another one is refused in words.

import { texts } from "./dom.js";

let underWay = "";
const PATIENCE = 3000;

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
  }
}
