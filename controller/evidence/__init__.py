"""Statistical evidence that a seat knew a card too early (controller/evidence/EVIDENCE.md). All modules but
`cli` need NumPy (the extra `odds`).

- `alerts`: Alerts to surveillance about sittings and dealers above the house's threshold: a line in the log,
  and notifications.
- `board`: List of all sittings and dealers, the strongest evidence first, for surveillance.
- `chi_squared`: Chi-squared goodness of fit of the cards at each position of the shoe, at 95 % confidence.
- `cli`: `crisscross evidence JOURNAL...`: evidence, seat by seat or dealer by dealer, that a player knew a
  card too early; with `--listen` as pages for surveillance; with `--shoe`, evidence that the shuffle was not
  fair.
- `dealer_errors`: Evidence that the errors of a dealer favour one seat.
- `early_wagers`: Evidence that a seat's wagers before the deal predict (follow) the cards that are dealt
  afterwards.
- `export`: Export of the evidence for a regulator: the figures with every decision, the values from which
  they follow, and the proofs of the rounds.
- `factor`: Evidence of one seat in one round that it knew the middle card, by decision and by strength of the
  model: a likelihood ratio (e-value).
- `fixed`: Choices that must be made before play, for an export: the program, its strengths, the journals, the
  costs.
- `hands_beside`: Classes of the hands that a seat's two cards make with three others, for all of a deck at
  once.
- `hypotheses`: Hypotheses about cheating that are tested: the knowledge of a seat, and the evidence of one
  round for each of them.
- `known_middle`: Exact values of each decision to a player who knows the middle card, for every card that it
  may be.
- `known_pair_card`: Exact values of each decision to a player who knows one card of the Across or of the Down
  pair, for every card that it may be.
- `late_chips`: Evidence that a seat added chips late when the cards that it had just seen were good.
- `options`: Options of `crisscross evidence` that exclude or need each other.
- `other_hands`: Evidence of one seat in one round that it knew hands of other players, who decide after it
  (collusion, shared hole cards).
- `page`: Parts of a page about sittings, and the page of all of them as one file: without scripts, for
  surveillance.
- `pair_card`: Evidence of one seat in one round that it knew one card of the Across or of the Down pair.
- `people`: Access to the surveillance pages: people of the table's file with the role `surveillance`, and
  sessions.
- `report`: Evidence of sittings and dealers as text and as data.
- `running_evidence`: Evidence of journals, kept up to date while their tables play.
- `running_shoes`: Evidence against the shuffles of several tables, kept up to date while they play, for the
  pages.
- `seat_rounds`: Decisions of the seats in round records, and the sittings that they make up.
- `serve`: Server of the surveillance pages, until SIGTERM or SIGINT: `crisscross evidence --listen
  HOST:PORT`.
- `shoe_orders`: Order in which the cards of a round left the shoe, from its record.
- `shoe_report`: Evidence against a fair shuffle as text and as data.
- `shuffle`: Evidence against a fair shuffle (random order), from the orders of the decks: a test martingale
  for each kind of fault.
- `sitting`: Evidence of one sitting (a player's rounds at one seat, until they leave it), and of one dealer.
- `sittings`: Sittings (seat by seat) and dealers (dealer by dealer) of journals with their evidence, round by
  round.
- `tables`: Tables of the first decisions' values for a pack's odds, one for each place of the known card.
- `threshold`: Bound above which a house investigates a sitting, from its own cost of a false accusation.
- `web`: Pages of the evidence for surveillance, by HTTP: all sittings and dealers, one sitting, one dealer.
- `whole_cross`: Evidence of one seat in one round that it knew all five cards of the cross, or was signalled
  by someone who did.
- `words`: Texts of the evidence in the language of a catalogue.
"""
