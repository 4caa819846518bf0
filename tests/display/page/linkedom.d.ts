// The one thing that the unit tests use of linkedom; its own declarations do not agree with the browser's.

export function parseHTML(html: string): { window: Window & typeof globalThis; document: Document };
