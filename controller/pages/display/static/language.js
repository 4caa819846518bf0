// The language of this screen, chosen at the screen. It is stored in this browser and changes no other screen.

import { button, texts } from "./dom.js";

const YEAR_S = 31_536_000;

const { languages: names } = /** @type {{help: Data.HelpTexts}} */ (/** @type {unknown} */ (texts)).help;

/** The other languages, each with its own name. */
export function languages() {
  return Object.entries(names).filter(([code]) => code !== document.documentElement.lang)
    .map(([code, label]) => ({ code, value: `language ${code}`, label, choose: () => choose(code) }));
}

/** Keys for the other languages. */
export function languageKeys() {
  return languages().map(({ code, label, choose: take }) => button(label, take, { class: "language-key", lang: code }));
}

/** @param {string} code */
function choose(code) {
  document.cookie = `crisscross_language=${code}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`;
  const query = new URLSearchParams(location.search);
  query.delete("lang");
  location.search = query.toString();
  if (!location.search) location.reload();
}
