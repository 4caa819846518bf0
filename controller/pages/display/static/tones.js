// Short tones for a hold and a call, made by Web Audio. They are never the only signal: a screen shows the same. A
// browser lets no page sound before it was touched (its autoplay policy); until then `blocked` is true.

/** Frequencies in Hz, in the order played. @type {Record<"hold" | "call", number[]>} */
const TONES = { hold: [660, 440, 660, 440], call: [880, 1100] };
const TONE_S = 0.18;
const FADE_S = 0.02;
const VOLUME = 0.25;

class Tones {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    /** Number of tones played since the page was opened. */
    this.played = 0;
  }

  /** Prepare to sound; the browser permits it on a page that was touched. */
  enable() {
    this.context ??= new AudioContext();
    // not awaited: it resolves only when the browser permits sound
    if (this.context.state === "suspended") void this.context.resume();
  }

  get blocked() {
    return this.context?.state === "suspended";
  }

  /** @param {"hold" | "call"} kind */
  play(kind) {
    const context = this.context;
    if (!context || context.state !== "running") return;
    this.played += 1;
    document.documentElement.setAttribute("data-tones", String(this.played));
    TONES[kind].forEach((hertz, at) => tone(context, hertz, context.currentTime + at * TONE_S));
  }
}

/** @param {AudioContext} context @param {number} hertz @param {number} begins */
function tone(context, hertz, begins) {
  const source = context.createOscillator(), volume = context.createGain();
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(VOLUME, begins + FADE_S);
  volume.gain.setValueAtTime(VOLUME, begins + TONE_S - FADE_S);
  volume.gain.linearRampToValueAtTime(0, begins + TONE_S);
  source.connect(volume).connect(context.destination);
  source.start(begins);
  source.stop(begins + TONE_S);
}

export const tones = new Tones();
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, () => { if (tones.context) tones.enable(); }, true);
}
