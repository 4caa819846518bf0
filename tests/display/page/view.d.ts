// Printed by `crisscross view --types`: change controller/game/showing/view.py or spectator.py.

/** One place. `unknown`: it lies face up, and nobody has read it yet. */
export interface Card {
  lies: "none" | "down" | "up" | "unknown";
  face: string | null;
}

/** A hand that may be named: its category (`pair`, `full_house`) and its ranks, 2 to 14, the most telling first. */
export interface Hand {
  category: string;
  ranks: number[];
}

/** `amount`: what lies there now, never an old amount. `wager`: what counts in this round. `due`: what the dealer is to do here. `should`: what ought to lie there, while an alert stands. `result`: what became of the wager, once it is settled; `paid`: its payout in cents then, negative if it was taken. `about`: the subject of an amount that is entered by hand. */
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
  about: string | null;
}

/** One box. `reportable`: something may be reported of it. */
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

/** Request of a prompt. `quick`: amounts that are likely; `entry`: the form that it opens. */
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
  quick: number[] | null;
}

/** `id` is the same as long as the same is asked for. */
export interface Prompt {
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
  quick: number[] | null;
  id: string;
}

/** A circle, by its seat and its wager. */
export interface Place {
  seat: number;
  wager: string;
}

/** `name`: key of its words, the code or finer. `push_hand`: the wager is a push, by this hand. `home`: the circle that chips in a wrong one were taken from. `due_at`: the circle that is due the amount of chips whose circle nobody saw. `first`: the step that comes before the one that was done. `minutes`: how long before it is due a change of the deck is announced. `missing`: cents of an open difference whose holder is asked for, 0 if none are missing. `about`: the subject of its signature; `signs`: its keys. */
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

/** The decision that comes after this one. */
export interface HeldNext {
  code: string;
  seat: number | null;
  place: string | null;
}

/** A card as the screen has it, and as a person says that it lies there. */
export interface Reading {
  place: string;
  read: Card;
  said: Card;
}

/** A stub that is wrong: what people counted, what it should have, what the shoe says. */
export interface StubCount {
  counted: number | null;
  expected: number;
  shoe: number | null;
}

/** Reason why play is stopped, and the decisions of a floorperson. `fault`: fault that the shoe reports; `number`: how many cards it had dealt; `serial`, `stranger`: of the table's shoe, of another one; `rows`: how many of the journal are lost; `about`: the subject that a decision names. */
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

/** The wager that is settled now. */
export interface Due {
  seat: number;
  wager: string;
  result: "lose" | "push" | "win";
  amount: number;
}

/** The cards of the hand that the prompt is about, by place. `five`: those in play for the wager; `making`: of these, what the hand is named after. */
export interface Marked {
  five: string[];
  making: string[];
}

/** The key that UNDO would take back. */
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

/** The deck in play; `backs`: those that may be brought; `again`: the last one may come back. Of two: `number`, which has to come; `apart`, the back that it may not have; `next`, the back whose turn it is. */
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

/** The gravest alert that is not in front, and how many more there are. */
export interface Beside {
  grade: "notice" | "alert" | null;
  alert: number | null;
  more: number;
  unfit: number[];
}

/** A seat and a violation for which settled wagers may be taken too. */
export interface Forfeited {
  seat: number;
  code: string;
}

/** Directions of a floorperson that are possible now, besides the decision on the hold and signatures. `stops`: how the round may be ended; `seats`: those that may forfeit; `both`: where the floorperson chooses whether settled wagers are taken; `folded`: whose fold may be taken back. */
export interface Floor {
  acts: string[];
  stops: string[];
  seats: number[];
  both: Forfeited[];
  folded: number[];
  methods: string[];
}

/** A floorperson comes. `utc`: since when; `who`: their name, "" where `pit` sent it. */
export interface OnTheWay {
  utc: string;
  who: string;
  pit: string;
}

/** A floorperson is wanted, or comes. `wanted`: the hold or call that "on my way" would answer now; None if there is none, or it has been answered. */
export interface Called {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
}

/** Parts that stand whatever is played. */
export interface Standing {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
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
  limits: Limits;
  pays: Pays;
  forfeits: string[];
  stopping: string[];
  denominations: number[];
  corrections: number[];
  floor: Floor;
  about: Record<string, string>;
}

/** The prompt, the chips and cards on the felt, and the alerts. */
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

