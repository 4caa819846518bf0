// The texts of the felt's page, in the page's language.

import { fill, texts as pageTexts } from "/display/dom.js";

export { fill };

/** @type {Felt.Texts} */
export const texts = /** @type {any} */ (pageTexts);
/** Texts of the felt; those of a practice are in `texts.practice`. */
export const words = texts.felt;

/** A count as text, such as "1 drill" or "2 drills". @param {Felt.Counted} text @param {number} count */
export const counted = (text, count) => (count === 1 ? text.one : fill(text.many, { count }));

/** The name of a circle, such as "Seat 3 Across". @param {number} seat @param {string} wager */
export const circleName = (seat, wager) => fill(words.circle, { seat, wager: texts.wagers[wager] ?? wager });
