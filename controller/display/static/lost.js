// The screen that has lost the daemon: full size, and nothing else on it.

import { h, texts } from "./dom.js";

export function lostScreen() {
  return h("main", { class: "lost" }, h("div", { role: "alert" }, h("h1", {}, texts.lost), h("p", {}, texts.lost_what),
    h("p", { class: "do" }, texts.lost_do), h("p", {}, texts.lost_back)));
}
