// "Floor on the way, since 0:20": the span grows by this machine's clock, which is the table's.

import { say, texts } from "./dom.js";

const TICK_MS = 1000;

/** Minutes and seconds since an instant of the records. @param {string} utc */
export function since(utc) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(utc)) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The words, with the name of the floorperson or of the pit. @param {NonNullable<Data.View["on_the_way"]>} coming */
export const coming = ({ utc, who, pit }) => `${texts.on_the_way} ${since(utc)} · ${who || pit}`;

/** Writes the words that `words` gives now into a node, and each second while the node is on the page. */
export class Ticking {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.words = () => /** @type {Data.Text} */ ("");
    const timer = setInterval(() => (node.isConnected ? this.#write() : clearInterval(timer)), TICK_MS);
  }

  /** @param {() => Data.Text} words */
  show(words) {
    this.words = words;
    this.#write();
  }

  #write() {
    say(this.node, this.words());
  }
}
