// The rhythms of the lamps on the felt, shown by the icons on the screen: one animation per rhythm, made from the same
// table. They have a meaning, so they stay with reduced motion. An icon never disappears: in its dark phase it is
// dimmed to --dark.

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
 * Give `node` a rhythm, in step with all other nodes of that rhythm on the page.
 * @param {Element} node
 * @param {string} name
 */
export function beat(node, name) {
  const wanted = name === "steady" ? null : name;
  if (node.getAttribute("data-rhythm") === wanted) return;
  mark(node, "data-rhythm", wanted);
  for (const animation of node.getAnimations()) animation.startTime = 0;
}
