// The language of this screen, chosen by who stands before it. It is kept here, and is nobody else's.

import { texts } from "./dom.js";

const YEAR_S = 31_536_000;

/** The other languages there are, in their own words. */
export function languages() {
  return Object.entries(texts.languages).filter(([code]) => code !== document.documentElement.lang)
    .map(([code, label]) => ({ value: `language ${code}`, label, choose: () => choose(code) }));
}

/** @param {string} code */
function choose(code) {
  document.cookie = `crisscross_language=${code}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`;
  const query = new URLSearchParams(location.search);
  query.delete("lang");
  location.search = query.toString();
  if (!location.search) location.reload();
}
