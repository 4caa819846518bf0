// Small helpers for the DOM. Text goes in as text, never as markup; an element is touched only when
// something about it changed, so nothing moves or loses focus by itself.

export const texts = JSON.parse(document.getElementById("texts").textContent);

/** h("button", {class: "go", onclick: f}, "text", child…) */
export function h(tag, props = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...kids.filter((kid) => kid !== null && kid !== undefined));
  return node;
}

export function say(node, text) {
  const wanted = text ?? "";
  if (node.textContent !== wanted) node.textContent = wanted;
}

export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

export function enable(button, on) {
  mark(button, "aria-disabled", on ? null : "true");
}

/** Whole cents to "$1,250" or "$7.50". */
export function money(cents, sign = "$") {
  const dollars = Math.floor(cents / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = cents % 100;
  return sign + dollars + (rest ? "." + String(rest).padStart(2, "0") : "");
}

/** "Look {x} up" for the texts that the page itself fills. */
export const seatName = (seat) => `${texts.seat} ${seat}`;

export function placeName(place) {
  const own = /^seat_([1-6])_([12])$/.exec(place);
  return own ? texts.places.of_seat.replace("{seat}", own[1]).replace("{card}", own[2]) : texts.places[place];
}

export function button(label, onclick, props = {}) {
  const act = (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") onclick(event);
  };
  return h("button", { type: "button", ...props, onclick: act }, label);
}
