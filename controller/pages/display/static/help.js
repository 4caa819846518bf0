// The Help key of every page, and its panel: it explains the page and, at the table, the present state. It only reads
// and sends nothing to the table. On the table's pages it covers the area between prompt and keys and leaves the panel
// under it as it is; elsewhere it covers the page.

import { button, h, say, texts } from "./dom.js";
import { fetchJson } from "./fetch_json.js";
import { show } from "./icons.js";
import { languageKeys } from "./language.js";
import { Tour } from "./tour.js";

const words = /** @type {{help: Data.HelpTexts}} */ (/** @type {unknown} */ (texts)).help;
const TIMEOUT_MS = 4000;

export class Help {
  /** @param {string | null} address of the explanations of what is shown now; null: the page does not change */
  constructor(address = null) {
    this.address = address;
    /** @type {number | undefined} the version that is explained */
    this.version = undefined;
    /** @type {number | undefined} the version that the page shows */
    this.shown = undefined;
    this.asking = false;
    this.key = button(words.title, () => this.toggle(), { class: "help-key", "aria-haspopup": "dialog" });
    this.close = button(words.close, () => this.node.close(), { class: "help-close" });
    const tour = words.steps.length ? button(words.tour, () => this.#tour()) : null;
    const { manuals } = words;
    const read = manuals ? h("a", { class: "button", href: `/manuals${location.search}#${manuals.role}` }, manuals.name) : null;
    this.body = h("div", { class: "help-body", role: "region", "aria-label": words.title, tabindex: "0" });
    this.node = h("dialog", { class: "help", "aria-label": words.title, "data-live": address },
      h("div", { class: "help-head" }, h("h2", {}, words.title), tour, read, this.close), this.body);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.node.close();
    });
    this.node.addEventListener("close", () => this.key.focus({ preventScroll: true }));
  }

  /** Append the keys of the other languages and the Help key to a row. @param {Element | null | undefined} row */
  into(row) {
    row?.append(...languageKeys(), this.key);
  }

  toggle() {
    if (this.node.open) this.node.close();
    else this.open();
  }

  open() {
    this.#draw([]);
    this.version = undefined;
    if (!this.node.isConnected) (this.key.closest("main") ?? document.body).append(this.node);
    if (this.address) this.node.show();
    else this.node.showModal();
    this.body.scrollTop = 0;
    this.#ask();
  }

  #tour() {
    const page = this.key.closest("main") ?? document.body;
    this.node.close();
    new Tour().begin(page);
  }

  /** Update the explanation if the panel is open and the view has changed. @param {{version: number}} view */
  update({ version }) {
    this.shown = version;
    this.#ask();
  }

  async #ask() {
    if (!this.address || !this.node.open || this.asking || this.version === (this.shown ?? 0)) return;
    this.asking = true;
    this.version = this.shown ?? 0;
    const answer = await fetchJson(`${this.address}${location.search}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    this.#draw(answer?.ok ? answer.data : null);
    this.asking = false;
    this.#ask();
  }

  /** @param {Data.HelpGroup[] | null} groups null: the table did not answer */
  #draw(groups) {
    const at = this.body.scrollTop;
    const lost = groups ? [] : [h("p", { class: "help-lost" }, words.unanswered)];
    this.body.replaceChildren(...lost, ...[...(groups ?? []), words.page].map(section));
    this.body.scrollTop = at;
  }
}

/** @param {Data.HelpGroup} group */
function section({ name, rows }) {
  return h("section", {}, h("h3", {}, name), h("ul", {}, ...rows.map((row) => {
    const shape = row.icon ? h("span", { class: "shape", "data-rhythm": row.rhythm === "steady" ? null : row.rhythm }) : null;
    if (shape) show(shape, row.icon);
    const named = h("strong");
    say(named, row.title);
    return h("li", {}, shape, h("p", {}, row.title ? named : null, row.title ? " " : "", row.text));
  })));
}
