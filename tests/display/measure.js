// What is wrong with the picture on the screen: words that are cut, covered or laid over one another, too
// little contrast, letters or targets too small, anything that scrolls. Waits for the view of that version first.
// Returns {wrong: [sentence], places: [[x, y, width, height]]}.
async ([version, target, least]) => {
  const shown = () => version === null || Number(document.querySelector(".page")?.dataset.version) === version;
  while (!shown()) await new Promise((go) => setTimeout(go, 2));

  const wrong = [];
  const seen = (node) => {
    const style = getComputedStyle(node);
    return style.visibility === "visible" && !node.closest(".hidden-text, [hidden], noscript, script");
  };
  const named = (node) => `${node.closest("[class]").className} "${node.textContent.trim()}"`;

  // Colours: [r, g, b, a], and the ratio of WCAG 1.4.3.
  const parsed = (text) => {
    const found = text.match(/[\d.]+/g).map(Number);
    return found.length === 3 ? [...found, 1] : found;
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const under = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const ground = parsed(getComputedStyle(at).backgroundColor);
      if (ground[3] === 1) return ground;
    }
    return [0, 0, 0, 1];
  };
  const contrast = (node) => {
    const [a, b] = [parsed(getComputedStyle(node).color), under(node)].map((c) => light(c.slice(0, 3)));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };

  // Every line of text as a box. Its ink fills the middle of what a font reserves for it.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const node = text.parentElement;
    if (!text.textContent.trim() || !seen(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const rim = box.height * 0.18;
      lines.push({ node, left: box.left + 0.5, right: box.right - 0.5, top: box.top + rim, bottom: box.bottom - rim });
    }
  }
  const panel = document.querySelector(".panel:not([hidden])");
  const open = lines.filter(({ node, left, right, top, bottom }) => {
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (above && (above.contains(node) || node.contains(above))) return true;
    if (!above || !panel?.contains(above)) wrong.push(`covered: ${named(node)}`);
    return false;
  });
  for (const { node, left, right, top, bottom } of open) {
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) wrong.push(`outside: ${named(node)}`);
    for (let at = node; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const box = at.getBoundingClientRect();
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1) wrong.push(`cut: ${named(node)}`);
    }
    const box = node.closest("button, .card, .circle, .prompt, .next")?.getBoundingClientRect();
    if (box && (left < box.left || right > box.right || top < box.top || bottom > box.bottom)) wrong.push(`over the edge: ${named(node)}`);
    const style = getComputedStyle(node);
    const size = parseFloat(style.fontSize);
    if (size < least) wrong.push(`letters of ${size} px: ${named(node)}`);
    const clear = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (contrast(node) < clear) wrong.push(`contrast ${contrast(node).toFixed(2)}: ${named(node)}`);
  }
  open.forEach((one, i) => open.slice(i + 1).forEach((other) => {
    const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
    if (!apart && one.node !== other.node) wrong.push(`overlap: ${named(one.node)} and ${named(other.node)}`);
  }));
  for (const shape of document.querySelectorAll("svg")) {
    if (shape.getBoundingClientRect().width && seen(shape) && shape.dataset.icon !== "off" && contrast(shape) < 3) wrong.push(`contrast of a shape: ${shape.dataset.icon}`);
  }
  for (const button of document.querySelectorAll("button, a.button")) {
    const { width, height } = button.getBoundingClientRect();
    if (width && Math.min(width, height) < target) wrong.push(`a target of ${width} x ${height}: ${named(button)}`);
  }
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) wrong.push("scrolls");

  const fixed = ".prompt, .next, .field, .key, .seat, .circle, .cross, .place, .alerts, .standing, .more-key";
  const places = [...document.querySelectorAll(fixed)].filter((node) => !panel?.contains(node)).map((node) => {
    const box = node.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].map(Math.round);
  });
  return { wrong: [...new Set(wrong)], places };
}
