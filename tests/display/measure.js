// What is on the screen but cut off: words wider or taller than their box, boxes over the edge of the window.
() => {
  const over = [];
  const named = ".where, .do, .more, .key, .choices button, .board button, .prompt, .phase";
  for (const node of document.querySelectorAll(named)) {
    if (node.offsetParent === null) continue;
    const box = node.getBoundingClientRect();
    const name = `${node.className} ${node.textContent}`;
    const inside = box.left > -1 && box.top > -1 && box.right < innerWidth + 1 && box.bottom < innerHeight + 1;
    const clips = getComputedStyle(node).overflow === "hidden" || node.tagName === "BUTTON";
    if (!inside) over.push(`outside: ${name}`);
    if (clips && node.scrollHeight > node.clientHeight + 1) over.push(`too tall: ${name}`);
    if (node.scrollWidth > node.clientWidth + 1) over.push(`too wide: ${name}`);
  }
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) over.push("scrolls");
  const words = document.querySelector(".prompt .words").getBoundingClientRect();
  const box = document.querySelector(".prompt").getBoundingClientRect();
  if (words.top < box.top - 1 || words.bottom > box.bottom + 1) over.push("prompt overflows");
  return over;
}
