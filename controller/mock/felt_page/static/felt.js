// The felt: a table to operate by touch, built from the bench's state.

import { h, mark, say } from "/display/dom.js";
import "/display/font.js";
import { Help } from "/display/help.js";
import { Cards, Faults, Players, keys, wires } from "./desk.js";
import { Lesson } from "./lesson.js";
import { by, follow } from "./line.js";
import { build } from "./rack.js";
import { Table } from "./table.js";
import { fill, texts, words } from "./texts.js";

/** A part of the desk that can be folded. @param {string} title @param {boolean} open */
function part(title, open = false) {
  const node = h("details", { open }, h("summary", {}, title));
  by("desk").append(node);
  return node;
}

mark(by("screen"), "src", `http://${location.hostname}:${texts.display}/?lang=${texts.language}`);
const table = new Table(by("felt"));
const cards = new Cards();
build(by("rack"));
new Help().into(document.querySelector("header"));
keys(by("keys"));
const lesson = texts.has_lesson ? new Lesson(by("lesson")) : null;
const players = texts.has_lesson ? null : new Players(part(words.players, true));
const faults = texts.has_lesson ? null : new Faults(part(words.faults));
if (!texts.has_lesson) wires(part(words.wires));

follow((state, news) => {
  table.update(state, news);
  cards.update(state);
  players?.update(state);
  faults?.update(state);
  if (state.lesson && news.has("lesson")) lesson?.update(state.lesson);
  say(by("prompt"), state.prompt);
  say(by("where"), fill(words.where, { round: state.round, phase: texts.phases[state.phase] ?? "" }));
});
