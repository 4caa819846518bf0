// Shows the page only after its font has loaded: a text that changes its width under a finger would move the key
// beside it. Without the font the page appears after the time for which a browser would hide the text.

const HIDDEN_MS = 3000;

await Promise.race([
  document.fonts.load("16px Inter").catch(() => []),
  new Promise((resolve) => { setTimeout(resolve, HIDDEN_MS); }),
]);

export {};
