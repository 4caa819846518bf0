// The chip rack and the hand: a chip is chosen and laid by a tap on a circle, or dragged there; a pile is dragged to
// another circle or off the layout. A tap of any length counts if it begins and ends on the same circle.

import { h, money } from "/display/dom.js";
import { act } from "./line.js";
import { texts, words } from "./texts.js";

const FAR = 10;
/** Action of the hand at a circle: lays a chip of this many cents, or takes. @type {string} */
let tool = String(texts.chips.includes(500) ? 500 : texts.chips[0]);

/** @param {string} name */
const label = (name) => ({ one: words.take_one, all: words.take_all })[name] ?? money(Number(name));

/** @param {string} name */
function choice(name) {
  const input = h("input", { type: "radio", name: "tool", value: name, class: "hidden-text", checked: name === tool });
  input.addEventListener("change", () => { tool = name; });
  const chip = /^\d+$/.test(name) ? name : null;
  return h("label", { class: "tool", "data-chip": chip, "data-tool": name }, input, h("span", {}, label(name)));
}

/** @param {HTMLElement} root */
export function build(root) {
  const hint = h("p", { class: "hint" }, words.rack_hint);
  const legend = h("legend", { class: "hidden-text" }, words.rack);
  root.append(h("fieldset", {}, legend, ...[...texts.chips.map(String), "one", "all"].map(choice)), hint);
}

/** Carry out a tap on a circle. @param {string} circle */
function tap(circle) {
  if (tool === "one" || tool === "all") act({ do: "take", circle, all: tool === "all" });
  else act({ do: "lay", circle, chip: Number(tool) });
}

/** @typedef {{x: number, y: number, circle: string | null, chip: string | null, ghost: HTMLElement | null}} Grip */
/** @type {Grip | null} */
let grip = null;
let swallowed = false;

/** @param {EventTarget | null} target @param {string} name */
const holder = (target, name) =>
  target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(`[data-${name}]`)) : null;

/** @param {PointerEvent} event */
function down(event) {
  swallowed = false;
  const circle = holder(event.target, "circle")?.dataset.circle ?? null;
  const chip = circle ? null : holder(event.target, "tool")?.dataset.tool ?? null;
  const held = (circle || chip) && event.isPrimary && event.button === 0;
  grip = held ? { x: event.clientX, y: event.clientY, circle, chip, ghost: null } : null;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!grip) return;
  if (!grip.ghost && Math.hypot(event.clientX - grip.x, event.clientY - grip.y) > FAR) grip.ghost = lifted(grip);
  if (grip.ghost) grip.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
}

/** The chip or pile drawn under the finger. @param {Grip} from */
function lifted({ circle, chip }) {
  const pile = circle && document.querySelector(`[data-circle="${circle}"] .pile`);
  const ghost = h("div", { class: "ghost", "data-chip": pile ? pile.getAttribute("data-chip") : chip });
  document.body.append(ghost);
  return ghost;
}

/** @param {PointerEvent} event */
function up(event) {
  const from = grip;
  drop();
  if (!from?.ghost) return;
  swallowed = true;
  const into = holder(document.elementFromPoint(event.clientX, event.clientY), "circle")?.dataset.circle;
  if (from.circle && from.circle === into) tap(into);
  else if (from.circle && into) act({ do: "carry", circle: from.circle, into });
  else if (from.circle) act({ do: "take", circle: from.circle, all: true });
  else if (into && Number(from.chip)) act({ do: "lay", circle: into, chip: Number(from.chip) });
}

function drop() {
  grip?.ghost?.remove();
  grip = null;
}

/** @param {MouseEvent} event */
function clicked(event) {
  const circle = holder(event.target, "circle")?.dataset.circle;
  if (circle && !swallowed) tap(circle);
  swallowed = false;
}

document.addEventListener("pointerdown", down);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", up);
document.addEventListener("pointercancel", drop);
document.addEventListener("click", clicked);
