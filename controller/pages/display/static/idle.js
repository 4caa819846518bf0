// Returns the dealer's screen from the floor page to the dealer's page after `IDLE_S` without a touch, later if an
// entry is unfinished. `?idle=SECONDS` sets the time; 0 turns it off, for a screen that is not the dealer's.

const IDLE_S = 60;
const ENTRY_FACTOR = 3;

/**
 * @param {() => boolean} entering returns whether an entry is unfinished
 * @param {() => void} back leaves the page; called once, because a second call would start a slow navigation again
 */
export function returnWhenIdle(entering, back) {
  const seconds = Number(new URLSearchParams(location.search).get("idle") ?? IDLE_S);
  if (!(seconds > 0)) return;
  let touched = performance.now();
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { touched = performance.now(); }, true);
  const checking = setInterval(() => {
    const limit = seconds * 1000 * (entering() ? ENTRY_FACTOR : 1);
    if (performance.now() - touched < limit) return;
    clearInterval(checking);
    back();
  }, 500);
}
