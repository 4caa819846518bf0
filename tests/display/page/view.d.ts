// The public view, as controller/game/showing/public.py makes it.

export interface Card {
  lies: "none" | "down" | "up" | "unknown";
  face: string | null;
}

export interface Circle {
  amount: number | null;
  chips: (number | null)[] | null;
  reading: "none" | "ok" | "silent" | "unstable" | "not_fitted" | "entered";
  wager: number | null;
  lamp: string;
  due: string | null;
  should: number | null;
  by_hand: boolean;
  wrong: boolean;
}

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
  hands: Record<string, string | null>;
  circles: Record<string, Circle>;
}

export interface Prompt {
  id: string;
  kind: string;
  seat: number | null;
  wager: string | null;
  amount: number | null;
  places: string[] | null;
  entry: "amount" | "face" | "stub" | "deck" | "sign_on" | null;
  quick: number[] | null;
}

export interface Alert {
  id: number;
  code: string;
  grade: "notice" | "alert";
  seat: number | null;
  wager: string | null;
  lies: number | null;
  should: number | null;
  citation: string;
  signable: boolean;
  unexplained: boolean;
}

export interface Hold {
  phase: string;
  citation: string;
  decisions: { decision: "approve" | "refuse" | "outcome"; outcome: string | null }[];
}

export interface View {
  table: string;
  method: string;
  round: number;
  phase: string;
  dealer: string | null;
  version: number;
  shoe: { link: "up" | "down"; left: number | null };
  deck: { back: string | null; backs: string[]; change_due: boolean };
  forfeits: string[];
  corrections: number[];
  prompt: Prompt | null;
  next: Prompt | null;
  reports: string[];
  cross: Record<string, Card>;
  bonus_cards: Card[] | null;
  set_aside: number;
  seats: Seat[];
  alerts: Alert[];
  signatures: { seat: number | null; wager: string | null }[];
  keys: Record<string, boolean>;
  hold: Hold | null;
  front: {
    look: "hold" | "alert" | "take" | "push" | "pay" | "quiet";
    icon: string;
    rhythm: string;
    alert: number | null;
    citation: string | null;
    then: "prompt" | "next" | "proposed" | null;
  };
  beside: { grade: "notice" | "alert" | null; alert: number | null; more: number; unfit: number[] };
  shines: string[];
  enter: string | null;
  standing: "floor_called" | "waiting" | "change_due" | null;
  waiting: { what: string; seat: number | null; wager: string | null; unexplained: boolean; alert: number | null }[];
}
