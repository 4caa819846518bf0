// The texts of the felt's page, in its language.

import { fill, texts as pageTexts } from "/display/dom.js";

export { fill };

/** @type {Felt.Texts} */
export const texts = /** @type {any} */ (pageTexts);
/** The texts of the felt itself; those of a practice are `texts.practice`. */
export const words = texts.felt;

/** "1 drill", "2 drills". @param {Felt.Counted} text @param {number} count */
export const counted = (text, count) => (count === 1 ? text.one : fill(text.many, { count }));

/** "Seat 3 Across". @param {number} seat @param {string} wager */
export const circleName = (seat, wager) => fill(words.circle, { seat, wager: texts.wagers[wager] ?? wager });
