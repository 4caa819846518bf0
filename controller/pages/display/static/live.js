// The connection to the daemon: receives complete views by push and detects its loss. A view or a heartbeat comes
// twice a second. If none has come for `LOST_AFTER_MS`, the daemon counts as lost, and the page must show nothing that
// it received before.

const LOST_AFTER_MS = 1600;
const CHECK_INTERVAL_MS = 150;
const LATE_CHECK_MS = 600;
const RETRY_DELAY_MS = 500;

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
    this.heard = this.checked = performance.now();
    this.late = false;
    this.line = this.#connect();
    setInterval(() => this.#check(), CHECK_INTERVAL_MS);
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

  // Drop the connection after a silence. A late check follows a pause of the page itself, whose messages still wait to
  // be read: the next check decides, even if it is late too.
  #check() {
    const now = performance.now();
    this.late = !this.late && now - this.checked > LATE_CHECK_MS;
    this.checked = now;
    if (!this.late && now - this.heard > LOST_AFTER_MS) this.#drop();
  }

  // Reload if the server has another page: a controller without a table to show yet answers with its reason, and a pit
  // whose user must sign in again with the sign-in.
  async #giveWay() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.status === 503 || answer?.status === 401) location.reload();
  }

  // Connect again: after a loss only a new connection with a new view counts. A connection without any answer is
  // replaced too.
  #drop() {
    this.line.close();
    this.heard = performance.now();
    if (!this.lost) this.onLost();
    this.lost = true;
    clearTimeout(this.again);
    this.again = setTimeout(() => (this.line = this.#connect()), RETRY_DELAY_MS);
  }
}
