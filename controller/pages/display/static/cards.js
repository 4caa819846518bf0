// A card as in the view: {lies: none|down|up|unknown, face: "TH"|null}. The view has no face of a card that lies face
// down, and this module reads the face only if the card lies face up.

import { h, mark, say, texts } from "./dom.js";
import { icon } from "./icons.js";

/** @type {Record<string, string>} */
const SUITS = { S: texts.spades, H: texts.hearts, D: texts.diamonds, C: texts.clubs };
const LYING = { none: texts.card_none, down: texts.card_down, unknown: texts.card_unread, up: "" };

/** @param {string} face */
export const rankText = (face) => (face[0] === "T" ? "10" : face[0]);
/** @param {string} suit */
export const suitName = (suit) => SUITS[suit];

export class Card {
  constructor() {
    this.rank = h("span");
    this.letter = h("span", { class: "letter" });
    this.said = h("span", { class: "hidden-text" });
    this.node = h("span", { class: "card", "data-lies": "none" }, this.said);
    this.shown = "none";
  }

  /**
   * @param {Data.Card | undefined} card
   * @param {"five" | "making" | null} part what it is in the hand that is named
   */
  update(card, part = null) {
    mark(this.node, "data-hand", part);
    const face = card?.lies === "up" ? card.face : null;
    const wanted = face ?? card?.lies ?? "none";
    if (wanted === this.shown) return;
    this.shown = wanted;
    mark(this.node, "data-lies", card?.lies ?? "none");
    mark(this.node, "data-suit", face ? face[1] : null);
    mark(this.node, "data-card", face);
    if (face) this.#faceUp(face);
    else this.#noFace(card?.lies ?? "none");
  }

  /** @param {string} face */
  #faceUp(face) {
    say(this.rank, rankText(face));
    say(this.letter, face[1]);
    this.node.replaceChildren(this.rank, this.letter, icon(face[1]));
  }

  /** @param {Data.Card["lies"]} lies */
  #noFace(lies) {
    say(this.said, `${LYING[lies]} `);
    say(this.rank, lies === "unknown" ? "?" : "");
    this.node.replaceChildren(this.said, this.rank);
  }
}

/** Faces seen by everybody; they cannot be entered again. @param {Data.View} view */
export function seenFaces(view) {
  const cards = [...Object.values(view.cross), ...(view.bonus_cards ?? []), ...view.seats.flatMap((s) => s.cards)];
  return new Set(cards.flatMap((card) => (card.lies === "up" && card.face ? [card.face] : [])));
}
