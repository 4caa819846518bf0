// Kiosk behaviour of a table's screen: no zoom by two fingers, no menu on a long press, no dragging. ENTER presses no
// key, because badge and barcode readers type a line that ends with it wherever the focus is. On a keyboard TAB moves
// the focus and SPACE presses; the focus ring is shown only after a keyboard was used.

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
