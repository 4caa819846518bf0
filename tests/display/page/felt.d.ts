// What the felt's page gets: controller/mock/felt_page/seen.py and page.py make it.

declare global {
  namespace Felt {
    interface Texts {
      wagers: Record<string, string>;
      rows: Record<string, string>;
      places: Record<string, string>;
      lamps: Record<string, string>;
      seats: number[];
      cross: string[];
      bonus: number;
      chips: number[];
      keys: string[];
      backs: string[];
      players: number[];
      faults: { shoe: Record<string, string>; reader: Record<string, string> };
      display: number;
      practice: boolean;
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
