// The sign-in: exchanges a name and a password for a session cookie, then opens the requested page.

import { h, say } from "/static/dom.js";
import { fill, words } from "./common.js";

const text = words.sign_in;
const name = h("input", { name: "name", autocomplete: "username", autocapitalize: "none", required: true, maxlength: 64 });
const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 256 });
const line = h("p", { role: "alert" });

/** The requested page, of this site only. */
function next() {
  const asked = new URLSearchParams(location.search).get("next") ?? "/";
  return URL.canParse(asked, location.origin) && new URL(asked, location.origin).origin === location.origin ? asked : "/";
}

/** @param {Event} event */
async function send(event) {
  event.preventDefault();
  const headers = { "Content-Type": "application/json" }, body = JSON.stringify({ name: name.value, password: password.value });
  const answer = await fetch("/api/sign_in", { method: "POST", headers, body }).catch(() => null);
  if (answer?.ok) {
    location.replace(next());
    return;
  }
  password.value = "";
  const seconds = answer?.headers.get("retry-after") ?? "";
  say(line, answer?.status === 401 ? text.wrong : answer?.status === 429 ? fill(text.wait, { seconds }) : text.lost);
}

const form = h("form", { class: "sign-in", onsubmit: (/** @type {Event} */ event) => void send(event) },
  h("label", {}, text.name, name), h("label", {}, text.password, password), h("button", { type: "submit" }, text.key), line);
(document.getElementById("root") ?? document.body).replaceChildren(h("main", {}, h("header", {}, h("h1", {}, text.title)), form));
name.focus();
