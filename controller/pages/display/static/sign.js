// A floorperson's signature: the reason, chosen from a list or typed, then badge and PIN. The last keys repeat the
// decision. A routine signature, such as that of a deck, needs no reason.

import { button, texts } from "./dom.js";
import { LETTERS, pinEntry } from "./entries.js";
import { choices, DIGITS, typing } from "./panel.js";

/** A decision without badge and reason. @typedef {Omit<Data.Touch, "do"> & {do?: string}} Decision */

const MAX_REASON_CHARS = 200;
const MAX_KEY_CHARS = 60;

export class Sign {
  /**
   * @param {import("./panel.js").Panels} panels
   * @param {(words: string) => void} onDone
   */
  constructor(panels, onDone) {
    this.panels = panels;
    this.onDone = onDone;
  }

  /**
   * @param {string} label what is decided
   * @param {Decision} touch with the subject that was read (`about`)
   */
  ask(label, touch) {
    const options = texts.reasons.split("|").map((reason) => ({ label: reason, value: reason }));
    const list = choices(options, (reason) => this.badge(label, { ...touch, reason }), 3);
    list.append(button(texts.own_words, () => this.#words(label, touch)));
    this.panels.open(`${label} · ${texts.reason}`, list, { subject: read(touch) });
  }

  /**
   * @param {string} label
   * @param {Decision} touch
   */
  #words(label, touch) {
    const entry = typing({
      keys: [...texts.letters, ...DIGITS, ".", ",", "-", " "],
      columns: 10,
      most: MAX_REASON_CHARS,
      shown: (typed) => typed || texts.own_words,
      accepts: (typed) => typed.trim() !== "",
      onEnter: (typed) => this.badge(label, { ...touch, reason: typed.trim() }),
      enterText: () => texts.enter,
    });
    this.panels.open(`${label} · ${texts.reason}`, entry, { form: "words", subject: read(touch) });
  }

  /**
   * Ask for the badge; its key shows the whole decision. `begun`: a badge typed before.
   * @param {string} label
   * @param {Decision} touch
   */
  badge(label, touch, begun = "") {
    const entry = typing({
      pad: true,
      keys: LETTERS,
      columns: 7,
      most: 16,
      scanned: true,
      shown: (typed) => typed || texts.badge,
      accepts: (typed) => typed !== "",
      begun,
      onEnter: (badge) => this.#pin(label, { do: "floor", ...touch, badge }),
      enterText: (typed) => (typed ? `${onKey(label)} · ${typed}` : onKey(label)),
    });
    this.panels.open(title(label, touch), entry, { form: "decide", subject: read(touch) });
  }

  /**
   * Ask for the PIN, shown only as its length; its key shows the whole decision too. The badge stays on the screen and
   * can be changed; after a wrong badge or PIN only one of them is typed again.
   * @param {string} label
   * @param {Data.Touch} touch
   */
  #pin(label, touch) {
    const badge = String(touch.badge);
    const entry = pinEntry((pin) => this.#send(label, { ...touch, pin }, () => this.#pin(label, touch)), onKey(label),
      { who: `${texts.badge} ${badge}`, onChange: () => this.badge(label, touch, badge) });
    this.panels.open(title(label, touch), entry, { form: "decide", subject: read(touch) });
  }

  /**
   * @param {string} label
   * @param {Data.Touch} touch
   * @param {() => void} again
   */
  async #send(label, touch, again) {
    if (await this.panels.deliver(touch, { not_proven: again })) this.onDone(`${texts.decided}: ${label}`);
  }
}

/** @param {Decision} touch @returns {import("./subject.js").Subject} */
const read = ({ about }) => ({ about: String(about) });

/**
 * @param {string} label
 * @param {Decision} touch
 */
const title = (label, { reason }) => (reason ? `${label} · ${reason}` : label);

/**
 * The decision for a key beside a pad. A long one is shortened to its effect: the title above has all of it.
 * @param {string} label
 */
function onKey(label) {
  return label.length > MAX_KEY_CHARS ? String(label.split(" · ").at(-1)) : label;
}
