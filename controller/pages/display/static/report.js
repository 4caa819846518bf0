// Reports of events that no device can see: what, where, and how many or which face; the last step repeats the whole
// report. The view lists the reports on offer, `texts.asks` the questions of each.

import { h, placeName, seatName, texts } from "./dom.js";
import { rankText, suitName } from "./cards.js";
import { countEntry, faceEntry } from "./entries.js";
import { choices, summary } from "./panel.js";
import { CROSS } from "./picture.js";

/** @typedef {import("./panel.js").Panels} Panels */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {import("./subject.js").Subject} Subject */
/** A report so far. @typedef {{kind: string, said: string[], touch: Values, subject: Subject}} Report */
/** @typedef {(values: Values, said?: string) => void} Go */
/** A question's title and the elements that answer it. @typedef {[string, HTMLElement]} Question */

/**
 * Open the menu of all reports, or of those about one seat.
 * @param {Panels} panels
 * @param {Data.View} view
 * @param {number | null} seat
 */
export function openReports(panels, view, seat = null) {
  const subject = { about: view.about.cards };
  /** @param {string} kind */
  const start = (kind) => step(panels, view, begun(kind, subject), steps(kind, seat));
  if (seat === null) panels.open(texts.choose_what, menu(view.reports, start), { subject, form: "reports" });
  else panels.open(`${seatName(seat)} · ${texts.report}`, kinds(texts.of_seat, start, 5), { subject });
}

/** Columns of each group on a landscape screen; three rows hold all reports of a group. @type {Record<string, number>} */
const COLUMNS = { cards: 4, players: 2, table: 1 };

/** @type {Record<string, string>} */
const HEADINGS = { cards: texts.reports_cards, players: texts.reports_players, table: texts.reports_table };

/** @param {string[]} offered @param {(kind: string) => void} start @param {number} columns */
const kinds = (offered, start, columns) => choices(offered.map((kind) => ({ label: texts.reports[kind], value: kind })), start, columns);

/** The reports on offer, under the headings of their groups. @param {string[]} offered @param {(kind: string) => void} start */
function menu(offered, start) {
  const groups = Object.entries(texts.report_groups).map(([name, group]) => {
    const here = group.filter((kind) => offered.includes(kind));
    return here.length ? h("section", { "data-group": name, "aria-label": HEADINGS[name] },
      h("h3", {}, HEADINGS[name]), kinds(here, start, COLUMNS[name])) : null;
  });
  return h("div", { class: "groups" }, ...groups);
}

/**
 * Start one report at once, because a prompt asked for it.
 * @param {Panels} panels
 * @param {Data.View} view
 * @param {string} kind
 * @param {Subject} subject
 */
export function openReport(panels, view, kind, subject) {
  step(panels, view, begun(kind, subject), steps(kind, null));
}

/** @param {string} kind @param {Subject} subject @returns {Report} */
const begun = (kind, subject) => ({ kind, said: [texts.reports[kind]], touch: {}, subject });

/**
 * The questions of a report, without a seat that is known already.
 * @param {string} kind
 * @param {number | null} seat
 * @returns {(Data.Asked | {seat: number})[]}
 */
function steps(kind, seat) {
  return texts.asks[kind].map((name) => (seat !== null && (name === "seat" || name === "hand") ? { seat } : name));
}

/**
 * @param {Panels} panels
 * @param {Data.View} view
 * @param {Report} report
 * @param {(Data.Asked | {seat: number})[]} left
 */
function step(panels, view, report, left) {
  const [now, ...rest] = left;
  const options = { subject: report.subject };
  /** @type {Go} */
  const go = (values, said) => step(panels, view, {
    ...report, touch: { ...report.touch, ...values }, said: said ? [...report.said, said] : report.said,
  }, rest);
  if (now === undefined) {
    finish(panels, view, report, options);
  } else if (typeof now === "object") {
    go(now, seatName(now.seat));
  } else {
    const [title, body] = ASK[now](view, go, report);
    const form = now === "count" || now === "stub" ? "pad" : "";
    panels.open(`${texts.reports[report.kind]} · ${title}`, body, { ...options, form });
  }
}

/**
 * @param {Panels} panels
 * @param {Data.View} view
 * @param {Report} report
 * @param {{subject: Subject}} options
 */
function finish(panels, view, report, options) {
  const { first, second, ...values } = report.touch;
  const touch = report.kind === "swapped" ? { do: "swap", first, second } : { do: "report", what: report.kind, ...values };
  if (report.kind === "stub_count") {
    count(panels, report, touch, options);
    return;
  }
  const said = view.stopping.includes(report.kind) ? [...report.said, texts.stops_play] : report.said;
  panels.open(texts.report, summary(said.join(" · "), () => panels.deliver(touch)), options);
}

/** @type {string | null} the count that was refused and its prompt: the same once more is meant */
let again = null;

