"""Questions to `crisscross par` besides the sheet: known cards, collusion, the best decision.

The module turns options into answers, as data and as text; `cli.py` prints them.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from controller.game.model.cards import DECK
from controller.rules.odds.counts import Counts
from controller.rules.odds.pack import Odds
from controller.rules.odds.player_knowledge import InvalidKnowledge, parse_knowledge
from controller.rules.odds.strategy import BadSpot, advice, cards_in_words, parse_spot

Show: TypeAlias = Callable[[str, int, int], None]
"""Progress callback: name of the count, number done, total number."""
OddsAnswer: TypeAlias = Mapping[str, Any]
TABLE_COMMAND = "table"


def add_questions(parser: ArgumentParser) -> None:
    """Add `--known`, `--collusion`, `--strategy` and `--seed`."""
    parser.add_argument(
        "--known", metavar="CARDS",
        help="the player's edge where they know: 'KH 9C' cards seen elsewhere, 'middle=KH' a card in a "
        "place, 'middle', 'across', 'down_far' whatever lies there; some seconds to minutes",
    )  # fmt: skip
    parser.add_argument(
        "--collusion", type=_cards, metavar="N",
        help="the player's edge where they know N cards of other players, 2 to 10 (0: none); minutes",
    )  # fmt: skip
    parser.add_argument(
        "--strategy", nargs="?", const=TABLE_COMMAND, metavar="CARDS",
        help="the best first decision for every kind of hole, or the best now: 'KH QD', 'KH QD 3 9C 9S', "
        "'KH QD 3 9C 9S 1 2H 3D' (hole, antes bet Across, cards turned, antes bet Down, cards turned)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of --collusion's draws; default 1")


def _cards(text: str) -> int:
    if text not in {"0", *map(str, range(2, 11))}:
        raise ArgumentTypeError(f"{text!a}: 2 to 10 cards, or 0")
    return int(text)


def is_asked(options: Namespace) -> bool:
    """Return whether the options ask a question besides the PAR sheet."""
    return not (options.known is None and options.collusion is None and options.strategy is None)


def option_mistake(options: Namespace, multiples: tuple[int, int]) -> str | None:
    """Return one line on the first option that is not valid, or None."""
    try:
        if options.known is not None:
            parse_knowledge(options.known)
    except InvalidKnowledge as error:
        return f"--known: {error}"
    try:
        if options.strategy not in (None, TABLE_COMMAND):
            parse_spot(options.strategy, multiples)
    except BadSpot as error:
        return f"--strategy: {error}"
    return None


def answers(options: Namespace, odds: Odds, counts: Counts, show: Show) -> dict[str, OddsAnswer]:
    """Return the answers by name of the question. Raises ImportError if an answer needs NumPy and it is not
    installed."""
    base = sum(hole.count * float(hole.expectation) for hole in counts.holes) / 1326
    found: dict[str, OddsAnswer] = {}
    if options.known is not None:
        found["known"] = _known(odds, options.known, base, show)
    if options.collusion is not None:
        found["collusion"] = _collusion(odds, options.collusion, options.seed, base, show)
    if options.strategy == TABLE_COMMAND:
        found["strategy"] = {hole.name: _bets(hole.across, hole.worth) for hole in counts.holes}
    elif options.strategy is not None:
        found["decision"] = _decision(odds, counts, options.strategy)
    return found


def _known(odds: Odds, text: str, base: float, show: Show) -> OddsAnswer:
    from controller.rules.odds.knowledge_value import value_with_knowledge

    known = parse_knowledge(text)
    edge = value_with_knowledge(odds, known, lambda done, of: show("holes", done, of))
    return {
        "out": [DECK[card] for card in known.out],
        "lies": {place: DECK[card] for place, card in known.lies},
        "seen": sorted(known.seen),
        "player_edge_per_ante": edge, "without": base, "gain": edge - base,
    }  # fmt: skip


def _collusion(odds: Odds, cards: int, seed: int, base: float, show: Show) -> OddsAnswer:
    from controller.rules.odds.collusion import collude

    found = collude(odds, cards, seed, lambda done, of: show("draws", done, of))
    return {
        "cards": cards, "player_edge_per_ante": base + found.gain, "without": base, "gain": found.gain,
        "standard_error": found.error, "draws": found.draws, "seed": seed,
    }  # fmt: skip


def _bets(best: int, worth: Mapping[int, Any]) -> OddsAnswer:
    expectation = {"0": -2.0} | {str(bet): float(each.expectation) for bet, each in worth.items()}
    return {"best": best, "expectation": expectation}


def _decision(odds: Odds, counts: Counts, text: str) -> OddsAnswer:
    spot = parse_spot(text, odds.multiples)
    found = advice(odds, counts, spot)
    return {
        "at": spot.decision, "cards": [cards_in_words(pair) for pair in spot.pairs], "bets": list(spot.bets),
        "best": found.best, "expectation": {str(bet): worth for bet, worth in found.worth.items()},
    }  # fmt: skip


# ---------------------------------------------------------------------- answers as text


def answer_text(found: Mapping[str, OddsAnswer]) -> str:
    """Return the answers as lines for a terminal."""
    return "\n\n".join("\n".join(WORDS[name](answer)) for name, answer in found.items())


def _edge_lines(answer: OddsAnswer) -> Iterator[str]:
    yield f"player's edge    {_percent(answer['player_edge_per_ante'])} of an ante"
    yield f"without          {_percent(answer['without'])}"
    yield f"gain             {_percent(answer['gain'])}"


def _known_lines(answer: OddsAnswer) -> Iterator[str]:
    lies = [f"{card} in {place}" for place, card in answer["lies"].items()]
    seen = [f"whatever lies in {place}" for place in answer["seen"]]
    out = [f"{card} seen elsewhere" for card in answer["out"]]
    yield f"known            {', '.join([*out, *lies, *seen])}"
    yield from _edge_lines(answer)


def _collusion_lines(answer: OddsAnswer) -> Iterator[str]:
    yield f"known            {answer['cards']} cards of other players, before the first decision"
    yield from _edge_lines(answer)
    yield f"standard error   {100 * answer['standard_error']:.4f} % of an ante, {answer['draws']:,} draws"


def _strategy_lines(answer: OddsAnswer) -> Iterator[str]:
    bets = list(next(iter(answer.values()))["expectation"])
    yield "hole  best  " + "".join(f"{_bet(int(bet)):>10}" for bet in bets)
    for name, choice in answer.items():
        worth = "".join(f"{choice['expectation'][bet]:>+10.4f}" for bet in bets)
        yield f"{name:<4}  {_bet(choice['best']):<6}{worth}"


def _decision_lines(answer: OddsAnswer) -> Iterator[str]:
    yield f"decision         {answer['at']}, with {' | '.join(answer['cards'])}"
    yield f"best             {_bet(answer['best'])}"
    for bet, worth in answer["expectation"].items():
        yield f"{_bet(int(bet)):<15}  {worth:+.4f} antes"


WORDS: Mapping[str, Callable[[OddsAnswer], Iterator[str]]] = {
    "known": _known_lines,
    "collusion": _collusion_lines,
    "strategy": _strategy_lines,
    "decision": _decision_lines,
}


def _bet(bet: int) -> str:
    return "fold" if bet == 0 else f"bet {bet}"


def _percent(share: float) -> str:
    return f"{100 * share:+.2f} %"
