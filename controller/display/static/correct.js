// A mispay of a closed round, found later: which round, which wager, who gets what, and why. Nothing of the
// round is altered; the correction is signed beside it.

import { h, money, seatName, texts } from "./dom.js";
import { amountEntry } from "./entries.js";
import { choices } from "./panel.js";

/** `sign(label, touch)` asks for the reason and the badge. */
export async function openCorrection(panels, sign) {
  const answer = await fetch("/api/rounds/last").catch(() => null);
  const rounds = answer?.ok ? (await answer.json()).filter((round) => round.outcome !== "in_progress") : [];
  if (!rounds.length) {
    panels.open(texts.correct_round, h("p", { class: "empty" }, texts.recall_empty));
    return;
  }
  const options = rounds.map((round) => ({ label: `${texts.round} ${round.round}`, value: round }));
  panels.open(texts.correct_round, choices(options, (round) => seat(panels, round, sign), 5));
}

function seat(panels, round, sign) {
  const options = round.seats.map((box) => ({ label: seatName(box.seat), value: box }));
  panels.open(`${texts.round} ${round.round}`, choices(options, (box) => wager(panels, round, box, sign), 3));
}

function wager(panels, round, box, sign) {
  const options = Object.entries(box.wagers).map(([name, laid]) => ({
    label: `${texts.wagers[name]} · ${money(laid.amount)}`, value: { seat: box.seat, wager: name },
  }));
  panels.open(`${texts.round} ${round.round} · ${seatName(box.seat)}`,
    choices(options, (where) => direction(panels, round, where, sign), 3));
}

function direction(panels, round, where, sign) {
  const label = `${texts.round} ${round.round} · ${seatName(where.seat)} · ${texts.wagers[where.wager]}`;
  const options = [{ label: texts.player_gets, value: 1 }, { label: texts.player_gives, value: -1 }];
  panels.open(label, choices(options, (way) => amount(panels, label, round, where, way, sign), 2));
}

function amount(panels, label, round, where, way, sign) {
  const said = way > 0 ? texts.player_gets : texts.player_gives;
  panels.open(`${label} · ${said}`, amountEntry([100, 500, 2500], (cents) => sign(
    `${label} · ${said} ${money(cents)}`, { do: "correct", round: round.round, ...where, cents: way * cents })));
}
