// Asks the daemon for rounds that have ended, again while it does not answer. That one waits is said at once: the
// reader may have to be started first.

import { h, say, texts } from "./dom.js";

const AGAIN_MS = 300;

/**
 * What the daemon answers; null where it cannot, which is said on the page.
 * @param {string} from
 * @param {HTMLElement} root
 * @returns {Promise<any>}
 */
export async function asked(from, root) {
  const told = h("p", { class: "reading", role: "status" }, texts.reading_first);
  root.replaceChildren(told);
  let answer;
  while (!(answer = await fetch(from).catch(() => null))) await new Promise((done) => setTimeout(done, AGAIN_MS));
  const data = await answer.json();
  if (answer.ok) return data;
  say(told, data.error);
  return null;
}

/** The language that was asked for stays in every link. */
export const language = new URLSearchParams(location.search).get("lang");

/** What stands before `/rounds` in the address of a page of rounds: nothing at a table, the table's place in a pit. */
export const base = location.pathname.replace(/\/rounds(\/.*)?$/, "");

/** The journal whose rounds were asked for: at a pit a table may have told several. It stays in every link too. */
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
