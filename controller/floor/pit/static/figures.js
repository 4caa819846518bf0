// The pit's figures for a period: by table, dealer, shift or day. Each plot is a list of bars with their numbers
// beside them. The pit's service makes the sums; this page adds nothing up.

import { h, mark, money } from "/static/dom.js";
import { fetchJson } from "/static/fetch_json.js";
import { Help } from "/static/help.js";
import { address, fill, table, words } from "./common.js";

const root = document.getElementById("root") ?? document.body;
const query = new URLSearchParams(location.search);
const POLL_INTERVAL_MS = 10_000;
/** Status of an address with a wrong period or grouping; the response names the allowed values. */
const REFUSED = 400;
const PERIODS = Object.keys(words.periods), GROUPS = Object.keys(words.by);
const chosen = { period: query.get("period") ?? "day", by: query.get("by") ?? "table", only: query.get("only") };

/** @param {number} cents */
const signed = (cents) => (cents < 0 ? `\u2212${money(-cents)}` : money(cents));
/** @param {number | null} value @param {number} places */
const number = (value, places = 1) => (value === null ? words.unknown : value.toFixed(places).replace("-", "\u2212"));

/**
 * Bars with their numbers. They run from left to right whatever the sign; number and colour show the sign.
 * @param {string} title
 * @param {{name: string, value: number, text: string}[]} rows
 */
