// The brightness of this screen: the table's setting, stored for pages without a connection to the table, such as a
// manual. It is a filter on the whole page; contrast meets WCAG AA down to the dimmest setting (test_room.py).

const STORAGE_KEY = "crisscross_screen";

/** @param {number} percent */
function filtered(percent) {
  document.documentElement.style.filter = percent < 100 ? `brightness(${percent}%)` : "";
}

/** @param {Data.Room} room */
export function setScreen({ screen }) {
  const kept = String(screen);
  if (localStorage.getItem(STORAGE_KEY) === kept) return;
  localStorage.setItem(STORAGE_KEY, kept);
  filtered(screen);
}

if (globalThis.localStorage) {
  const percent = Number(localStorage.getItem(STORAGE_KEY));
  if (percent > 0) filtered(percent);
}
