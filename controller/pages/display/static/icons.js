// All icons of the pages, drawn here so that none depends on a font. Each is understood without its colour.

/** @type {Record<string, string>} */
const SHAPES = {
  // settlement: the dealer takes the chips, leaves them, or pays the player
  take: "M2 2h20v20H2zM12 19l6-7h-4V5h-4v7H6z",
  push: "M7 3h10l5 9-5 9H7l-5-9zM7 8.5v2.6h10V8.5zM7 13v2.6h10V13z",
  pay: "M12 1l11.5 21H.5zM10.5 19h3v-5h3L12 8l-4.500 6h3z",
  // lamps
  off: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  open: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 3a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  accepted: "M9.500 19L2.500 12l2.600-2.600 4.400 4.400L18.900 4.500l2.600 2.600z",
  call: "M2 3h20v14h-9l-5 5v-5H2zM10.500 13v2.500h3V13zM12 4.800c-2.300 0-4 1.300-4.200 3.500h2.600c.1-.8.7-1.300 1.600-1.300s1.500.5 1.500 1.200c0 1.100-2.800 1.300-2.800 3.800h2.600c0-1.400 2.900-1.600 2.900-4 0-1.900-1.800-3.200-4.200-3.200z",
  refused: "M5 2.500L12 9.500l7-7L21.500 5l-7 7 7 7-2.500 2.500-7-7-7 7L2.500 19l7-7-7-7z",
  fault: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm0 3c1.700 0 3.300.5 4.600 1.400L5.400 16.600A8 8 0 0 1 12 4zm0 16c-1.700 0-3.300-.5-4.600-1.400L18.600 7.400A8 8 0 0 1 12 20z",
  // actions that a prompt asks for
  give: "M9 2v5h6a7 7 0 0 1 0 15H7v-4h8a3 3 0 0 0 0-7H9v5L2 9z",
  wait: "M5 2h14v4l-5 6 5 6v4H5v-4l5-6-5-6z",
  ask: "M2 3h20v14h-9l-5 5v-5H2z",
  turn: "M3 4h8v16H3zM13 6l8-2v16l-8-2zM14.500 9v6l5 1.200V7.800z",
  enter: "M3 21l1.200-5.200L16 4l4 4L8.200 19.800zM17 3l2-2 4 4-2 2z",
  cards: "M8 2h13v16h-2V4H8zM3 6h13v16H3z",
  bets: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  sign: "M3 20h18v2H3zM4 17c4-14 8-14 7-7-.6 4 2 4 3 1 1-2 2-2 2 0s2 3 4 1l1 1.500c-3 3-7 2-7-1-2 4-7 3-6-2 .5-3-1-2-4 7z",
  stub: "M4 14h16v3H4zM4 18.500h16v3H4zM4 9.500h16v3H4zM4 5h16v3H4z",
  // grades
  notice: "M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm-1.500 9.500h3V18h-3zm0-4.500h3v3h-3z",
  alert: "M12 1l11.500 21H.5zm-1.500 7v7h3V8zm0 8.500v3h3v-3z",
  hold: "M7.500 1h9L23 7.500v9L16.500 23h-9L1 16.500v-9zM6 10v4h12v-4z",
  hand: "M9 2h2v9h1V1h2v10h1V3h2v9h1V6h2v10c0 4-2.500 7-6.500 7S7.600 20.500 6 17l-3-5.500 2-1L8 14V2z",
  // suits
  S: "M12 1c3 5 9 8 9 13a4.600 4.600 0 0 1-8 3c.2 2.500 1 4.200 2.500 6h-7c1.500-1.800 2.300-3.500 2.500-6a4.600 4.600 0 0 1-8-3c0-5 6-8 9-13z",
  H: "M12 22C5 16 1.500 12.500 1.500 8A5.500 5.500 0 0 1 12 5.500 5.500 5.500 0 0 1 22.500 8c0 4.500-3.500 8-10.500 14z",
  D: "M12 1l8.500 11L12 23 3.500 12z",
  C: "M12 1.500a5 5 0 0 1 3.700 8.300A5 5 0 1 1 13 17c.2 2.400 1 4 2.500 5.500h-7C10 21 10.800 19.400 11 17a5 5 0 1 1-2.700-7.200A5 5 0 0 1 12 1.500z",
};

const SPACE = "http://www.w3.org/2000/svg";

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("fill-rule", "evenodd");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  svg.dataset.icon = name;
  return svg;
}

/**
 * Put the icon `name` into `node` unless it is there already.
 * @param {Element} node
 * @param {string | null} name null takes it away
 */
export function show(node, name) {
  const now = node.firstElementChild?.getAttribute("data-icon");
  if (now === name) return;
  node.replaceChildren(...(name ? [icon(name)] : []));
}
