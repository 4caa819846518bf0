// The line to the daemon: whole views by push, and the certainty that it is still there.
// A view, or a beat at least, comes twice a second; when neither has come for LIMIT the daemon is
// gone and the page must not show anything it said before.

const LIMIT = 1600;
const LOOK = 150;
const AGAIN = 500;

export class Live {
  /**
   * @param {(view: any) => void} onView what the stream at `path` sends
   * @param {() => void} onLost
   */
  constructor(onView, onLost, path = "/api/live") {
    this.onView = onView;
    this.onLost = onLost;
    this.path = path;
    this.lost = false;
    this.heard = performance.now();
    this.line = this.#connect();
    setInterval(() => this.#look(), LOOK);
  }

  #connect() {
    const line = new EventSource(`${this.path}${location.search}`);
    line.onmessage = (event) => this.#view(line, event);
    line.addEventListener("beat", () => this.#sign(line));
    line.onerror = () => this.#broken(line);
    return line;
  }

  /** @param {EventSource} line */
  #sign(line) {
    if (line === this.line && !this.lost) this.heard = performance.now();
  }

  /**
   * @param {EventSource} line
   * @param {MessageEvent<string>} event
   */
  #view(line, event) {
    if (line !== this.line) return;
    this.heard = performance.now();
    this.lost = false;
    this.onView(JSON.parse(event.data));
  }

  /** @param {EventSource} line */
  #broken(line) {
    if (line !== this.line) return;
    if (line.readyState === EventSource.CLOSED) void this.#giveWay();
    this.#drop();
  }

  #look() {
    const silent = performance.now() - this.heard;
    if (silent > LIMIT) this.#drop();
  }

  // Where a controller answers that has no table to show yet, its answer says why: this page gives way to it. So does
  // the page of a pit whose user has to sign in again.
  async #giveWay() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.status === 503 || answer?.status === 401) location.reload();
  }

  // After a loss only a fresh connection with a fresh view counts. A line that answers nothing at all
  // is given up and tried again, too.
  #drop() {
    this.line.close();
    this.heard = performance.now();
    if (!this.lost) this.onLost();
    this.lost = true;
    clearTimeout(this.again);
    this.again = setTimeout(() => (this.line = this.#connect()), AGAIN);
  }
}
