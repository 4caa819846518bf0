// Page of links for a round number that several journals of one table have: a link to each.

import { h } from "/static/dom.js";
import { fetchJson } from "/static/fetch_json.js";
import { Help } from "/static/help.js";
import { address, words } from "./common.js";

const root = document.getElementById("root") ?? document.body;
const path = location.pathname, base = path.replace(/\/rounds\/.*$/, "");
const answer = await fetchJson(address(`${base}/api/rounds/${path.split("/").pop()}`));
/** @type {{error: string, choices: {stream: string, text: string}[]}} */
const { error, choices } = answer?.data ?? { error: words.lost, choices: [] };
root.replaceChildren(h("main", {}, h("header", {}, h("h1", {}, error),
  h("nav", { "aria-label": words.title }, h("a", { class: "button", href: address(`${base}/rounds`) }, words.rounds))),
h("ul", {}, ...choices.map(({ stream, text }) => h("li", {}, h("a", { href: address(path, { stream }) }, text))))));
new Help().into(root.querySelector("nav"));
