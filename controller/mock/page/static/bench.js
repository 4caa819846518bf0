"use strict";
const by = id => document.getElementById(id);
let chosen = null, seen = new Set(), last = null;
const money = cents => "$" + (cents / 100).toLocaleString("en-US");
async function act(body) {
  const answer = await fetch("/act", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  const said = await answer.json();
  by("said").textContent = said.refused || said.error || said.said || "";
}
function button(text, body) {
  const b = document.createElement("button");
  b.textContent = text;
  b.onclick = () => act(typeof body === "function" ? body() : body);
  return b;
}
function fill(select, words) {
  if (select.options.length) return;
  for (const word of words) select.add(new Option(word, word));
}
function circles(state) {
  const wagers = [...new Set(state.circles.map(c => c.wager))];
  const table = document.createElement("table");
  table.append(row("th", ["Seat", ...wagers.map(w => w.replaceAll("_", " "))]));
  for (let seat = 1; seat <= 6; seat++) {
    const tr = row("th", [String(seat)]);
    for (const wager of wagers) tr.append(cell(state.circles.find(c => c.seat === seat && c.wager === wager)));
    table.append(tr);
  }
  by("circles").replaceChildren(...table.childNodes);
}
function row(tag, texts) {
  const tr = document.createElement("tr");
  for (const text of texts) { const td = document.createElement(tag); td.textContent = text; tr.append(td); }
  return tr;
}
function cell(circle) {
  const td = document.createElement("td"), lamp = document.createElement("span"), fault = document.createElement("div");
  const key = circle.seat + ":" + circle.wager;
  td.className = "circle" + (chosen === key ? " chosen" : "");
  td.dataset.circle = key;
  lamp.className = "lamp " + circle.lamp; lamp.title = circle.lamp;
  const total = circle.chips.reduce((a, b) => a + b, 0);
  td.append(lamp, " ", total ? money(total) : "–");
  const chips = document.createElement("div");
  chips.className = "small"; chips.textContent = circle.chips.map(money).join(" ");
  fault.className = "fault small"; fault.textContent = circle.fault || "";
  td.append(chips, fault);
  td.onclick = () => { chosen = key; draw(last); };
  return td;
}
function chips(state) {
  by("chips").replaceChildren();
  if (!chosen) return;
  const [seat, wager] = chosen.split(":");
  const at = more => ({do: "chips", seat: Number(seat), wager, ...more});
  by("chips").append("Seat " + seat + " " + wager.replaceAll("_", " ") + ": ");
  for (const cents of state.chips) by("chips").append(button("+ " + money(cents), at({add: cents})));
  const lies = state.circles.find(c => c.seat === Number(seat) && c.wager === wager).chips;
  for (const cents of new Set(lies)) by("chips").append(button("− " + money(cents), at({take: cents})));
  by("chips").append(button("Clear", at({clear: true})));
}
function cards(state) {
  const nodes = Object.entries(state.cards).map(([place, face]) => {
    const b = document.createElement("button");
    b.textContent = place.replaceAll("_", " ") + ": " + (seen.has(place) ? face || "unknown" : "face down");
    b.onclick = () => { seen.has(place) ? seen.delete(place) : seen.add(place); draw(last); };
    return b;
  });
  if (!nodes.length) seen.clear();
  by("cards").replaceChildren(...nodes);
}
function draw(state) {
  last = state;
  by("phase").textContent = "Round " + state.round + ", " + state.phase;
  by("display").href = "http://127.0.0.1:" + state.display + "/";
  by("prompt").textContent = state.prompt;
  by("exit").textContent = state.exit || "nothing";
  by("shoe_fault").textContent = state.shoe_fault || "";
  fill(by("shoe_kind"), state.faults.shoe); fill(by("reader_kind"), state.faults.reader);
  if (!by("keys").childNodes.length) for (const key of state.keys) by("keys").append(button(key.replaceAll("_", " "), {do: "press", key}));
  circles(state); chips(state); cards(state);
}
for (const b of document.querySelectorAll("button[data-do]")) b.onclick = () => act({do: b.dataset.do});
by("break_shoe").onclick = () => act({do: "fault", device: "shoe", kind: by("shoe_kind").value, after: Number(by("after").value) || null});
by("break_reader").onclick = () => chosen ? act({do: "fault", device: chosen, kind: by("reader_kind").value}) : (by("said").textContent = "choose a circle first");
const live = new EventSource("/live");
live.onmessage = event => draw(JSON.parse(event.data));
live.onerror = () => { by("prompt").textContent = "The bench does not answer."; };
