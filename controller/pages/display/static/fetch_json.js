// Requests whose answers are JSON.

/**
 * Return an answer, or null without a whole one: no connection, no answer in time, or an answer that ends early.
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<{ok: boolean, status: number, data: any} | null>}
 */
export async function fetchJson(address, options) {
  try {
    const answer = await fetch(address, options);
    return { ok: answer.ok, status: answer.status, data: await answer.json() };
  } catch {
    return null;
  }
}
