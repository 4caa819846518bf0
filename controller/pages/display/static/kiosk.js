// The screen of a table is no browser: two fingers do not zoom it, a long press opens no menu, nothing is dragged.
// ENTER presses no key: badge and barcode readers type a line that ends with it, wherever the focus is. A keyboard
// moves with TAB and presses with SPACE; the ring of the focus is shown only to somebody who does.

const KIND = "data-input";
const own = { capture: true, passive: false };
const show = (/** @type {string} */ input) => document.documentElement.setAttribute(KIND, input);

show("touch");
for (const kind of ["contextmenu", "dragstart", "gesturestart"]) document.addEventListener(kind, (event) => event.preventDefault(), own);
document.addEventListener("touchmove", (event) => { if (event.touches.length > 1) event.preventDefault(); }, own);
document.addEventListener("wheel", (event) => { if (event.ctrlKey) event.preventDefault(); }, own);
document.addEventListener("pointerdown", () => show("touch"), own);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
  if (event.key === "Tab") show("keys");
}, own);
