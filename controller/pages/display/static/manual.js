// A manual to read and print. Every link keeps the requested language. A table's manual returns to the dealer's page
// after a while, since the dealer's screen may show it; `?idle=0` turns that off.

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
