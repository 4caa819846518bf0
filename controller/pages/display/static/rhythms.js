// The rhythms of the lamps on the felt, played by the shapes on the screen: one animation a rhythm, made from
// the same table. They carry meaning, so they stay where less motion is asked for. A shape never disappears:
// in its dark moment it is dimmed to --dark.

import { mark, texts } from "./dom.js";

const SLOT = 0.25;

/**
 * @param {string} name
 * @param {string} light a quarter of a second a sign: # lit, . dark
 */
export function rules(name, light) {
  const step = 100 / light.length;
  const frames = [...light].map((sign, i) => `${i * step}% { opacity: ${sign === "#" ? 1 : "var(--dark)"}; }`);
  return `@keyframes rhythm-${name} { ${frames.join(" ")} }
    [data-rhythm="${name}"] { animation: rhythm-${name} ${light.length * SLOT}s step-end infinite; }`;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(Object.entries(texts.rhythms).map(([name, light]) => rules(name, light)).join("\n"));
document.adoptedStyleSheets = [sheet];

/**
 * Gives `node` a rhythm, in step with all others of it on the page.
 * @param {Element} node
 * @param {string} name
 */
export function beat(node, name) {
  const wanted = name === "steady" ? null : name;
  if (node.getAttribute("data-rhythm") === wanted) return;
  mark(node, "data-rhythm", wanted);
  for (const animation of node.getAnimations()) animation.startTime = 0;
}
