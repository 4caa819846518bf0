// The dealer reports what no device can see. What, then where, then how many or which face; the last step
// says the whole report again. `flow` of a kind lists what it asks for.

import { placeName, seatName, texts } from "./dom.js";
import { rankText, suitName } from "./cards.js";
import { countEntry, faceEntry } from "./entries.js";
import { choices, summary } from "./panel.js";
import { CROSS } from "./picture.js";

const FLOWS = {
  community_exposed: ["cross_place"],
  hole_exposed: ["seat"],
  card_differs: ["place", "face"],
  swapped: ["first", "second"],
  wrong_count: ["hand", "count"],
  drawn_in_error: [],
  face_seen: [],
  player_left: ["seat"],
  players_conferred: ["seat"],
  cards_touched: ["seat"],
  out_of_view: ["seat"],
  hand_left: ["seat"],
  shuffler_fault: [],
  stub_count: ["stub"],
  card_face_up: [],
  duplicate_card: ["place"],
  no_activity: [],
  bonus_exposed: ["bonus"],
};

// What can only have happened in one phase.
const ONLY_IN = { card_face_up: "dealing", no_activity: "betting" };
const SEAT_REPORTS = ["hole_exposed", "wrong_count", "player_left", "players_conferred", "cards_touched", "out_of_view", "hand_left"];

/** The menu of all reports, or of those about one seat. */
export function openReports(panels, view, seat = null) {
  const kinds = Object.keys(FLOWS).filter((kind) => (seat ? SEAT_REPORTS.includes(kind) : offered(kind, view)));
  const options = kinds.map((kind) => ({ label: texts.reports[kind], value: kind }));
  const start = (kind) => step(panels, view, { kind, said: [texts.reports[kind]], touch: {} }, known(kind, seat));
  panels.open(seat ? `${seatName(seat)} · ${texts.report}` : texts.choose_what, choices(options, start, 5));
}

/** One report, begun at once (a prompt asked for it). */
export function openReport(panels, view, kind, purpose) {
  step(panels, view, { kind, said: [texts.reports[kind]], touch: {}, purpose }, [...FLOWS[kind]]);
}

function offered(kind, view) {
  if (kind in ONLY_IN) return view.phase === ONLY_IN[kind];
  return kind !== "bonus_exposed" || view.bonus_cards !== null;
}

function known(kind, seat) {
  const steps = [...FLOWS[kind]];
  if (seat === null) return steps;
  return steps.map((name) => (name === "seat" || name === "hand" ? { seat } : name));
}

function step(panels, view, report, steps) {
  const [now, ...rest] = steps;
  const options = { purpose: report.purpose ?? "user" };
  const go = (values, said) => step(panels, view, {
    ...report, touch: { ...report.touch, ...values }, said: said ? [...report.said, said] : report.said,
  }, rest);
  if (now === undefined) {
    finish(panels, report, options);
    return;
  }
  if (typeof now === "object") {
    go(now, seatName(now.seat));
    return;
  }
  const [title, body] = ASK[now](view, go, report);
  const form = now === "count" || now === "stub" ? "tall" : "";
  panels.open(`${texts.reports[report.kind]} · ${title}`, body, { ...options, form });
}

function finish(panels, report, options) {
  const { first, second, ...values } = report.touch;
  const touch = report.kind === "swapped" ? { do: "swap", first, second } : { do: "report", what: report.kind, ...values };
  if (report.kind === "stub_count") {
    panels.deliver(touch);
    return;
  }
  panels.open(texts.report, summary(report.said.join(" · "), () => panels.deliver(touch)), options);
}

const ASK = {
  seat: (view, go) => [texts.choose_seat, seats(view, (seat) => go({ seat }, seatName(seat)))],
  hand: (view, go) => [texts.choose_seat, seats(view, (seat) => go(seat ? { seat } : {}, seat ? seatName(seat) : texts.places.cross), true)],
  cross_place: (view, go) => [texts.choose_place, places(CROSS, (place) => go({ place }, placeName(place)), 5)],
  place: (view, go) => [texts.choose_place, places(lying(view), (place) => go({ place }, placeName(place)), 7)],
  first: (view, go) => [texts.choose_place, places(lying(view), (first) => go({ first }, placeName(first)), 7)],
  second: (view, go, { touch }) => [texts.choose_second, places(lying(view).filter((p) => p !== touch.first), (second) => go({ second }, placeName(second)), 7)],
  bonus: (view, go) => [texts.choose_place, choices([1, 2, 3, 4].map((number) => ({ label: placeName(`bonus_${number}`), value: number })), (number) => go({ number }, placeName(`bonus_${number}`)), 4)],
  count: (view, go) => [texts.choose_number, countEntry(12, (number) => go({ number }, String(number)))],
  stub: (view, go) => [texts.choose_number, countEntry(52, (number) => go({ number }, String(number)))],
  face: (view, go) => [texts.choose_rank, faceEntry(new Set(), (face) => go({ face }, `${rankText(face)} ${suitName(face[1])}`))],
};

function seats(view, onPick, cross = false) {
  const options = view.seats.map((seat) => ({ label: seatName(seat.seat), value: seat.seat, off: !seat.in_round && view.phase !== "betting" }));
  if (cross) options.push({ label: texts.places.cross, value: 0 });
  return choices(options, onPick, cross ? 4 : 3);
}

function places(names, onPick, columns) {
  return choices(names.map((name) => ({ label: placeName(name), value: name })), onPick, columns);
}

/** Every place where a card lies. */
function lying(view) {
  const bonus = (view.bonus_cards ?? []).map((_, i) => `bonus_${i + 1}`);
  const hands = view.seats.flatMap((seat) => seat.cards.map((_, i) => `seat_${seat.seat}_${i + 1}`));
  return [...CROSS, ...bonus, ...hands];
}

