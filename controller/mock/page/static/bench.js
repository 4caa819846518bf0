// The technician's page: draws the bench as its route gives it, and sends what hands do to it.

/** @typedef {{seat: number, wager: string, chips: number[], lamp: string, fault: string | null}} Circle */
/** @typedef {{
 *   phase: string, round: number, prompt: string, display: number, circles: Circle[],
 *   cards: Record<string, string | null>, exit: string | null, shoe_fault: string | null, chips: number[],
 *   faults: {shoe: string[], reader: string[]}, keys: string[],
 * }} Bench */
/** What hands do, as page.py reads it. @typedef {{do: string} & Record<string, unknown>} Act */

/** @type {string | null} a circle as "seat:wager" */
let chosen = null;
/** @type {Bench | null} */
let last = null;
/** The places whose cards are being looked at. @type {Set<string>} */
const seen = new Set();

/** @param {string} id */
const by = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (by(id));
/** @param {number} cents */
const money = (cents) => "$" + (cents / 100).toLocaleString("en-US");
/** @param {string} name */
const words = (name) => name.replaceAll("_", " ");
/** @param {Circle} circle */
const keyOf = (circle) => `${circle.seat}:${circle.wager}`;

/** @param {Act} body */
async function act(body) {
  const answer = await fetch("/act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const said = await answer.json();
  by("said").textContent = said.refused || said.error || said.said || "";
}

/**
 * @param {string} text
 * @param {() => void} onclick
 */
function button(text, onclick) {
  const node = document.createElement("button");
  node.textContent = text;
  node.onclick = onclick;
  return node;
}

/**
 * @param {string} tag
 * @param {string} kind its class
 * @param {string} text
 */
function piece(tag, kind, text) {
  const node = document.createElement(tag);
  node.className = kind;
  node.textContent = text;
  return node;
}

/** @param {Bench} bench */
function circles(bench) {
  const wagers = [...new Set(bench.circles.map((circle) => circle.wager))];
  const rows = [1, 2, 3, 4, 5, 6].map((seat) => row(piece("th", "", String(seat)), ...wagers.map((wager) =>
    cell(bench.circles.find((circle) => circle.seat === seat && circle.wager === wager)))));
  by("circles").replaceChildren(row(...["Seat", ...wagers.map(words)].map((text) => piece("th", "", text))), ...rows);
}

/** @param {HTMLElement[]} cells */
function row(...cells) {
  const node = document.createElement("tr");
  node.append(...cells);
  return node;
}

/** @param {Circle | undefined} circle */
function cell(circle) {
  if (!circle) return piece("td", "", "");
  const key = keyOf(circle);
  const node = piece("td", chosen === key ? "circle chosen" : "circle", "");
  node.dataset.circle = key;
  const lamp = piece("span", `lamp ${circle.lamp}`, "");
  lamp.title = circle.lamp;
  const total = circle.chips.reduce((sum, cents) => sum + cents, 0);
  node.append(lamp, " ", total ? money(total) : "–", piece("div", "small", circle.chips.map(money).join(" ")),
    piece("div", "fault small", circle.fault ?? ""));
  node.onclick = () => {
    chosen = key;
    again();
  };
  return node;
}

/** What may be laid into the chosen circle, and taken from it. @param {Bench} bench */
function chips(bench) {
  const circle = bench.circles.find((each) => keyOf(each) === chosen);
  by("chips").replaceChildren();
  if (!circle) return;
  const { seat, wager } = circle;
  /** @param {Record<string, unknown>} what */
  const at = (what) => () => act({ do: "chips", seat, wager, ...what });
  by("chips").append(`Seat ${seat} ${words(wager)}: `,
    ...bench.chips.map((cents) => button(`+ ${money(cents)}`, at({ add: cents }))),
    ...[...new Set(circle.chips)].map((cents) => button(`− ${money(cents)}`, at({ take: cents }))),
    button("Clear", at({ clear: true })));
}

/** @param {Bench} bench */
function cards(bench) {
  const nodes = Object.entries(bench.cards).map(([place, face]) =>
    button(`${words(place)}: ${seen.has(place) ? face || "unknown" : "face down"}`, () => {
      if (!seen.delete(place)) seen.add(place);
      again();
    }));
  if (!nodes.length) seen.clear();
  by("cards").replaceChildren(...nodes);
}

/**
 * @param {string} id
 * @param {string[]} names
 */
function fill(id, names) {
  const select = /** @type {HTMLSelectElement} */ (by(id));
  if (!select.options.length) for (const name of names) select.add(new Option(name, name));
}

function again() {
  if (last) draw(last);
}

/** @param {Bench} bench */
function draw(bench) {
  last = bench;
  by("phase").textContent = `Round ${bench.round}, ${bench.phase}`;
  by("display").setAttribute("href", `http://127.0.0.1:${bench.display}/`);
  by("prompt").textContent = bench.prompt;
  by("exit").textContent = bench.exit || "nothing";
  by("shoe_fault").textContent = bench.shoe_fault || "";
  fill("shoe_kind", bench.faults.shoe);
  fill("reader_kind", bench.faults.reader);
  if (!by("keys").childNodes.length) by("keys").append(...bench.keys.map((key) => button(words(key), () => act({ do: "press", key }))));
  circles(bench);
  chips(bench);
  cards(bench);
}

for (const node of document.querySelectorAll("button")) {
  const { do: what } = node.dataset;
  if (what) node.onclick = () => act({ do: what });
}
by("break_shoe").onclick = () => act({
  do: "fault", device: "shoe", kind: field("shoe_kind").value, after: Number(field("after").value) || null,
});
by("break_reader").onclick = () => {
  if (chosen) act({ do: "fault", device: chosen, kind: field("reader_kind").value });
  else by("said").textContent = "choose a circle first";
};
const live = new EventSource("/live");
live.onmessage = (event) => draw(JSON.parse(event.data));
live.onerror = () => { by("prompt").textContent = "The bench does not answer."; };

export {};
