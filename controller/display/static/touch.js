// Sends a touch and says how it went: {ok}, or the words of a refusal and its code. One at a time: a second tap while the first is on
// its way is dropped, so an impatient finger confirms nothing twice.

import { texts } from "./dom.js";

let busy = false;
const PATIENCE = 3000;

/**
 * @param {Data.Touch} touch
 * @returns {Promise<{ok: boolean, words: Data.Text, code?: string}>}
 */
export async function send(touch) {
  if (busy) return { ok: false, words: null };
  busy = true;
  try {
    const answer = await fetch(`/api/touch${location.search}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(touch),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.ok) return { ok: true, words: null };
    const said = await answer.json();
    return { ok: false, words: said.refused ?? said.error, code: said.code };
  } catch {
    return { ok: false, words: texts.unanswered };
  } finally {
    busy = false;
  }
}
