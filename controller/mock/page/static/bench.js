// The technician's bench: draws what lies on the mock table, sends what hands do to it.

/**
 * @typedef {{seat: number, wager: string, chips: number[], lamp: string, fault: string | null}} Circle
 * @typedef {{phase: string, round: number, prompt: string, display: number, circles: Circle[],
 *   cards: Record<string, string | null>, exit: string, shoe_fault: string | null, chips: number[],
 *   faults: {shoe: string[], reader: string[]}, keys: string[]}} State
 */

/** The circle that was chosen, as `seat:wager`. */
let chosen = "";
/** @type {State | null} */
let last = null;
/** Places whose cards have been looked at. @type {Set<string>} */
const seen = new Set();

/** @param {string} id */
function by(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** What was typed or chosen in a field. @param {string} id */
function value(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (by(id)).value;
}

/** @param {number} cents */
const money = cents => "$" + (cents / 100).toLocaleString("en-US");

/** @param {string} name */
const words = name => name.replaceAll("_", " ");

/** @param {object} body */
async function act(body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/act", { method: "POST", headers, body: JSON.stringify(body) });
  const said = await answer.json();
  by("said").textContent = said.refused || said.error || said.said || "";
}

/** @param {string} text @param {() => unknown} pressed */
function button(text, pressed) {
  const made = document.createElement("button");
  made.textContent = text;
  made.onclick = pressed;
  return made;
}

/** @param {string} tag @param {string[]} texts */
function row(tag, texts) {
  const tr = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(tag);
    cell.textContent = text;
    tr.append(cell);
  }
  return tr;
}

/** @param {string} name @param {string} text @param {string} [tag] */
function styled(name, text, tag = "div") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

/** @param {Circle} circle */
function circleCell(circle) {
  const cell = document.createElement("td");
  const key = `${circle.seat}:${circle.wager}`;
  cell.className = "circle" + (chosen === key ? " chosen" : "");
  cell.dataset.circle = key;
  const lamp = styled(`lamp ${circle.lamp}`, "", "span");
  lamp.title = circle.lamp;
  const total = circle.chips.reduce((sum, cents) => sum + cents, 0);
  cell.append(lamp, " ", total ? money(total) : "–");
  cell.append(styled("small", circle.chips.map(money).join(" ")), styled("fault small", circle.fault || ""));
  cell.onclick = () => {
    chosen = key;
    redraw();
  };
  return cell;
}

/** @param {State} state */
function drawCircles(state) {
  const wagers = [...new Set(state.circles.map(circle => circle.wager))];
  const seats = [...new Set(state.circles.map(circle => circle.seat))];
  const rows = seats.map(seat => {
    const tr = row("th", [String(seat)]);
    tr.append(...state.circles.filter(circle => circle.seat === seat).map(circleCell));
    return tr;
  });
  by("circles").replaceChildren(row("th", ["Seat", ...wagers.map(words)]), ...rows);
}

/** @param {State} state */
function drawChips(state) {
  const circle = state.circles.find(each => `${each.seat}:${each.wager}` === chosen);
  by("chips").replaceChildren();
  if (!circle) return;
  const { seat, wager } = circle;
  /** @param {string} text @param {object} what */
  const hand = (text, what) => button(text, () => act({ do: "chips", seat, wager, ...what }));
  by("chips").append(
    `Seat ${seat} ${words(wager)}: `,
    ...state.chips.map(cents => hand(`+ ${money(cents)}`, { add: cents })),
    ...[...new Set(circle.chips)].map(cents => hand(`− ${money(cents)}`, { take: cents })),
    hand("Clear", { clear: true }),
  );
}

/** @param {State} state */
function drawCards(state) {
  const cards = Object.entries(state.cards);
  if (!cards.length) seen.clear();
  by("cards").replaceChildren(
    ...cards.map(([place, face]) => {
      const shown = seen.has(place) ? face || "unknown" : "face down";
      return button(`${words(place)}: ${shown}`, () => {
        if (!seen.delete(place)) seen.add(place);
        redraw();
      });
    }),
  );
}

/** What never changes while the page is open. @param {State} state */
function drawOnce(state) {
  if (by("keys").childNodes.length) return;
  by("keys").append(...state.keys.map(key => button(words(key), () => act({ do: "press", key }))));
  by("shoe_kind").append(...state.faults.shoe.map(kind => new Option(kind, kind)));
  by("reader_kind").append(...state.faults.reader.map(kind => new Option(kind, kind)));
}

/** @param {State} state */
function draw(state) {
  last = state;
  by("phase").textContent = `Round ${state.round}, ${state.phase}`;
  by("display").setAttribute("href", `http://127.0.0.1:${state.display}/`);
  by("prompt").textContent = state.prompt;
  by("exit").textContent = state.exit || "nothing";
  by("shoe_fault").textContent = state.shoe_fault || "";
  drawOnce(state);
  drawCircles(state);
  drawChips(state);
  drawCards(state);
}

function redraw() {
  if (last) draw(last);
}

function breakReader() {
  if (chosen) return act({ do: "fault", device: chosen, kind: value("reader_kind") });
  by("said").textContent = "choose a circle first";
  return null;
}

for (const each of document.querySelectorAll("button[data-do]")) {
  each.addEventListener("click", () => act({ do: each.getAttribute("data-do") }));
}
by("break_shoe").onclick = () =>
  act({ do: "fault", device: "shoe", kind: value("shoe_kind"), after: Number(value("after")) || null });
by("break_reader").onclick = breakReader;

const live = new EventSource("/live");
live.onmessage = event => draw(JSON.parse(event.data));
live.onerror = () => {
  by("prompt").textContent = "The bench does not answer.";
};
