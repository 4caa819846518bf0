// Page for the role `manage`: users and their roles, the retention of events, and the audit trail, newest first.

import { h, say } from "/static/dom.js";
import { fetchJson } from "/static/fetch_json.js";
import { Help } from "/static/help.js";
import { address, fill, table, words } from "./common.js";

const root = document.getElementById("root") ?? document.body;
const text = words.manage;
const line = h("p", { role: "alert" });
/** ms after which a first press of Remove no longer counts. */
const DISARM_MS = 5000;

/** @returns {Promise<Pit.Manage | null>} null: the pit did not answer */
async function read() {
  const answer = await fetchJson("/api/manage");
  return answer?.ok ? answer.data : null;
}

/** @param {string} name @param {string | null} role */
async function change(name, role) {
  const headers = { "Content-Type": "application/json" }, body = JSON.stringify({ role });
  const answer = await fetch(`/api/users/${encodeURIComponent(name)}`, { method: "POST", headers, body }).catch(() => null);
  if (!answer?.ok) {
    say(line, text.not_changed);
    return;
  }
  const shown = await read();
  show(shown);
  say(line, `${fill(text.changed, { name })} ${shown ? "" : text.not_read}`.trim());
}

/** The key that removes a user: two presses within `DISARM_MS` while the focus stays on it. @param {string} name */
function remover(name) {
  const key = h("button", { type: "button" }, fill(text.remove, { name }));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let armed;
  const disarm = () => {
    clearTimeout(armed);
    armed = undefined;
    say(key, fill(text.remove, { name }));
  };
  key.addEventListener("blur", disarm);
  key.addEventListener("click", () => {
    if (armed !== undefined) {
      disarm();
      void change(name, null);
      return;
    }
    armed = setTimeout(disarm, DISARM_MS);
    say(key, fill(text.remove_sure, { name }));
  });
  return key;
}

/** @param {Pit.User} user */
function row({ name, role, by_proxy }) {
  if (name === words.user?.name) return [name, words.roles[role] ?? role, by_proxy ? text.by_proxy : text.by_password, words.none];
  const choice = h("select", { "aria-label": fill(text.role_of, { name }) },
    ...["read", "answer", "manage"].map((each) => h("option", { value: each, selected: each === role }, words.roles[each] ?? each)));
  choice.addEventListener("change", () => void change(name, choice.value));
  return [name, choice, by_proxy ? text.by_proxy : text.by_password, remover(name)];
}

/** @param {Pit.Manage | null} shown null: the page says that nothing can be shown */
function show(shown) {
  root.replaceChildren(h("main", {}, h("header", {}, h("h1", {}, text.title),
    h("nav", { "aria-label": words.title }, h("a", { class: "button", href: address("/") }, words.all_tables))), line,
  ...(shown ? parts(shown) : [])));
  say(line, shown ? "" : text.not_read);
  new Help().into(root.querySelector("nav"));
}

/** @param {Pit.Manage} shown */
function parts({ audit, users, keep_days }) {
  const acts = audit.map(({ at, who, address: from, act, about }) =>
    [at.replace("T", " ").slice(0, 19) + " UTC", who || words.none, from, text.acts[act] ?? act, about]);
  const kept = keep_days === null ? text.kept : fill(text.kept_days, { days: keep_days });
  return [
    h("section", { class: "part" }, h("h2", {}, text.users), users.length ? table(text.users, [text.user, text.role, text.signs_in, text.end], users.map(row)) : h("p", {}, words.access),
      h("p", {}, kept)),
    h("section", { class: "part" }, h("h2", {}, text.audit), acts.length ? table(text.audit, [words.when, words.who, text.address, words.what, words.where], acts) : h("p", {}, words.nothing_said)),
  ];
}

show(await read());
