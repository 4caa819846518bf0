// The floor's page never takes the dealer's place for good: when nobody has touched it for a while it goes back, later
// where something is half entered. `?idle=SECONDS` sets the while; 0 stays, for a screen that is not the dealer's.

const WHILE_S = 60;
const ENTERING = 3;

/**
 * @param {() => boolean} entering something stands half entered
 * @param {() => void} back
 */
export function returnWhenIdle(entering, back) {
  const seconds = Number(new URLSearchParams(location.search).get("idle") ?? WHILE_S);
  if (!(seconds > 0)) return;
  let touched = performance.now();
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { touched = performance.now(); }, true);
  setInterval(() => {
    const patience = seconds * 1000 * (entering() ? ENTERING : 1);
    if (performance.now() - touched >= patience) back();
  }, 500);
}