/**
 * Send a count; one that does not fit is asked for again on an empty pad.
 * @param {Panels} panels
 * @param {Report} report
 * @param {Data.Touch} touch
 * @param {{subject: Subject}} options
 */
async function count(panels, report, touch, options) {
  const typed = JSON.stringify([touch.number, options.subject]);
  const recount = () => {
    again = typed;
    const pad = countEntry(52, (number) => count(panels, report, { ...touch, number }, options));
    panels.open(`${texts.reports[report.kind]} · ${texts.choose_number}`, pad, { ...options, form: "pad" });
  };
  const meant = typed === again;
  again = null;
  await panels.deliver(meant ? touch : { ...touch, once: true }, { count_again: recount });
}

/** @type {Record<Data.Asked, (view: Data.View, go: Go, report: Report) => Question>} */
const ASK = {
  seat: (view, go) => [texts.choose_seat, seats(view, (seat) => go({ seat }, seatName(seat)))],
  hand: (view, go) => [texts.choose_seat, seats(view, (seat) => go(seat ? { seat } : {}, seat ? seatName(seat) : texts.places.cross), true)],
  circle: (view, go, report) => [texts.choose_circle, circles(view, ({ seat, wager, about }) => {
    report.subject = { about };
    go({ seat, wager }, `${seatName(seat)} · ${texts.wagers[wager]}`);
  })],
  cross_place: (_view, go) => [texts.choose_place, places(CROSS, (place) => go({ place }, placeName(place)), 5)],
  place: (view, go) => [texts.choose_place, places(turned(view), (place) => go({ place }, placeName(place)), 7)],
  first: (view, go) => [texts.choose_place, places(lying(view), (first) => go({ first }, placeName(first)), 7)],
  second: (view, go, { touch: { first } }) => [texts.choose_second,
    places(lying(view).filter((place) => place !== first), (second) => go({ second }, placeName(second)), 7)],
  bonus: (_view, go) => [texts.choose_place, bonusCards((number) => go({ number }, placeName(`bonus_${number}`)))],
  count: (_view, go) => [texts.choose_number, countEntry(12, (number) => go({ number }, String(number)))],
  stub: (_view, go) => [texts.choose_number, countEntry(52, (number) => go({ number }, String(number)))],
  face: (_view, go) => [texts.choose_rank, faceEntry(new Set(), (face) => go({ face }, `${rankText(face)} ${suitName(face[1])}`))],
};

/**
 * @param {Data.View} view
 * @param {(seat: number) => void} onPick 0 is the cross
 */
function seats(view, onPick, cross = false) {
  const options = view.seats.map(({ seat, reportable }) => ({ label: seatName(seat), value: seat, off: !reportable }));
  if (cross) options.push({ label: texts.places.cross, value: 0, off: false });
  return choices(options, onPick, cross ? 4 : 3);
}

/**
 * The circles with excess chips, each with the subject of its alert.
 * @param {Data.View} view
 * @param {(at: {seat: number, wager: string, about: string}) => void} onPick
 */
function circles(view, onPick) {
  const options = view.alerts.flatMap(({ seat, wager, about, lies, should }) => {
    if (!seat || !wager || !about || lies === null || should === null || lies <= should) return [];
    return [{ label: `${seatName(seat)} · ${texts.wagers[wager]}`, value: { seat, wager, about } }];
  });
  return choices(options, onPick, 3);
}

/** @param {(number: number) => void} onPick */
function bonusCards(onPick) {
  return choices([1, 2, 3, 4].map((number) => ({ label: placeName(`bonus_${number}`), value: number })), onPick, 4);
}

/**
 * @param {string[]} names
 * @param {(place: string) => void} onPick
 * @param {number} columns
 */
function places(names, onPick, columns) {
  if (!names.length) return h("p", { class: "empty" }, texts.no_cards);
  return choices(names.map((name) => ({ label: placeName(name), value: name })), onPick, columns);
}

/** Every place with a card. @param {Data.View} view */
function lying(view) {
  const bonus = (view.bonus_cards ?? []).map((_, i) => `bonus_${i + 1}`);
  const hands = view.seats.flatMap((seat) => seat.cards.map((_, i) => `seat_${seat.seat}_${i + 1}`));
  return [...CROSS, ...bonus, ...hands];
}

/** Every place with a turned card: the face on the screen may differ from the one on the felt. @param {Data.View} view */
function turned(view) {
  /** @type {[string, Data.Card][]} */
  const bonus = (view.bonus_cards ?? []).map((card, i) => [`bonus_${i + 1}`, card]);
  /** @type {[string, Data.Card][]} */
  const hands = view.seats.flatMap((seat) => seat.cards.map((card, i) => [`seat_${seat.seat}_${i + 1}`, card]));
  const cards = Object.fromEntries([...Object.entries(view.cross), ...bonus, ...hands]);
  return lying(view).filter((place) => cards[place]?.lies === "up");
}
