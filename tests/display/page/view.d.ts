// Printed by `crisscross view --types`: change controller/game/showing/view.py or spectator.py.

/** Card at one place. `unknown`: it is face up and its face has not been read or entered yet. */
export interface Card {
  lies: "none" | "down" | "up" | "unknown";
  face: string | null;
}

/** Public hand: its category (`pair`, `full_house`) and its ranks, 2 to 14, most significant first. */
export interface Hand {
  category: string;
  ranks: number[];
}

/** One circle. Amounts in cents. `amount`: chips there now, never an earlier amount. `wager`: amount that counts in this round. `due`: next act of the dealer. `should`: correct amount while an alert is open. `result`: result of a settled wager; `paid`: its payout, negative if the wager was taken. `signed`: a floorperson signed the chips as they are. `about`: subject of an amount that is entered by hand. */
export interface Circle {
  amount: number | null;
  chips: (number | null)[] | null;
  reading: "none" | "ok" | "silent" | "unstable" | "not_fitted" | "entered";
  wager: number | null;
  lamp: string;
  due: "take" | "push" | "pay" | null;
  should: number | null;
  result: "lose" | "push" | "win" | null;
  paid: number | null;
  by_hand: boolean;
  wrong: boolean;
  signed: boolean;
  about: string | null;
}

/** One box. `reportable`: a report on it is possible. */
export interface Seat {
  seat: number;
  reportable: boolean;
  player: string;
  in_round: boolean;
  folded_at: string | null;
  forfeited: boolean;
  asked: boolean;
  settled: boolean;
  cards: Card[];
  hands: Record<string, Hand | null>;
  circles: Record<string, Circle>;
}

/** Request of a prompt. `quick`: likely amounts; `entry`: the form that it opens. */
export interface Asked {
  kind: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  places: string[] | null;
  hand: Hand | null;
  odds: number | null;
  options: number[] | null;
  chips: number[] | null;
  code: string | null;
  step: string | null;
  citation: string | null;
  cards: string[] | null;
  racked: number | null;
  too: string[] | null;
  entry: "amount" | "face" | "stub" | "deck" | "sign_on" | null;
  entry_key: "confirm" | null;
  quick: number[] | null;
}

/** Prompt with its `id`, which is equal while the request is the same. */
export interface Prompt extends Asked {
  id: string;
}

/** Circle by seat and wager. */
export interface Place {
  seat: number;
  wager: string;
}

/** One alert. `name`: key of its text: the code, or a more specific name. `push_hand`: hand by which the wager is a push. `home`: circle from which chips in a wrong one were taken. `due_at`: circle that is due the amount of chips of unknown origin. `first`: step that comes before the one that was done. `minutes`: time before a change of the deck at which it is announced. `missing`: cents of an open difference for which the holder is asked, 0 if none. `about`: subject of its signature; `signs`: its keys. */
export interface Alert {
  id: number;
  code: string;
  name: string;
  grade: "notice" | "alert";
  seat: number | null;
  wager: string | null;
  place: string | null;
  lies: number | null;
  should: number | null;
  citation: string;
  signable: boolean;
  missing: number;
  push_hand: Hand | null;
  home: Place | null;
  due_at: Place | null;
  first: First | null;
  minutes: number | null;
  about: string | null;
  signs: SignatureKey[];
}

/** One key of the floor page. */
export interface Decision {
  decision: "approve" | "refuse" | "outcome" | "forfeit";
  outcome: string | null;
  section: string | null;
}

/** Irregularity queued behind the one being decided. */
export interface HeldNext {
  code: string;
  seat: number | null;
  place: string | null;
}

/** Card on the screen, and the card that a person reports at the same place. */
export interface Reading {
  place: string;
  read: Card;
  said: Card;
}

/** Wrong stub: the dealer's count, the expected count, the shoe's count. */
export interface StubCount {
  counted: number | null;
  expected: number;
  shoe: number | null;
}

/** Reason for the stop of play, and the decisions of a floorperson. `fault`: fault reported by the shoe; `number`: cards that it had dealt; `serial`, `stranger`: serial numbers of the table's shoe and of another one; `rows`: lost rows of the journal; `about`: subject that a decision names. */
export interface Hold {
  code: string;
  grade: "hold";
  seat: number | null;
  wager: string | null;
  place: string | null;
  phase: string;
  citation: string;
  proposed: string | null;
  outcomes: string[];
  refusable: boolean;
  decisions: Decision[];
  then: HeldNext[];
  readings: Reading[];
  stub: StubCount | null;
  fault: string | null;
  number: number | null;
  serial: string | null;
  stranger: string | null;
  rows: number | null;
  about: string;
}

/** Wager that is settled now. */
export interface Due {
  seat: number;
  wager: string;
  result: "lose" | "push" | "win";
  amount: number;
}

/** Cards of the hand named by the prompt, by place. `five`: those in play for the wager; `making`: those that the hand is named after. */
export interface Marked {
  five: string[];
  making: string[];
}

/** Key that UNDO would take back. */
export interface Undoable {
  kind: string;
  seat: number | null;
  wager: string | null;
}

/** Last state of the shoe. */
export interface Shoe {
  link: "up" | "down";
  state: string;
  mode: string | null;
  left: number | null;
  back: string | null;
  fault: string | null;
  ready: boolean;
}

/** Deck in play. `backs`: decks that may be brought; `again`: the last one may come back. With two decks: `number` of the one to bring; `apart`, the back that it must not have; `next`, the back to be played next. */
export interface Deck {
  back: string | null;
  decks: number;
  number: number | null;
  apart: string | null;
  again: boolean;
  next: string | null;
  rounds_since_count: number;
  change_due: boolean;
  backs: string[];
}

