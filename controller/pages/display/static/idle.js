// Returns the dealer's screen from the floor page to the dealer's page if nobody has touched it for `IDLE_S`, later
// if an entry is unfinished. `?idle=SECONDS` sets the time; 0 turns it off, for a screen that is not the dealer's.

const IDLE_S = 60;
const ENTRY_FACTOR = 3;

/**
 * @param {() => boolean} entering something stands half entered
 * @param {() => void} back
 */
export function returnWhenIdle(entering, back) {
  const seconds = Number(new URLSearchParams(location.search).get("idle") ?? IDLE_S);
  if (!(seconds > 0)) return;
  let touched = performance.now();
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { touched = performance.now(); }, true);
  setInterval(() => {
    const limit = seconds * 1000 * (entering() ? ENTRY_FACTOR : 1);
    if (performance.now() - touched >= limit) back();
  }, 500);
}
