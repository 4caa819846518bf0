// Small helpers for the DOM. Text is inserted as text, never as markup. An element is updated only if something about
// it changed, so that nothing moves or loses focus without a reason.

import "./screen.js";

/** @type {Data.Texts} */
export const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "");

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */
/** @typedef {Node | string | null | undefined} Kid */

/**
 * Create an element: h("button", {class: "go", onclick: f}, "text", child…)
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Value>} props
 * @param {Kid[]} kids
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...kids.filter((kid) => kid !== null && kid !== undefined));
  return node;
}

/**
 * @param {Node} node
 * @param {Data.Text | undefined} text
 */
export function say(node, text) {
  const wanted = text ?? "";
  if (node.textContent !== wanted) node.textContent = wanted;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value null and false take the attribute away
 */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * @param {Element} node
 * @param {boolean} on
 */
export function enable(node, on) {
  mark(node, "aria-disabled", on ? null : "true");
}

/** Whole cents as text: "$1,250" or "$7.50". @param {number} cents */
export function money(cents, sign = "$") {
  const dollars = Math.floor(cents / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = cents % 100;
  return sign + dollars + (rest ? "." + String(rest).padStart(2, "0") : "");
}

/** Put values into the placeholders of a text. @param {string} text @param {Record<string, string | number>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_whole, name) => String(values[name] ?? ""));

/** The name of a seat, such as "Seat 3". @param {number} seat */
export const seatName = (seat) => `${texts.seat} ${seat}`;

/** @param {string} place */
export function placeName(place) {
  const own = /^seat_([1-6])_([12])$/.exec(place);
  return own ? texts.places.of_seat.replace("{seat}", own[1]).replace("{card}", own[2]) : texts.places[place];
}

/**
 * @param {string} label
 * @param {(event: Event & {currentTarget: HTMLButtonElement}) => void} onclick
 * @param {Record<string, Value>} props
 */
export function button(label, onclick, props = {}) {
  /** @param {Event & {currentTarget: HTMLButtonElement}} event */
  const act = (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") onclick(event);
  };
  return h("button", { type: "button", ...props, onclick: act }, label);
}
