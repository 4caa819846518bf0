// What the felt's page gets: controller/mock/felt_page/felt_view.py and page.py make it.

declare global {
  namespace Felt {
    type Counted = Record<"one" | "many", string>;
    /** Texts under `felt`. */
    type Words = Record<
      | "heading" | "where" | "lost" | "circle" | "circle_is" | "chips" | "no_chips" | "reader_broken" | "ante" | "cross" | "rack"
      | "rack_hint" | "take_one" | "take_all" | "shoe" | "deck_in" | "no_deck" | "put_deck" | "players" | "players_bet" | "same_ante"
      | "lay" | "players_hint" | "folds" | "faults" | "device" | "fault" | "shoe_device" | "reader" | "at_card" | "now" | "strike"
      | "fault_does" | "broken" | "wires" | "wires_region" | "lamp_chain" | "no_frames", string> & {
      strays: Counted;
      exit: Record<string, string>;
      hands: Record<string, { do: string; when: string }>;
      fault_kinds: Record<"shoe" | "reader", Record<string, { name: string; does: string }>>;
    };
    /** Texts under `practice`. */
    type Practice = Record<
      | "heading" | "drill_of" | "exam_drill_of" | "begin" | "next" | "finish" | "clock" | "deal" | "exam_deal" | "dealt"
      | "exam_over" | "no_errors" | "errors_in" | "void" | "noticed" | "sessions", string>
      & Record<"errors" | "drills_number" | "touches" | "chips_moved", Counted>
      & { columns: Record<"where" | "what" | "stood" | "section" | "why", string> };
    interface Texts extends Record<`key_${string}`, string> {
      felt: Words;
      practice: Practice;
      language: string;
      wagers: Record<string, string>;
      rows: Record<string, string>;
      places: Record<string, string>;
      phases: Record<string, string>;
      backs: Record<string, string>;
      lamps: Record<string, string>;
      seats: number[];
      cross: string[];
      bonus: number;
      chips: number[];
      keys: string[];
      decks: string[];
      players: number[];
      display: number;
      has_lesson: boolean;
    }

    /** Everything that changes; a message holds what is other than it was. */
    interface State {
      round: number;
      phase: string;
      prompt: string;
      asked: string | null;
      next: string | null;
      chips: Record<string, number[]>;
      lamps: Record<string, string>;
      lit: Record<string, string>;
      /** Brightness of the lamps that are lit, percent; 0 while the chain's outputs are off. */
      brightness: number;
      cards: Record<string, Data.Card>;
      way: "stack" | "single" | "hand";
      exit: string;
      deck: string;
      faults: Record<string, string>;
      players: boolean;
      shows: Record<string, string>;
      trouble: string;
      lesson: Lesson | null;
    }

    /** A practice: session.py and words.py make it. */
    interface Lesson {
      trainee: string;
      title: string;
      about: string;
      number: number;
      of: number;
      exam: boolean;
      dealt: boolean;
      report: Result[] | null;
      drill: string;
      section: string[];
      result: Result | null;
    }
    interface Result {
      drill: string;
      void: boolean;
      errors: Item[];
      noticed: Item[];
      phases: [string, string][];
      total: string;
      touches: number;
      chips: number;
    }
    interface Item {
      what: string;
      where: string;
      stood: string;
      section: string;
      why: string;
    }

    /** What hands do, as hands.py reads it. */
    type Act = { do: string } & Record<string, unknown>;
  }
}

export {};