/** Reason why a key is dark: the code of the refusal, and what its words name. Amounts in cents. */
export interface Reason {
  code: string;
  wager: string | null;
  lies: number | null;
  missing: number | null;
  options: number[] | null;
}

/** The table as it can be seen. `dark`: each key that would be refused now, with the reason. */
export interface Seen {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
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
  limits: Limits;
  pays: Pays;
  forfeits: string[];
  stopping: string[];
  denominations: number[];
  corrections: number[];
  floor: Floor;
  about: Record<string, string>;
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
  keys: Record<string, boolean>;
  dark: Record<string, Reason>;
  hold: Hold | null;
  last: Undoable | null;
}

/** Parts that the page draws without further questions (`front.py`). */
export interface Answers {
  front: Front;
  beside: Beside;
  shines: string[];
  standing: "on_the_way" | "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
}

/** Brightness of screens and lamps, in percent, and whether the screens sound for a hold and a call. */
export interface Room {
  screen: number;
  lamps: number;
  sound: boolean;
}

/** One whole view. `version` grows with every change. */
export interface View {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
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
  limits: Limits;
  pays: Pays;
  forfeits: string[];
  stopping: string[];
  denominations: number[];
  corrections: number[];
  floor: Floor;
  about: Record<string, string>;
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
  keys: Record<string, boolean>;
  dark: Record<string, Reason>;
  hold: Hold | null;
  last: Undoable | null;
  front: Front;
  beside: Beside;
  shines: string[];
  standing: "on_the_way" | "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
}

/** One whole view as a table's own pages are sent it. `room` is not of the game. */
export interface Shown {
  floor_called: boolean;
  wanted: string | null;
  on_the_way: OnTheWay | null;
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
  limits: Limits;
  pays: Pays;
  forfeits: string[];
  stopping: string[];
  denominations: number[];
  corrections: number[];
  floor: Floor;
  about: Record<string, string>;
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
  keys: Record<string, boolean>;
  dark: Record<string, Reason>;
  hold: Hold | null;
  last: Undoable | null;
  front: Front;
  beside: Beside;
  shines: string[];
  standing: "on_the_way" | "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
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

/** A line of a payout table. `hand`: the lowest hand of the line; `odds`: what a win pays to 1, null for a push. */
export interface Pay {
  hand: string;
  odds: number | null;
}

/** The payout tables, the highest hand first. `side`: of each side bet that the table takes. */
export interface Pays {
  ante: Pay[];
  bet: Pay[];
  side: Record<string, Pay[]>;
}

/** The step that was left for a later one. `cents`: the chips that it still moves; 0 if it moves none. */
export interface First {
  verb: "take" | "push" | "pay" | "add" | "turn";
  seat: number | null;
  wager: string | null;
  cents: number;
}

/** One effect of a signature (`phases/signature_effects.py`), in cents; `counts`: of the bet. */
export interface SignatureEffect {
  kind: string;
  amount: number;
  counts: number;
}

/** One key that signs. `holder`: ``player`` or ``house`` has what is missing, "" if nothing is. */
export interface SignatureKey {
  holder: string;
  effects: SignatureEffect[];
}

/** Item that waits for a floorperson's signature; `missing` as in `Alert`; `about`: the subject that the signature names; `signs` as in `Alert`. */
export interface Signature {
  what: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  missing: number;
  about: string;
  signs: SignatureKey[];
}

/** The same, or a difference in the words of its alert (`alert` is its id), or a `step` of the opening. */
export interface Waiting {
  what: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  missing: number;
  about: string;
  signs: SignatureKey[];
  alert: number | null;
  step: string | null;
}

/** One circle. `amount`: what lies there now, null where nobody can read it. `result`: once settled. */
export interface Laid {
  amount: number | null;
  result: "lose" | "push" | "win" | null;
}

/** One seat. `out`: it has folded, or has lost its wagers. `asked`: it decides now. */
export interface Box {
  seat: number;
  in_round: boolean;
  out: boolean;
  asked: boolean;
  settled: boolean;
  cards: Card[];
  hands: Record<string, Hand>;
  circles: Record<string, Laid>;
}

/** The table as a wall shows it. `phase`: `stopped` while play stands still, whatever for. */
export interface Spectator {
  table: string;
  rules_title: string;
  round: number;
  phase: string;
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  seats: Box[];
}