/** Largest part of the screen: the hold, an alert (its id), or the prompt. `then`: the line under it. */
export interface Front {
  look: string;
  icon: string;
  rhythm: "quick" | "even" | "steady";
  alert: number | null;
  citation: string | null;
  then: "proposed" | "next" | "prompt" | null;
}

/** Gravest alert that is not in front, and the number of further ones. */
export interface Beside {
  grade: "notice" | "alert" | null;
  alert: number | null;
  more: number;
  unfit: number[];
}

/** Seat and violation for which settled wagers may be taken too. */
export interface Forfeited {
  seat: number;
  code: string;
}

/** Directions of a floorperson that are possible now, besides the decision on the hold and signatures. `stops`: outcomes that end the round; `seats`: seats that may forfeit; `both`: forfeits for which the floorperson chooses whether settled wagers are taken; `folded`: seats with a fold that may be taken back. */
export interface Floor {
  acts: string[];
  stops: string[];
  seats: number[];
  both: Forfeited[];
  folded: number[];
  methods: string[];
}

/** Floorperson on the way. `utc`: time of the answer; `who`: their name, "" if `pit` sent it. */
export interface OnTheWay {
  utc: string;
  who: string;
  pit: string;
}

/** Call of a floorperson. `wanted`: the hold or call that "on my way" would answer now; None if there is none, or it has been answered. */
export interface Called {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
}

/** Parts that do not depend on play. */
export interface Standing extends Called, Rules {
  table: string;
  rules: string;
  rules_title: string;
  method: string;
  round: number;
  phase: string;
  dealer: string | null;
  version: number;
  shoe: Shoe;
  deck: Deck;
  floor: Floor;
  about: Record<string, string>;
}

/** Prompt, chips and cards on the felt, and alerts. */
export interface Play {
  prompt: Prompt | null;
  next: Prompt | null;
  reports: string[];
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  set_aside: number;
  seats: Seat[];
  alerts: Alert[];
  due: Due | null;
  marked: Marked | null;
  signatures: Signature[];
}

/** Reason why a key is dark: the code of the refusal, and the values for its words. Amounts in cents. */
export interface Reason {
  code: string;
  wager: string | null;
  lies: number | null;
  missing: number | null;
  options: number[] | null;
}

/** Visible state of the table. `dark`: the reason for each key that would be refused now. */
export interface Seen extends Standing, Play {
  keys: Record<string, boolean>;
  dark: Record<string, Reason>;
  hold: Hold | null;
  last: Undoable | null;
}

/** Parts of the page that are drawn exactly as given here (`front.py`). */
export interface Answers {
  front: Front;
  beside: Beside;
  shines: string[];
  standing: "on_the_way" | "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
}

/** Brightness of screens and lamps in percent, and whether the screens sound for a hold and a call. */
export interface Room {
  screen: number;
  lamps: number;
  sound: boolean;
}

/** Complete public view. `version` grows with every change. */
export interface View extends Seen, Answers {
}

/** Complete public view for a table's own pages. `room` is not part of the game. */
export interface Shown extends View {
  room: Room;
}

/** Limits of wagers. */
export interface Limits {
  minimum_ante: number;
  maximum_ante: number;
  bonus_minimum: number;
  bonus_maximum: number;
  multiples: number[];
  whole: boolean;
}

/** Line of a pay table. `hand`: lowest hand of the line; `odds`: payout of a win, to 1, null for a push. */
export interface Pay {
  hand: string;
  odds: number | null;
}

/** Pay tables, highest hand first. `side`: by offered side bet. */
export interface Pays {
  ante: Pay[];
  bet: Pay[];
  side: Record<string, Pay[]>;
}

/** Parts of the view that depend only on the rules and the table file. */
export interface Rules {
  limits: Limits;
  pays: Pays;
  forfeits: string[];
  stopping: string[];
  denominations: number[];
  corrections: number[];
}

/** Step that the dealer skipped. `cents`: chips that it still has to move; 0 if none. */
export interface First {
  verb: "take" | "push" | "pay" | "add" | "turn";
  seat: number | null;
  wager: string | null;
  cents: number;
}

/** One effect of a signature (`phases/signature_effects.py`), in cents; `counts`: cents for which the bet counts. */
export interface SignatureEffect {
  kind: string;
  amount: number;
  counts: number;
}

/** One key that signs. `holder`: ``player`` or ``house`` has the missing chips, "" if none are missing. */
export interface SignatureKey {
  holder: string;
  effects: SignatureEffect[];
}

/** Item that waits for a floorperson's signature. `missing` and `signs` are as in `Alert`. `about` is the subject that the signature names. */
export interface Signature {
  what: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  missing: number;
  about: string;
  signs: SignatureKey[];
}

/** Item to sign, or a difference with the words of its alert (`alert` is its id), or a `step` of the opening, with the `back` of its deck. */
export interface Waiting extends Signature {
  alert: number | null;
  step: string | null;
  back: string | null;
}

/** One circle. `amount`: cents in it now, null if it cannot be read. `result`: once settled. */
export interface SpectatorCircle {
  amount: number | null;
  result: "lose" | "push" | "win" | null;
}

/** One seat. `out`: it has folded or forfeited. `asked`: it decides now. */
export interface SpectatorBox {
  seat: number;
  in_round: boolean;
  out: boolean;
  asked: boolean;
  settled: boolean;
  cards: Card[];
  hands: Record<string, Hand>;
  circles: Record<string, SpectatorCircle>;
}

/** The table on a wall. `phase`: `stopped` while play is stopped for any reason. */
export interface Spectator {
  table: string;
  rules_title: string;
  round: number;
  phase: string;
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  seats: SpectatorBox[];
}
