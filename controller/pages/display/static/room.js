// Brightness of screen and lamps, and the tones, set by hand: each tap is sent at once and lasts until the schedule's
// next change. Whatever sounds is also shown on the screen.

import { button, enable, h, mark, say, texts } from "./dom.js";
import { setScreen } from "./screen.js";
import { tones } from "./tones.js";
import { send } from "./touch.js";

const STEP = 10;
const MIN_PERCENT = { screen: 80, lamps: 20 };

/** Plays a tone for each new hold and call, not for those present when the page was opened. */
export class RoomWatch {
  constructor() {
    /** @type {Data.View | null} */
    this.before = null;
  }

  /** @param {Data.View} view */
  update(view) {
    if (view.room) setScreen(view.room);
    if (view.room?.sound) {
      tones.enable();
      if (this.before && view.hold && !this.before.hold) tones.play("hold");
      else if (this.before && view.floor_called && !this.before.floor_called) tones.play("call");
    }
    this.before = view;
  }
}

/** The text shown if tones are on and the browser blocks them, else null. @param {Data.View} view @returns {Data.Text} */
export const blocked = ({ room }) => (room?.sound && tones.blocked ? texts.sound_blocked : null);

/** Send a setting; the panel stays open. @param {import("./panel.js").Panels} panels @param {Data.Touch} touch */
async function change(panels, touch) {
  const { words } = await send(touch);
  if (words) panels.onRefused(words);
}

/** @param {import("./panel.js").Panels} panels @param {Data.View} view */
export function openRoom(panels, view) {
  const screen = level(panels, "screen", texts.screen_brightness);
  const lamps = level(panels, "lamps", texts.lamp_brightness);
  const sound = button("", () => {
    tones.enable();
    void change(panels, { do: "room", sound: !now.room?.sound });
  }, { class: "wide" });
  const note = h("p", { class: "note" }, texts.room_note);
  let now = view;
  /** @param {Data.View} fresh */
  const update = (fresh) => {
    now = fresh;
    if (!fresh.room) return;
    screen.update(fresh.room.screen);
    lamps.update(fresh.room.lamps);
    say(sound, fresh.room.sound ? texts.sound_on : texts.sound_off);
    mark(sound, "aria-pressed", fresh.room.sound ? "true" : "false");
    say(note, blocked(fresh) ?? texts.room_note);
  };
  panels.open(texts.room, h("div", { class: "room" }, screen.node, lamps.node, sound, note), { onUpdate: update });
  update(view);
}

/**
 * A row of a setting: the key for less, the level, the key for more.
 * @param {import("./panel.js").Panels} panels
 * @param {"screen" | "lamps"} name
 * @param {string} label
 */
function level(panels, name, label) {
  let percent = 100;
  /** @param {number} by */
  const move = (by) => void change(panels, { do: "room", [name]: Math.min(100, Math.max(MIN_PERCENT[name], percent + by)) });
  const darker = button("−", () => move(-STEP), { "aria-label": `${label}: ${texts.darker}` });
  const brighter = button("+", () => move(STEP), { "aria-label": `${label}: ${texts.brighter}` });
  const shown = h("output", {});
  /** @param {number} fresh */
  const update = (fresh) => {
    percent = fresh;
    say(shown, `${label} ${percent} %`);
    enable(darker, percent > MIN_PERCENT[name]);
    enable(brighter, percent < 100);
  };
  return { node: h("div", { class: "level" }, darker, shown, brighter), update };
}
