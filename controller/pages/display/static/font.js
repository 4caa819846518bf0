// A page is drawn in its own font from the first moment: a text that changes its width under a finger moves the key
// beside it. A font that does not come holds nothing up for longer than a browser would hide the text.

const HIDDEN_MS = 3000;

await Promise.race([
  document.fonts.load("16px Inter").catch(() => []),
  new Promise((resolve) => { setTimeout(resolve, HIDDEN_MS); }),
]);

export {};
