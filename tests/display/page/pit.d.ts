// What the pages of a pit get: controller/floor/pit/pages.py, floor.py and figures.py make it.

declare global {
  namespace Pit {
    type Named = Record<string, string>;
    interface Texts extends Record<
      | "title" | "tables" | "all_well" | "no_table" | "table" | "round" | "seats" | "pace" | "dealer" | "no_dealer" | "dealing"
      | "held_for" | "called_for" | "copied" | "for" | "unknown" | "seat" | "live" | "cross" | "bonus_cards" | "no_felt" | "out" | "open"
      | "asked" | "standing" | "nothing_stands" | "said" | "nothing_said" | "when" | "what" | "where" | "who" | "how" | "all_tables" | "manuals"
      | "rounds" | "figures" | "refused" | "nothing_refused" | "figures_title" | "period" | "group" | "wager" | "count" | "error_kinds"
      | "phase_seconds" | "wagers_title" | "no_figures" | "drop_note" | "since" | "csv" | "none" | "total" | "lost" | "lost_what" | "lost_back"
      | "luck_expected" | "luck_band" | "luck_outside" | "luck_few" | "luck_left_out" | "luck_unknown" | "need_attention" | "behind" | "outcome" | "last_message" | "other" | "forked" | "last_rounds" | "no_rounds" | "taken" | "paid" | "wrong" | "access"
      | "alerts_off" | "alerts_on" | "alerts_silent" | "titled" | "own_fault" | "on_my_way" | "way_sent" | "way_shown" | "way_over" | "way_lost", string> {
      needs: Named;
      parts: Named;
      speaks: Named;
      units: Record<"s" | "min" | "h", string>;
      sign_in: Record<"title" | "name" | "password" | "key" | "wrong" | "wait" | "lost" | "out" | "as", string>;
      roles: Named;
      /** null without users, and before the sign-in; `out`: whether this page can end the session */
      user: { name: string; role: string; out: boolean } | null;
      manage: Record<"title" | "users" | "user" | "role" | "role_of" | "remove" | "remove_sure" | "signs_in" | "end" | "by_proxy" | "by_password" | "changed" | "not_changed" | "not_read" | "kept" | "kept_days" | "audit" | "address", string> & { acts: Named };
      luck: Named;
      luck_note: Named;
      luck_why: Named;
      by: Named;
      periods: Named;
      group_name: Named;
      columns: Record<"rounds" | "void" | "wagered" | "win" | "hold" | "errors" | "seconds", string>;
      codes: Named;
      phases: Named;
      wagers: Named;
      results: Named;
    }
    interface Wrong {
      code: string;
      at: string;
      seat: number | null;
      wager: string | null;
    }
    /** The fields that may be left out are not known of a table that does not speak. */
    interface Tile {
      name: string;
      speaks: "here" | "stopped" | "gone" | "silent" | "never";
      heard_s: number | null;
      last: string | null;
      need: string;
      behind: number | null;
      /** The stream that is kept; another that speaks by this name; whether another history came under its name. */
      kept: string | null;
      other: string | null;
      forked: boolean;
      phase?: string | null;
      since?: string | null;
      round?: number | null;
      seats?: number;
      pace?: number | null;
      dealer?: string | null;
      dealing?: string | null;
      called?: string | null;
      holds?: Wrong[];
      decks?: Wrong[];
      devices?: Wrong[];
      alerts?: Wrong[];
      /** Chips whose number another table has too. */
      copies?: { table: string; at: string }[];
      /** The call or hold that "on my way" would answer; what became of the answer, null while the table is silent. */
      wanted?: string | null;
      way?: { shown: boolean | null; by: string } | null;
    }
    interface User {
      name: string;
      role: string;
      by_proxy: boolean;
    }
    /** Entries the newest first; `keep_days`: null for ever. */
    interface Manage {
      audit: { number: number; at: string; who: string; address: string; act: string; about: string }[];
      users: User[];
      keep_days: number | null;
    }
    interface FloorPush {
      now: number;
      whole: boolean;
      refused: number;
      /** Failed parts of the pit's own service. */
      faults: string[];
      tiles: Tile[];
    }
    interface Box {
      in_round: boolean;
      out: boolean;
      asked: boolean;
      cards: Data.Card[];
      circles: Record<string, { amount: number | null; result: string | null }>;
    }
    interface Felt {
      cross: Record<string, Data.Card>;
      bonus_cards: Data.Card[] | null;
      seats: Box[];
    }
    interface TablePush {
      now: number;
      tile: Tile;
      felt: Felt | null;
    }
    interface Said {
      at: string;
      what: string;
      where: string;
      how: string;
      who: string;
    }
    /** Band and z-value are null of too few rounds. */
    interface Luck {
      rounds: number;
      left_out: Record<string, number>;
      win: number;
      expected: number | null;
      low: number | null;
      high: number | null;
      z: number | null;
      outside: boolean;
    }
    interface Sums {
      key: string;
      rounds: number;
      void: number;
      wagered: number;
      win: number;
      hold: number | null;
      errors_per_1000: number | null;
      seconds_a_round: number | null;
      wagers: Record<string, { count: number; wagered: number; win: number }>;
      errors: Record<string, number>;
      phases: Record<string, number>;
      luck: Record<"laid" | "par", Luck | null>;
    }
    interface Figures {
      by: string;
      since: string;
      zone: string;
      rows: Sums[];
      total: Sums;
    }
  }
}

export {};