function plot(title, rows) {
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9);
  const bars = rows.map(({ name, value, text }) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${Math.max((Math.abs(value) / most) * 100, 0.5)}%`;
    return h("li", { "data-below": value < 0 ? "" : null }, h("span", {}, name), h("span", { "aria-hidden": "true" }, bar), h("span", { class: "value" }, text));
  });
  return h("section", { class: "part" }, h("h2", {}, title), rows.length ? h("ul", { class: "plot" }, ...bars) : h("p", {}, words.none));
}

/** Rounds left out of the figures, by reason. @param {Record<string, number>} left */
const leftOut = (left) => Object.entries(left).map(([why, count]) => fill(words.luck_why[why] ?? why, { count })).join("; ");

/** A z-value from -4 to 4 on the band. @param {{key: string, of: Pit.Luck}[]} counted */
function spread(counted) {
  const lines = counted.flatMap(({ key, of: { z, outside } }) => {
    if (z === null) return [];
    const dot = h("span", { class: "dot", "data-outside": outside ? "" : null });
    dot.style.left = `${((Math.max(-4, Math.min(4, z)) + 4) / 8) * 100}%`;
    return [h("li", {}, h("span", {}, key || words.no_dealer), h("span", { class: "track", "aria-hidden": "true" }, dot),
      h("span", { class: "value" }, `z ${number(z, 2)}`))];
  });
  return lines.length ? h("ul", { class: "plot" }, ...lines) : "";
}

/**
 * Win against expectation: the band, and the position of the win on it.
 * @param {Pit.Figures} figures
 * @param {"laid" | "par"} way
 */
function luck({ rows, total, by }, way) {
  const counted = [...rows, { ...total, key: words.total }].flatMap(({ key, luck: { [way]: of } }) => (of ? [{ key, of }] : []));
  const title = h("h2", {}, words.luck[way] ?? way), left = total.luck[way]?.left_out ?? {};
  const out = Object.keys(left).length ? fill(words.luck_left_out, { why: leftOut(left) }) : "";
  if (!counted.some(({ of }) => of.rounds)) return h("section", { class: "part" }, title, h("p", {}, words.luck_unknown), h("p", {}, out));
  const body = counted.map(({ key, of: { rounds: count, win, expected, low, high, z, outside } }) => [key || words.no_dealer, `${count}`,
    count ? signed(win) : words.unknown, expected === null ? words.unknown : signed(expected),
    low === null || high === null ? words.luck_few : `${signed(low)} … ${signed(high)}`,
    h("span", { "data-outside": outside ? "" : null }, `${number(z, 2)}${outside ? ` ${words.luck_outside}` : ""}`)]);
  const heads = [words.group_name[by], words.columns.rounds, words.columns.win, words.luck_expected, words.luck_band, "z"];
  return h("section", { class: "part" }, title, table(words.luck[way] ?? way, heads, body, 1), spread(counted),
    h("p", {}, `${words.luck_note[way]} ${out}`));
}

/** The name of a row as a key: it restricts the plots below to that row. @param {string} key */
const rowName = (key) => h("button", { type: "button", class: "row", "aria-pressed": `${chosen.only === key}`,
  onclick: () => choose("only", chosen.only === key ? null : key) }, key || words.no_dealer);

/** @param {Pit.Figures} figures */
function draw(figures) {
  const { rows, total } = figures;
  const one = rows.find(({ key }) => key === chosen.only);
  const whose = one ? ` · ${one.key || words.no_dealer}` : "", { wagers, errors, phases } = one ?? total;
  const c = words.columns;
  const heads = [words.group_name[figures.by], c.rounds, c.void, c.wagered, c.win, c.hold, c.errors, c.seconds];
  /** @param {Pit.Sums} row @param {string | Node} name */
  const line = (row, name) => [name, `${row.rounds}`, `${row.void}`, money(row.wagered), signed(row.win),
    row.hold === null ? words.unknown : `${number(row.hold * 100)} %`, number(row.errors_per_1000), number(row.seconds_a_round)];
  const body = [...rows.map((row) => line(row, rowName(row.key))), line(total, words.total)];
  return [
    h("section", { class: "part" }, table(words.by[figures.by], heads, body, 1), h("p", {}, words.drop_note)),
    luck(figures, "laid"), luck(figures, "par"),
    h("div", { class: "parts" },
      plot(`${c.win} · ${words.by[figures.by]}`, rows.map((row) => ({ name: row.key || words.no_dealer, value: row.win, text: signed(row.win) }))),
      h("section", { class: "part" }, h("h2", {}, words.wagers_title + whose), table(words.wagers_title, [words.wager, words.count, c.wagered, c.win],
        Object.entries(wagers).map(([name, each]) => [words.wagers[name] ?? name, `${each.count}`, money(each.wagered), signed(each.win)]), 1)),
      plot(words.error_kinds + whose, Object.entries(errors).map(([code, value]) => ({ name: words.codes[code] ?? code, value, text: number(value) }))),
      plot(words.phase_seconds + whose, Object.entries(phases).map(([phase, value]) => ({ name: words.phases[phase] ?? phase, value, text: number(value) })))),
  ];
}

const line = h("p", { role: "status" });
const found = h("div", { class: "found" });
const csv = h("a", { class: "button" }, words.csv);
/** @param {"period" | "by"} what @param {string[]} names @param {Record<string, string>} named */
const keys = (what, names, named) => names.map((name) => ({ name, node: h("button", { type: "button", onclick: () => choose(what, name) }, named[name]) }));
const periods = keys("period", PERIODS, words.periods), groups = keys("by", GROUPS, words.by);
root.replaceChildren(h("main", {}, h("header", {}, h("h1", {}, words.figures_title), line,
  h("nav", { "aria-label": words.period }, ...periods.map(({ node }) => node)),
  h("nav", { "aria-label": words.group }, ...groups.map(({ node }) => node), csv, h("a", { class: "button", href: address("/") }, words.all_tables))), found));
new Help().into(root.querySelector("nav:last-of-type"));

/** @param {"period" | "by" | "only"} what @param {string | null} name */
function choose(what, name) {
  Object.assign(chosen, what === "by" ? { only: null } : {}, { [what]: name });
  for (const [key, value] of Object.entries(chosen)) {
    if (value === null) query.delete(key);
    else query.set(key, value);
  }
  history.replaceState(null, "", `?${query}`);
  void look();
}

async function look() {
  for (const { name, node } of periods) mark(node, "aria-pressed", name === chosen.period);
  for (const { name, node } of groups) mark(node, "aria-pressed", name === chosen.by);
  const { period, by } = chosen;
  csv.setAttribute("href", address("/figures.csv", { period, by }));
  const answer = await fetchJson(address("/api/figures", { period, by }));
  const told = answer?.ok || answer?.status === REFUSED ? answer.data : null;
  if (period !== chosen.period || by !== chosen.by) return;
  if (!answer?.ok) {
    found.replaceChildren(h("p", { role: "alert" }, told?.error ?? `${words.lost}. ${words.lost_what} ${words.lost_back}`));
    return;
  }
  /** @type {Pit.Figures} */
  const figures = told;
  line.textContent = fill(words.since, { since: figures.since.replace("T", " ") + ":00", zone: figures.zone });
  found.replaceChildren(...(figures.rows.length ? draw(figures) : [h("p", {}, words.no_figures)]));
}
await look();
setInterval(look, POLL_INTERVAL_MS);
