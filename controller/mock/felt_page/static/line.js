// The felt's connection to the bench: sends the acts of the hands, receives the changes.

import { say } from "/display/dom.js";
import { fetchJson } from "/display/fetch_json.js";
import { words } from "./texts.js";

/** @param {string} id */
export const by = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Send one act; the answer is shown under the rack.
 * @param {Felt.Act} body
 */
export async function act(body) {
  const answer = await fetchJson(`/act${location.search}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  say(by("said"), answer ? answer.data.refused ?? answer.data.error ?? answer.data.said ?? "" : words.lost);
}

/**
 * Call `draw` with the whole state and the names of its changed parts.
 * @param {(state: Felt.State, news: Set<string>) => void} draw
 */
export function follow(draw) {
  const live = new EventSource(`/live${location.search}`);
  /** @type {Felt.State} */
  let state;
  live.onmessage = (event) => {
    const news = JSON.parse(event.data);
    state = { ...state, ...news };
    draw(state, new Set(Object.keys(news)));
  };
  // a new connection begins with the whole state
  live.onerror = () => say(by("prompt"), words.lost);
}
