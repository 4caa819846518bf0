"""Revisions of the table's own readings of the rules. After a change, a replay of an old journal uses the
revision under which it was played, so that old results stay the same.

Code that depends on a revision compares `TableState.procedures`, with a constant `..._SINCE` where there is
one. Source: config/rules/RULES.md, the rows marked OUR READING.
"""

from __future__ import annotations

from typing import Final

SUBJECTS_SINCE: Final = 10
"""First revision whose subjects count reports, openings and shuffles."""
OCCURRENCES_SINCE: Final = 11
"""First revision in which a prompt, an outage of a reader and a signature are named by their occurrence and
effect, not only by their content."""
PROCEDURES: Final = 12
"""Revision of this program.

1: Chips that leave right after a collection are unexplained. A void asks for the holder of each open
difference. No wager grows after NO MORE BETS. An unfinished shuffle is repeated. A last-card jam is noted. 2:
A call and a hold have the time at which they began. A floorperson may take wagers that were paid before a
violation was found (Maryland 11.A(5)). An exchange of chips of the same total leaves the books unchanged, as
do chips seen for less than 0.4 s. 3: A signature that names its subject also names its seat and wager. 4: A
Six Card Bonus below the Five Card Bonus at NO MORE BETS does not play. 5: A due payout takes precedence over
a difference of the same amount that is not announced. A push that was paid before is swept like any other. A
signature on a settlement ends when a corrected card settles the wager anew. 6: The round ends only once every
circle has been read since the start. A reader's fault hides no difference that it saw. Chips carried across
an empty settled circle do not change it. 7: A void takes back another player's chips from the circle in which
they lie, and counts them for that player. 8: A record has the chips of each wager in order of arrival, and
the chips that were changed or moved. 9: A record marks the irregularities of a seat that were raised before
the seat's turn to decide, and names the places whose faces a person entered. 10: The same touch of a report
counts once, as does the same exposed card. A report of a card face up after the shoe reported one goes to the
floor. Orders and keys for the deck belong to one opening and one shuffle. A deck that replaces a removed one
has another back than the remaining one. Chips that the dealer names no wager never count as a bet, and the
name belongs to those chips and not to their circle. A payout that is not right yet cannot be named no wager.
No exchange of chips spans a turned card or a change of phase; it keeps the entries of a push or a wager out
of turn that was taken, and of a sweep. A player's own winnings are no payout of another wager. 11: A prompt
that comes again has another id. An amount belongs to one outage of a reader, and answers only the prompt for
its circle. A signature is refused if its effect has changed, a forfeit if another wager was settled. 12: A
round does not end while a chip of it fails its proof: it is taken out or exchanged, or a floorperson signs
that its wager stands, and it counts.
"""
