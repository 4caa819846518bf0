// What the pages get beside the view: its words, their own texts, and what the other routes answer.
// controller/pages/display/words.py and web.py make them. All of it is in `Data`, so that a module needs no import.

import type * as Seen from "./view";

declare global {
  namespace Data {
    type View = Seen.View & { words: Words; room?: Room };
    type Room = Seen.Room;
    type Prompt = Seen.Prompt;
    type Card = Seen.Card;
    type Seat = Seen.Seat;
    type Circle = Seen.Circle;
    type Text = string | null;

    interface Words {
      phase: string;
      alerts: { id: number; text: string; what: Text; do: Text; where: Text; citation: Text }[];
      hold: { text: string; do: string; where: Text; what: Text; proposed: string; then: Text[];
        keys: string[]; says: string; citation: Text } | null;
      parts: Record<"prompt" | "next", { where: Text; do: Text; more: Text } | null>;
      front: { where: Text; do: Text; more: Text; then: Text; citation: Text };
      beside: { where: string; what: Text; do: Text };
      keys: Record<string, Text>;
      waiting: string[];
      signs: string[][];
    }

    /** Words of the Help key of every page, and what `/api/help` answers: controller/pages/display/explain.py. */
    interface HelpGroup {
      name: string;
      rows: { title: string; text: string; icon: string | null; rhythm: string | null }[];
    }
    type HelpTexts = Record<"title" | "close" | "unanswered" | "tour" | "back" | "next" | "done", string>
      & { page: HelpGroup; steps: { step: string; name: string; text: string }[]; languages: Record<string, string> }
      & { manuals: { role: string; name: string } | null };

    /** What the picture of the table draws: a view, or a round that is recalled. */
    interface Pictured {
      prompt: Pick<Prompt, "seat" | "wager" | "places" | "too"> | null;
      seats: PicturedSeat[];
      cross: Record<string, Card>;
      bonus_cards: Card[] | null;
      marked?: View["marked"];
    }
    type PicturedSeat = Pick<Seat, "seat" | "player" | "in_round" | "folded_at" | "forfeited" | "settled" | "cards"> & {
      circles: Record<string, PicturedCircle>;
    };
    type PicturedCircle = Pick<Circle, "amount" | "reading" | "lamp" | "by_hand" | "wrong" | "signed"> & Partial<Pick<Circle, "result">>;

    /** What the wall's stream sends. */
    type Pay = Seen.Pay;
    type Pays = Seen.Pays;
    type Spectator = Seen.Spectator & Pick<Seen.View, "limits" | "pays"> & { words: { phase: string; hands: Record<string, string>[] } };
    type SpectatorBox = Seen.SpectatorBox;
    type SpectatorCircle = Seen.SpectatorCircle;
    type WallTexts = Record<
      | "seat" | "round" | "row_across" | "row_down" | "row_middle" | "ante" | "bet" | "win"
      | "push" | "lose" | "out" | "asked" | "open" | "no_reading" | "cross" | "bonus_cards" | "seats" | "title", string>
      & Record<"pays" | "to_one" | "pushes", string> & Record<"bonuses" | "hands", Record<string, string>>;

    /** What the technician's page asks for: controller/pages/display/devices_view.py. */
    type ReaderState = "silent" | "garbled" | "unsteady" | "noisy" | "slow" | "waiting" | "fine";
    interface Reader extends Record<ReaderNumber, number | null> {
      seat: number;
      wager: string;
      port: string;
      firmware: string;
      state: ReaderState;
      why: string;
      lately: [number, number];
    }
    type ReaderNumber = "answered_ms" | "silent_ms" | "readings" | "unanswered" | "unstable" | "opened" | "refused"
      | "noise" | "stale" | "took_us";
    interface Line {
      fitted: boolean;
      port: string;
      well: boolean;
      why: string;
      unit: string;
      heard_ms: number | null;
      counts: Record<string, number>;
    }
    interface Machine extends Record<"version" | "digest" | "rules" | "rules_title" | "rules_digest" | "python" | "system", string> {
      up_ms: number;
      celsius_tenths: number | null;
      journal: string;
    }
    interface Devices {
      table: string;
      machine: Machine;
      shoe: Line;
      lamps: Line;
      keys: { key: string; port: string; presses: number; pressed_ms: number | null; stuck: boolean }[];
      readers: Reader[];
    }
    interface DevicesTexts extends Record<
      | "title" | "all_well" | "need_attention" | "machine" | "version" | "rules" | "system" | "up" | "temperature"
      | "no_temperature" | "shoe" | "lamps" | "keys" | "readers" | "not_fitted" | "well" | "not_well" | "lamps_well"
      | "lamps_lost" | "lamps_do" | "shoe_do" | "heard" | "ago" | "never" | "stuck" | "stuck_do" | "presses"
      | "since_start" | "seat" | "journal_do" | "floor_page", string> {
      columns: Record<string, string>;
      states: Record<ReaderState, { what: string; do: string }>;
      counts: Record<string, string>;
      units: Record<"s" | "min" | "h" | "d", string>;
      wagers: Record<string, string>;
      key_names: Record<string, string>;
    }

    interface RoundRecord {
      round: number;
      outcome: "in_progress" | "void" | "settled";
      /** The subject of a correction: the round, and the corrections that it has had. */
      about: string;
      /** The clock on the wall when it began. */
      clock: string;
      cross: Record<string, string | null>;
      seats: {
        seat: number;
        cards: (string | null)[];
        paid?: number;
        taken?: number;
        wagers: Record<string, { amount: number; result: string | null; payout: number }>;
      }[];
      irregularities?: { code: string; seat?: number | null; wager?: string | null }[];
      unsigned?: { seat: number; wager: string; amount: number }[];
      corrections?: Correction[];
      picture: Omit<Pictured, "prompt"> & { paid: number; taken: number };
    }
    interface Correction {
      seat: number;
      wager: string;
      cents: number;
      who: string;
    }

    /** A round told afterwards: controller/pages/display/round_page_text.py. */
    interface ToldRound {
      number: number;
      title: string;
      zone: string;
      head: { label: string; text: string }[];
      cross: Record<string, Card>;
      bonus_cards: Card[] | null;
      read_as: string[];
      seats: ToldSeat[];
      totals: Sums;
      troubles: Record<string, string>[];
      corrections: Record<string, string>[];
      entries: Record<string, string>[];
    }
    interface ToldSeat {
      seat: number;
      name: string;
      state: string;
      cards: Card[];
      wagers: Record<string, string>[];
      totals: Sums;
    }
    type Sums = Record<"wagered" | "paid" | "taken" | "net" | "corrected", string>;
    interface ToldLine extends Sums {
      number: number;
      day: string;
      clock: string;
      zone: string;
      dealers: string;
      outcome: string;
      void: boolean;
      seats: number;
      wrong: string[];
      corrected: string;
    }
    type RoundTexts = { codes: Record<string, string> } & Record<
      | "title" | "round" | "day" | "started" | "outcome" | "cross" | "bonus_cards" | "seat" | "wager" | "amount" | "result"
      | "hand" | "chips" | "odds" | "payout" | "whole_round" | "wagered" | "paid" | "taken" | "player_net" | "net_corrected" | "wrong" | "nothing_wrong"
      | "when" | "what" | "where" | "lay" | "due" | "stood" | "end" | "by" | "section" | "corrections" | "timeline" | "since"
      | "clock" | "who" | "print" | "csv" | "all_rounds" | "older" | "newer" | "filter" | "last" | "dealer" | "any"
      | "any_wrong" | "only_void" | "only_corrected" | "kind" | "at_least" | "find" | "find_by" | "seats" | "no_rounds" | "none_ended" | "floor_page" | "zone" | "manuals", string>;

    interface Floor {
      events: { utc: string; text: string; face?: string | null }[];
      figures: Figures;
    }
    /** controller/pages/display/figures_view.py */
    type Period = "shift" | "today" | "all";
    interface Hour {
      at: number;
      day: string;
      clock: string;
      rounds: number;
      alerts: number;
      errors: number;
      wagered: number;
      win: number;
    }
    interface DealerTurn {
      number: string;
      begin: number;
      end: number;
      day: string;
      clock: string;
      until: string;
    }
    interface FiguresView {
      period: Period;
      since: string | null;
      minutes: number | null;
      zone: string;
      rounds: number;
      void: number;
      players_tenths: number | null;
      steps: number;
      errors: number;
      wagered: number;
      win: number;
      hold_bp: number | null;
      alerts: Record<string, number>;
      exceptions: Record<string, number>;
      hours: Hour[];
      dealers: DealerTurn[];
    }
    /** Win against expectation, in cents; null where it is not known. `unknown`: rounds by why they are in no sum. */
    interface LuckSum {
      rounds: number;
      wagered: number;
      win: number;
      expected: number | null;
      z_hundredths: number | null;
      unknown: Record<string, number>;
    }
    interface LuckTold {
      all: LuckSum;
      days: (LuckSum & { day: string; dealer: string | null })[];
      waiting: boolean;
    }
    type LuckView = LuckTold | { error: string };
    /** Those of this shift, and the pace of the last hour. */
    type Figures = FiguresView & { rounds_per_hour: number | null; alerts_per_hour: Record<string, number> | null };
    type Plot = "rounds" | "alerts" | "errors";
    interface FiguresTexts extends Record<
      | "title" | "period" | "since" | "nothing" | "rounds" | "void" | "players" | "errors" | "alerts" | "wagered" | "win"
      | "hold" | "hold_note" | "exceptions" | "none" | "unknown" | "numbers" | "hour" | "dealers" | "dealer" | "from"
      | "until" | "csv" | "no_dealers" | "drawn" | "floor_page", string> {
      periods: Record<Period, string>;
      grades: Record<string, string>;
      plots: Record<Plot, string>;
      units: Record<"min" | "h" | "d", string>;
      codes: Record<string, string>;
      luck: Record<"title" | "note" | "day" | "all" | "expected" | "z" | "few" | "nobody" | "waiting" | "left_out", string> & {
        why: Record<string, string>;
      };
    }

    /** A touch is one JSON object; controller/pages/display/touches.py says what it may hold. */
    type Touch = { do: string } & Record<string, string | number | boolean | null | number[] | undefined>;

    type Asked = "circle" | "cross_place" | "seat" | "place" | "face" | "first" | "second" | "hand" | "count" | "stub" | "bonus";

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
      results: Record<string, string>;
      lamps: Record<string, { colour: string; rhythm: string; shape: string; settles: boolean }>;
      rhythms: Record<string, string>;
      asks: Record<string, Asked[]>;
      of_seat: string[];
      report_groups: Record<"cards" | "players" | "table", string[]>;
      side_bets: string[];
      rows: Record<string, string>;
    }
    type PlainText =
      | "title" | "floor_title" | "lost" | "lost_what" | "lost_do" | "lost_back" | "noscript" | "now" | "then"
      | "nothing_now" | "no_amounts" | "no_cards" | "refused" | "finger" | "outdated" | "change" | "entry_amount" | "entry_face" | "entry_stub"
      | "entry_deck" | "entry_sign_on" | "unanswered" | "one_touch" | "key_no_more_bets" | "key_confirm" | "key_fold"
      | "key_floor" | "key_undo" | "keys" | "more" | "table" | "alerts" | "no_alerts" | "alert_above" | "unfit"
      | "notice" | "alert" | "hold" | "lies" | "should" | "round" | "dealer" | "no_dealer" | "shoe"
      | "shoe_down" | "deck" | "change_due" | "cards_left" | "shoe_empty" | "seat" | "fold" | "forfeit" | "out"
      | "settled" | "card_down" | "card_none"
      | "card_unread" | "spades" | "hearts" | "diamonds" | "clubs" | "take" | "push" | "pay" | "reading_silent"
      | "reading_unstable" | "reading_not_fitted" | "reading_entered" | "circle_signed" | "reading_none" | "close" | "enter" | "delete"
      | "send" | "choose_what" | "reports_cards" | "reports_players" | "reports_table" | "choose_seat" | "choose_circle" | "choose_place" | "choose_second" | "choose_number" | "choose_rank"
      | "choose_suit" | "your_number" | "sign_on" | "relieve" | "report" | "recall" | "floor_page" | "manuals" | "deck_brought"
      | "amounts" | "inspected" | "preshuffled" | "same_deck" | "which_deck" | "recall_mark" | "recall_empty"
      | "recall_older" | "recall_list" | "recall_whole" | "reading_first" | "whole_round" | "recall_wrong" | "recall_newer" | "recall_progress" | "so_far" | "void" | "settled_round" | "paid" | "taken" | "correction"
      | "held_now" | "not_held" | "permits" | "saw" | "cards" | "events" | "no_events" | "figures" | "badge" | "pin"
      | "reason" | "reasons" | "other" | "forfeit_seat" | "restore_seat" | "stops_play" | "stop_round" | "recut"
      | "shuffle" | "correct_round" | "player_gets" | "player_gives" | "signed_before" | "other_round" | "other_sum" | "one_player" | "method" | "sign"
      | "close_table" | "waiting" | "none_waiting" | "decided" | "rounds"
      | "all_figures" | "devices_page" | "since" | "hold_share" | "house_win" | "rounds_per_hour" | "players_per_round" | "alerts_per_hour" | "exceptions" | "steps_corrected" | "none_yet"
      | "to_dealer" | "floor_called" | "called" | "answer" | "no_call" | "on_my_way" | "on_the_way" | "room"
      | "screen_brightness" | "lamp_brightness" | "darker" | "brighter" | "sound_on" | "sound_off" | "sound_blocked" | "room_note" | "told" | "was_read" | "was_said"
      | "own_words" | "letters" | "space";
  }
}
