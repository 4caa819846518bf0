// What the pages get beside the view: its words, their own texts, and what the other routes answer.
// controller/display/words.py and web.py make them. All of it is in `Data`, so that a module needs no import.

import type * as Seen from "./view";

declare global {
  namespace Data {
    type View = Seen.View & { words: Words };
    type Prompt = Seen.Prompt;
    type Card = Seen.Card;
    type Seat = Seen.Seat;
    type Circle = Seen.Circle;
    type Text = string | null;

    interface Words {
      phase: string;
      alerts: { id: number; text: string; what: Text; do: Text; where: Text }[];
      hold: { text: string; do: string; where: Text; what: Text; proposed: string; then: Text[] } | null;
      front: { where: Text; do: Text; more: Text; then: Text };
      beside: { where: string; what: Text; do: Text };
      keys: Record<string, Text>;
      waiting: string[];
    }

    /** What the picture of the table draws: a view, or a round that is recalled. */
    interface Pictured {
      prompt: Pick<Prompt, "seat" | "wager" | "places"> | null;
      seats: PicturedSeat[];
      cross: Record<string, Card>;
      bonus_cards: Card[] | null;
    }
    type PicturedSeat = Pick<Seat, "seat" | "player" | "in_round" | "folded_at" | "forfeited" | "settled" | "cards"> & {
      circles: Record<string, PicturedCircle>;
    };
    type PicturedCircle = Pick<Circle, "amount" | "reading" | "lamp" | "by_hand" | "wrong">;

    interface RoundRecord {
      round: number;
      outcome: "in_progress" | "void" | "settled";
      seats: { seat: number; wagers: Record<string, { amount: number }> }[];
      irregularities?: { code: string }[];
      corrections?: Correction[];
      picture: Omit<Pictured, "prompt"> & { paid: number; taken: number };
    }
    interface Correction {
      seat: number;
      wager: string;
      cents: number;
      who: string;
    }

    interface Floor {
      events: { utc: string; text: string; face?: string | null }[];
      figures: Figures;
    }
    interface Figures {
      rounds?: number | null;
      rounds_per_hour?: number | null;
      players_per_round?: number | null;
      steps?: number | null;
      steps_corrected?: number | null;
      alerts_per_hour?: Record<string, number> | null;
      exceptions?: Record<string, number> | null;
    }

    /** A touch is one JSON object; controller/display/touches.py says what it may hold. */
    type Touch = { do: string } & Record<string, string | number | boolean | null | number[] | undefined>;

    type Asked = "cross_place" | "seat" | "place" | "face" | "first" | "second" | "hand" | "count" | "stub" | "bonus";

    /** The texts of the page itself, and what it draws by. */
    interface Texts extends Record<PlainText, string> {
      wagers: Record<string, string>;
      places: Record<string, string>;
      reports: Record<string, string>;
      outcomes: Record<string, string>;
      methods: Record<string, string>;
      phases: Record<string, string>;
      codes: Record<string, string>;
      backs: Record<string, string>;
      lamps: Record<string, { colour: string; rhythm: string; shape: string; settles: boolean }>;
      rhythms: Record<string, string>;
      asks: Record<string, Asked[]>;
      of_seat: string[];
      stops: string[];
    }
    type PlainText =
      | "title" | "floor_title" | "lost" | "lost_what" | "lost_do" | "lost_back" | "noscript" | "now" | "then"
      | "nothing_now" | "refused" | "finger" | "unanswered" | "key_no_more_bets" | "key_confirm" | "key_fold"
      | "key_floor" | "key_undo" | "keys" | "more" | "table" | "alerts" | "no_alerts" | "alert_above" | "unfit"
      | "notice" | "alert" | "hold" | "section" | "lies" | "should" | "round" | "dealer" | "no_dealer" | "shoe"
      | "shoe_down" | "deck" | "change_due" | "cards_left" | "shoe_empty" | "seat" | "fold" | "forfeit" | "out"
      | "settled" | "row_across" | "row_down" | "row_middle" | "row_bonus" | "row_six" | "card_down" | "card_none"
      | "card_unread" | "spades" | "hearts" | "diamonds" | "clubs" | "take" | "push" | "pay" | "reading_silent"
      | "reading_unstable" | "reading_not_fitted" | "reading_entered" | "reading_none" | "close" | "enter" | "delete"
      | "send" | "choose_what" | "choose_seat" | "choose_place" | "choose_second" | "choose_number" | "choose_rank"
      | "choose_suit" | "your_number" | "sign_on" | "relieve" | "report" | "recall" | "floor_page" | "deck_brought"
      | "amounts" | "inspected" | "preshuffled" | "same_deck" | "which_deck" | "recall_mark" | "recall_empty"
      | "recall_older" | "recall_newer" | "recall_progress" | "void" | "settled_round" | "paid" | "taken" | "correction"
      | "held_now" | "not_held" | "permits" | "saw" | "cards" | "events" | "no_events" | "figures" | "decide" | "badge"
      | "reason" | "reasons" | "approve" | "refuse" | "other" | "forfeit_seat" | "no_forfeits" | "stop_round" | "recut"
      | "shuffle" | "correct_round" | "player_gets" | "player_gives" | "one_player" | "method" | "sign"
      | "player_has_it" | "house_has_it" | "close_table" | "waiting" | "none_waiting" | "decided" | "rounds"
      | "rounds_per_hour" | "players_per_round" | "alerts_per_hour" | "exceptions" | "steps_corrected" | "none_yet"
      | "to_dealer" | "floor_called";
  }
}
