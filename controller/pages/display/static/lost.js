// A page that is shown while the daemon is connected. After a loss, a message fills the screen and nothing else is
// shown, since all content is outdated.

import { h, texts } from "./dom.js";
import { Live } from "./live.js";

export function lostScreen() {
  return h("main", { class: "lost" }, h("div", { role: "alert" }, h("h1", {}, texts.lost), h("p", {}, texts.lost_what),
    h("p", { class: "do" }, texts.lost_do), h("p", {}, texts.lost_back)));
}

/**
 * Build the page from the first view, pass it each new one, and remove it when the daemon is lost.
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
