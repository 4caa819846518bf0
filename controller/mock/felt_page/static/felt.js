// The felt: the table that one can touch, built from what the bench says of it.

import { h, mark, say } from "/display/dom.js";
import "/display/font.js";
import { Help } from "/display/help.js";
import { Cards, Faults, Players, keys, wires, words } from "./desk.js";
import { Lesson } from "./lesson.js";
import { by, follow } from "./line.js";
import { build } from "./rack.js";
import { Table, texts } from "./table.js";

/** A part of the desk that may be shut. @param {string} title @param {boolean} open */
function part(title, open = false) {
  const node = h("details", { open }, h("summary", {}, title));
  by("desk").append(node);
  return node;
}

mark(by("screen"), "src", `http://${location.hostname}:${texts.display}/`);
const table = new Table(by("felt"));
const cards = new Cards();
build(by("rack"));
document.querySelector("header")?.append(new Help().key);
keys(by("keys"));
const lesson = texts.practice ? new Lesson(by("lesson")) : null;
const players = texts.practice ? null : new Players(part("Players", true));
const faults = texts.practice ? null : new Faults(part("Faults"));
if (!texts.practice) wires(part("Wires"));

follow((state, news) => {
  table.update(state, news);
  cards.update(state);
  players?.update(state);
  faults?.update(state);
  if (state.lesson && news.has("lesson")) lesson?.update(state.lesson);
  say(by("prompt"), state.prompt);
  say(by("where"), `Round ${state.round}, ${words(state.phase)}`);
});
