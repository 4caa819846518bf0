// The list of ended rounds. Its filters are in the address, so that a list can be linked: /rounds?seat=3.

import { address, base, language, requestRounds } from "./rounds_request.js";
import { h, texts } from "./dom.js";
import "./font.js";
import { Help } from "./help.js";

const words = /** @type {Data.RoundTexts} */ (/** @type {unknown} */ (texts));
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
/** Parameters of the page, not of the list. */
const OF_PAGES = ["lang", "idle"];
const query = Object.fromEntries([...new URLSearchParams(location.search)].filter(([key, value]) => value && !OF_PAGES.includes(key)));

/**
 * @param {string} name
 * @param {string} label
 * @param {Record<string, string>} props
 */
const entry = (name, label, props) => h("label", {}, label, h("input", { name, value: query[name] ?? "", autocomplete: "off", ...props }));

/**
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} options
 */
function choice(name, label, options) {
  const kids = options.map(([value, text]) => h("option", { value, selected: (query[name] ?? "") === value }, text));
  return h("label", {}, label, h("select", { name }, ...kids));
}

function filters() {
  const codes = Object.entries(words.codes).sort(([, a], [, b]) => a.localeCompare(b));
  const form = h("form", { class: "filters", "aria-label": words.filter },
    entry("find", words.find, { type: "search", maxlength: "100", placeholder: words.find_by }),
    entry("last", words.last, { inputmode: "numeric", size: "4", placeholder: "50" }),
    entry("day", words.day, { type: "date" }),
    entry("dealer", words.dealer, { size: "8" }),
    choice("seat", words.seat.replace("{seat}", "").trim(), [["", words.any], ...["1", "2", "3", "4", "5", "6"].map((n) => /** @type {[string, string]} */ ([n, n]))]),
    choice("irregularity", words.kind, [["", words.any], ["any", words.any_wrong], ["void", words.only_void], ["corrected", words.only_corrected], ...codes]),
    entry("amount", words.at_least, { inputmode: "decimal", size: "8" }),
    ...(query.stream ? [h("input", { type: "hidden", name: "stream", value: query.stream })] : []),
    h("button", { class: "go", type: "submit" }, words.filter));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = [...new FormData(form)].flatMap(([key, value]) => (value ? [[key, String(value)]] : []));
    location.search = new URLSearchParams(language ? [...wanted, ["lang", language]] : wanted).toString();
  });
  return form;
}

/** @param {Data.ToldLine} line */
function row(line) {
  const wrong = [...line.wrong, ...(line.corrected ? [line.corrected] : [])].join(", ");
  const link = h("a", { href: address(`${base}/rounds/${line.number}`) }, words.round.replace("{number}", `${line.number}`));
  return h("tr", { "data-grade": line.void ? "hold" : null },
    h("th", { scope: "row" }, link), h("td", {}, `${line.day} ${line.clock}`), h("td", {}, line.dealers),
    h("td", {}, line.outcome), h("td", { class: "sum" }, `${line.seats}`),
    ...[line.wagered, line.paid, line.taken].map((sum) => h("td", { class: "sum" }, sum)), h("td", {}, wrong));
}

/** @param {Data.ToldLine[]} lines */
function list(lines) {
  const filtered = Object.keys(query).some((key) => key !== "stream");
  if (!lines.length) return h("p", {}, filtered ? words.no_rounds : words.none_ended);
  const names = [words.round.replace("{number}", "").trim(), words.started, words.dealer, words.outcome, words.seats, words.wagered, words.paid, words.taken, words.wrong];
  const head = h("tr", {}, ...names.map((name, at) => h("th", { scope: "col", class: at > 3 && at < 8 ? "sum" : null }, name)));
  const zones = [...new Set(lines.map(({ zone }) => zone))].join(", ");
  return h("div", { class: "wide", role: "region", "aria-label": words.title, tabindex: "0" },
    h("p", { class: "zone" }, words.zone.replace("{zone}", zones)), h("table", { class: "list" }, h("thead", {}, head), h("tbody", {}, ...lines.map(row))));
}

/**
 * The journals of this table in a pit, if there are several.
 * @param {{stream: string, text: string, here: boolean}[]} all
 */
const journals = (all) => h("nav", { class: "journals" }, ...all.map(({ stream, text, here }) =>
  h("a", { class: "button", href: address(`${base}/rounds`, { stream }), "aria-current": here ? "page" : null }, text)));

const found = h("div", { class: "found" });
root.replaceChildren(
  h("header", {}, h("h1", {}, words.title), h("nav", { "aria-label": words.title },
    h("a", { class: "button", href: address(`${base}/rounds.csv`, query) }, words.csv),
    h("a", { class: "button", href: address(`${base}/floor`) }, words.floor_page),
    h("a", { class: "button", href: address("/manuals") }, words.manuals))),
  filters(), found);
new Help().into(root.querySelector("nav"));
const answer = await requestRounds(address(`${base}/api/rounds`, query), found);
const note = (/** @type {string | undefined} */ text) => (text ? h("p", { class: "zone" }, text) : "");
if (answer) found.replaceChildren(answer.journals ? journals(answer.journals) : "", note(answer.left), list(answer.rounds), note(answer.aged));
