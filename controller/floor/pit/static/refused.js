// Messages that the pit refused, newest first: a gap, different content under a known number, an invalid payload, a
// table's name used twice. Each is one line that says what to do.

import { h } from "/static/dom.js";
import { fetchJson } from "/static/fetch_json.js";
import { Help } from "/static/help.js";
import { address, table, words } from "./common.js";

const root = document.getElementById("root") ?? document.body;
const answer = await fetchJson("/api/refused");
/** @type {{refused: {at: string, table: string, words: string}[]}} */
const { refused } = answer?.ok ? answer.data : { refused: [] };
const rows = refused.map((each) => [each.at.replace("T", " ").slice(0, 19) + " UTC", each.table, each.words]);
root.replaceChildren(h("main", {}, h("header", {}, h("h1", {}, words.refused),
  h("nav", { "aria-label": words.title }, h("a", { class: "button", href: address("/") }, words.all_tables))),
h("section", { class: "part" }, rows.length ? table(words.refused, [words.when, words.tables, words.what], rows) : h("p", {}, words.nothing_refused))));
new Help().into(root.querySelector("nav"));
