// A manual, to be read and printed. The language that was asked for stays in every link. A table's goes back to the
// dealer's page by itself, since that screen may show it; `?idle=0` stays.

import { Help } from "./help.js";
import { returnWhenIdle } from "./idle.js";
import "./screen.js";

for (const link of document.querySelectorAll("a[href^='/']")) {
  const [path, anchor] = (link.getAttribute("href") ?? "").split("#");
  link.setAttribute("href", `${path}${location.search}${anchor ? `#${anchor}` : ""}`);
}
document.getElementById("print")?.addEventListener("click", () => window.print());
if (document.body.dataset.home === "page.to_dealer") returnWhenIdle(() => true, () => location.assign("/"));
new Help().into(document.getElementById("keys"));
