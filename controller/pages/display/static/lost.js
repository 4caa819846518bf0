// A page that lives as long as its line to the daemon. The screen that has lost the daemon: full size, and
// nothing else on it, since everything that was shown is old.

import { h, texts } from "./dom.js";
import { Live } from "./live.js";

export function lostScreen() {
  return h("main", { class: "lost" }, h("div", { role: "alert" }, h("h1", {}, texts.lost), h("p", {}, texts.lost_what),
    h("p", { class: "do" }, texts.lost_do), h("p", {}, texts.lost_back)));
}

/**
 * Builds the page from the first view, hands it each new one, and takes it away when the daemon is lost.
 * @template {{node: HTMLElement, update: (view: any) => void}} Page
 * @param {(view: Data.View) => Page} build
 * @param {string} [path] the stream, where it is not that of the whole view
 */
export function showLive(build, path) {
  const root = document.getElementById("root") ?? document.body;
  /** @type {{page: Page | null}} */
  const shown = { page: null };
  new Live(
    (view) => {
      if (!shown.page) {
        shown.page = build(view);
        root.replaceChildren(shown.page.node);
      }
      shown.page.update(view);
    },
    () => {
      shown.page = null;
      root.replaceChildren(lostScreen());
    },
    path,
  );
  return shown;
}
