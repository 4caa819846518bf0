// Printed by `crisscross view --types` from controller/game/showing/view.py: change that file.

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

/** `amount`: what lies there now, never an old amount. `wager`: what counts in this round. `due`: what the dealer is to do here. `should`: what ought to lie there, while an alert stands. */
export interface Circle {
  amount: number | null;
  chips: (number | null)[] | null;
  reading: "none" | "ok" | "silent" | "unstable" | "not_fitted" | "entered";
  wager: number | null;
  lamp: string;
  due: "take" | "push" | "pay" | null;
  should: number | null;
  by_hand: boolean;
  wrong: boolean;
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

/** What a prompt asks for. `quick`: amounts that are likely; `entry`: the form that it opens. */
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
  entry: "amount" | "face" | "stub" | "deck" | "sign_on" | null;
  quick: number[] | null;
  id: string;
}

/** `minutes`: how long before it is due a change of the deck is announced. */
export interface Alert {
  id: number;
  code: string;
  grade: "notice" | "alert";
  seat: number | null;
  wager: string | null;
  place: string | null;
  lies: number | null;
  should: number | null;
  citation: string;
  signable: boolean;
  unexplained: boolean;
  minutes: number | null;
}

/** One key of the floor page. */
export interface Decision {
  decision: "approve" | "refuse" | "outcome";
  outcome: string | null;
}

/** What is decided after this. */
export interface HeldNext {
  code: string;
  seat: number | null;
  place: string | null;
}

/** What play is stopped for, and what a floorperson may decide. */
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
}

/** The wager that is settled now. */
export interface Due {
  seat: number;
  wager: string;
  result: "lose" | "push" | "win";
  amount: number;
}

/** What waits for a floorperson's signature. */
export interface Signature {
  what: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  unexplained: boolean;
}

/** The same, or a difference in the words of its alert (`alert` is its id). */
export interface Waiting {
  what: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  unexplained: boolean;
  alert: number | null;
}

/** The key that UNDO would take back. */
export interface Undoable {
  kind: string;
  seat: number | null;
  wager: string | null;
}

/** What the shoe last said. */
export interface Shoe {
  link: "up" | "down";
  state: string;
  mode: string | null;
  left: number | null;
  back: string | null;
  fault: string | null;
  ready: boolean;
}

/** The deck in play; `backs`: those that may be brought. */
export interface Deck {
  back: string | null;
  rounds_since_count: number;
  change_due: boolean;
  backs: string[];
}

/** What a wager may be. */
export interface Limits {
  minimum_ante: number;
  maximum_ante: number;
  bonus_minimum: number;
  bonus_maximum: number;
  multiples: number[];
  whole: boolean;
}

/** What is largest on the screen: the hold, an alert (its id), or the prompt. `then`: what stands under it. */
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

/** What stands whatever is played. */
export interface Standing {
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
  forfeits: string[];
  denominations: number[];
  corrections: number[];
  floor_called: boolean;
}

/** What is to be done, what lies on the felt, what is wrong. */
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
  signatures: Signature[];
}

/** The table as it can be seen. */
export interface Seen {
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
  forfeits: string[];
  denominations: number[];
  corrections: number[];
  floor_called: boolean;
  prompt: Prompt | null;
  next: Prompt | null;
  reports: string[];
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  set_aside: number;
  seats: Seat[];
  alerts: Alert[];
  due: Due | null;
  signatures: Signature[];
  keys: Record<string, boolean>;
  hold: Hold | null;
  last: Undoable | null;
}

/** What the page draws of it without asking anything of its own (`front.py`). */
export interface Answers {
  front: Front;
  beside: Beside;
  shines: string[];
  enter: string | null;
  standing: "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
}

/** One whole view. `version` grows with every change. */
export interface View {
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
  forfeits: string[];
  denominations: number[];
  corrections: number[];
  floor_called: boolean;
  prompt: Prompt | null;
  next: Prompt | null;
  reports: string[];
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  set_aside: number;
  seats: Seat[];
  alerts: Alert[];
  due: Due | null;
  signatures: Signature[];
  keys: Record<string, boolean>;
  hold: Hold | null;
  last: Undoable | null;
  front: Front;
  beside: Beside;
  shines: string[];
  enter: string | null;
  standing: "floor_called" | "waiting" | "change_due" | null;
  waiting: Waiting[];
}
