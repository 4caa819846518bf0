// The brightness of this screen: the table's setting, kept for the pages that have no line to the table, such as a
// manual. A filter on the whole page; contrast stays that of WCAG AA down to the dimmest setting (test_room.py).

const KEPT = "crisscross_screen";

/** @param {number} percent */
function filtered(percent) {
  document.documentElement.style.filter = percent < 100 ? `brightness(${percent}%)` : "";
}

/** @param {Data.Room} room */
export function setScreen({ screen }) {
  const kept = String(screen);
  if (localStorage.getItem(KEPT) === kept) return;
  localStorage.setItem(KEPT, kept);
  filtered(screen);
}

if (globalThis.localStorage) {
  const percent = Number(localStorage.getItem(KEPT));
  if (percent > 0) filtered(percent);
}
