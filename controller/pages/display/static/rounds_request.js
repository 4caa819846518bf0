// Requests to the daemon for ended rounds, repeated until it answers. The page says at once that it waits, because the
// round reader may have to start first.

import { h, say, texts } from "./dom.js";
import { fetchJson } from "./fetch_json.js";

const RETRY_DELAY_MS = 300;

/**
 * Return the daemon's answer, or null if there is none; the page then says so.
 * @param {string} from
 * @param {HTMLElement} root
 * @returns {Promise<any>}
 */
export async function requestRounds(from, root) {
  const status = h("p", { class: "reading", role: "status" }, texts.reading_first);
  root.replaceChildren(status);
  let answer;
  while (!(answer = await fetchJson(from))) await new Promise((done) => setTimeout(done, RETRY_DELAY_MS));
  if (answer.ok) return answer.data;
  say(status, answer.data.error);
  return null;
}

/** Requested language; every link keeps it. */
export const language = new URLSearchParams(location.search).get("lang");

/** Part of the address before `/rounds`: empty at a table, the table's path in a pit. */
export const base = location.pathname.replace(/\/rounds(\/.*)?$/, "");

/** Journal of the requested rounds: a pit may have several of one table. Every link keeps it. */
const stream = new URLSearchParams(location.search).get("stream");

/**
 * @param {string} path
 * @param {Record<string, string>} query
 */
export function address(path, query = {}) {
  const kept = { ...(stream ? { stream } : {}), ...query, ...(language ? { lang: language } : {}) };
  const all = new URLSearchParams(kept).toString();
  return all ? `${path}?${all}` : path;
}
