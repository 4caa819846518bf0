"""The evidence against a fair shuffle has the mean one if the shuffle is fair, and names the fault of an
unfair one (controller/evidence/EVIDENCE.md "The shoe").
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.cli import main
from controller.evidence.chi_squared import CRITICAL, fits
from controller.evidence.shoe_orders import LeftOut, Order, order_of, orders_of
from controller.evidence.shuffle import HYPOTHESES, RANK_OF, SUIT_OF, Ints, ShuffleEvidence
from controller.game.model.cards import DECK
from controller.game.model.names import Method
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings
from controller.record.timeline.archive import Archive
from controller.rules.odds.cards import DECK_SIZE, NUMBER
from tests.game.felt import pack
from tests.trials.evidence.shoe import CARDS, evidence, fair, repeating, riffles, sticky

pytestmark = pytest.mark.slow

MILLION = 6 * np.log(10)


def dealt(dice: np.random.Generator, shoes: int, cards: int) -> Ints:
    return fair(np.tile(np.arange(DECK_SIZE), (shoes, 1)), dice)[:, :cards]


# ---------------------------------------------------------------------- the property


@pytest.mark.parametrize("seed", range(5))
def test_each_hypothesis_keeps_its_mean_whatever_was_dealt_before(seed: int) -> None:
    """The mean is taken over every card that can come next. Two riffles separate the earlier orders, so they
    resemble each other."""
    dice = np.random.default_rng(seed)
    decks, before = dealt(dice, 1, DECK_SIZE), int(dice.integers(1, 12))
    history = [(decks, 0)]
    for number in range(1, 6):
        decks = riffles(2)(decks, dice)
        history.append((decks, number % 2))
    prefix = history[-1][0][0, :before].tolist()
    candidates = [card for card in range(DECK_SIZE) if card not in prefix]

    def after(orders: Ints) -> np.ndarray[Any, Any]:
        followed = ShuffleEvidence(len(orders))
        for order, deck in history[:-1]:
            followed.add(np.repeat(order[:, :CARDS], len(orders), axis=0), deck)
        followed.add(orders, history[-1][1])
        return np.exp(followed.logs)

    every = after(np.array([[*prefix, card] for card in candidates]))
    now = after(np.array([prefix]))[:, 0]
    assert every.mean(axis=1) == pytest.approx(now, rel=1e-9)
    # ranks, suits and cards always vary: at least these three hypotheses must
    assert (every.std(axis=1) > 1e-6).sum() >= 3


def test_a_fair_shoe_reaches_a_bound_no_more_often_than_guaranteed() -> None:
    """The test deals 400 shoes for 60 rounds each. At most 40 of them may reach evidence of ten."""
    logs = evidence(fair, 400, 60, np.random.default_rng(5))
    assert (logs.max(axis=0) >= np.log(10)).sum() <= 40
    assert (logs.max(axis=0) >= np.log(1000)).sum() <= 2


def test_an_order_with_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="a card twice"):
        ShuffleEvidence().add(np.array([[3, 4, 3]]))


# ---------------------------------------------------------------------- faults


def strongest(orders: list[Ints], decks: tuple[int, ...] = (0,)) -> str:
    """Return the hypothesis with the most evidence after these orders. `decks`: numbers of the decks that are
    dealt in turn. The evidence must exceed a million."""
    followed = ShuffleEvidence()
    for number, order in enumerate(orders):
        followed.add(order, decks[number % len(decks)])
    assert followed.peaks.max() > MILLION
    return HYPOTHESES[int(followed.peaks[:, 0].argmax())]


def series(shuffle: Any, orders: int, cards: int = CARDS) -> list[Ints]:
    dice = np.random.default_rng(11)
    decks, found = dealt(dice, 1, DECK_SIZE), []
    for _ in range(orders):
        found.append(decks[:, :cards])
        decks = shuffle(decks, dice)
    return found


def test_two_riffles_keep_neighbours() -> None:
    assert strongest(series(riffles(2), 30)) == "keeps_neighbours"


def test_a_card_that_stays_keeps_its_position() -> None:
    assert strongest(series(sticky(0.6), 60)) == "keeps_positions"


def test_a_deck_put_in_the_other_way_round_reverses_neighbours() -> None:
    assert strongest(series(lambda decks, _: decks[:, ::-1], 6, DECK_SIZE)) == "reverses_neighbours"


def test_a_repeated_order_is_found() -> None:
    orders = series(fair, 4)
    assert strongest([*orders, orders[0]]) == "repeats_order"


def test_two_decks_in_the_same_order_are_found() -> None:
    """The red deck is shuffled well; the blue one has the same order with another cut."""
    red = series(fair, 20, DECK_SIZE)
    pairs = [(order[:, :CARDS], np.roll(order, 7, axis=1)[:, :CARDS]) for order in red]
    assert strongest([each for pair in pairs for each in pair], (0, 1)) == "as_the_other_deck"


def test_a_missing_card_is_found() -> None:
    orders = [order[order != 17][None, :CARDS] for order in series(fair, 150, CARDS + 2)]
    assert strongest(orders) == "missing_or_double"


def test_a_double_card_is_found() -> None:
    """The deck has 53 cards, one of them twice. A round that deals both has no order, so it is left out."""
    dice = np.random.default_rng(11)
    packs = [dice.permutation(DECK_SIZE + 1)[:CARDS] for _ in range(600)]
    orders = [np.where(pack == DECK_SIZE, 17, pack)[None] for pack in packs]
    assert strongest([order for order in orders if (order == 17).sum() < 2]) == "missing_or_double"


@pytest.mark.parametrize(
    ("kind_of", "count", "found"), [(RANK_OF, 400, "rank_by_position"), (SUIT_OF, 200, "suit_by_position")]
)
def test_a_rank_or_a_suit_at_one_position_is_found(kind_of: Ints, count: int, found: str) -> None:
    """Every second order begins with a card of the last rank or suit."""
    orders = series(fair, count, DECK_SIZE)
    for order in orders[::2]:
        at = int(np.flatnonzero(kind_of[order[0]] == kind_of.max())[0])
        order[0, [0, at]] = order[0, [at, 0]]
    assert strongest([order[:, :CARDS] for order in orders]) == found


def test_orders_without_a_shuffle_are_found_soon() -> None:
    logs = evidence(repeating(0.2), 20, 60, np.random.default_rng(3))
    assert (logs[-1] > MILLION).all()


# ---------------------------------------------------------------------- chi-squared


def test_chi_squared_of_counts_worked_out_by_hand() -> None:
    """In 52 orders each card comes first once, except that one comes twice instead of the last card. The
    counts of ranks are 5, 3 and eleven times 4, where 4 are expected: chi-squared is (1 + 1) / 4 = 0.5, from
    too few orders. Ten times as many orders give 5."""
    firsts = [0, *range(51)] * 10
    suit, rank, card = fits([(first,) for first in firsts])
    assert (rank.values, rank.critical) == ((5.0,), CRITICAL[12])
    assert suit.values == (pytest.approx(2 * 100 / 130),)
    assert card.values == (pytest.approx(2 * 100 / 10),)
    assert rank.exceeding == ()


def test_chi_squared_exceeds_its_critical_value_at_one_position_in_twenty() -> None:
    orders = dealt(np.random.default_rng(9), 2600, 40).tolist()
    for fit in fits(orders):
        assert len(fit.values) == 40
        assert len(fit.exceeding) <= 6  # two are expected; more than 6 have a chance below 1 %


def test_positions_with_too_few_orders_are_left_out() -> None:
    suit, rank, card = fits([(0, 1, 2)] * 30)
    assert (len(suit.values), len(rank.values), card.values) == (3, 0, ())
    assert suit.exceeding == (1, 2, 3)


# ---------------------------------------------------------------------- records


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("shoe") / "journal.db"
    played = [
        "mock", "--no-wires", "--headless", "--json", "--rounds", "30", "--seed", "5", "--seats", "3",
        "--voids", "0.1", "--journal", str(file),
    ]  # fmt: skip
    assert main(played) == 0
    return file


def test_the_order_is_that_of_the_shoe(journal: Path) -> None:
    """Each card is at the position in which the pack deals its place: first the cross, then the seats."""
    with Archive(journal).rounds() as rounds:
        records = [rounds.record(line.round) for line in reversed(list(rounds.lines()))]
    every = orders_of(journal, records)
    found = {order.round: order for order in every.found}
    assert 0 < len(found) < len(records)
    assert len(found) + sum(map(len, every.left_out.values())) == len(records)
    for record in records:
        if record["round"] not in found:
            assert record["outcome"] == "void" or record["set_aside"]
            continue
        seats = [card for seat in record["seats"] for card in seat["cards"] if card]
        crossed = ("down_far", "across_left", "middle", "across_right", "down_near")
        cards = [*(record["cross"][place] for place in crossed), *seats]
        assert found[record["round"]].cards == tuple(NUMBER[card] for card in cards if card)
        assert found[record["round"]].back == record["deck"]["back"]


def example(rules: RulePack, method: Method) -> Any:
    """Return a settled round of seats 2 and 5, whose cards are those of DECK in the order of the places."""
    deck = iter(DECK)
    places = ("down_far", "across_left", "middle", "across_right", "down_near")
    cross = {place: next(deck) for place in places}
    seats: list[dict[str, Any]] = [{"seat": seat, "cards": [next(deck), next(deck)]} for seat in (2, 5)]
    bonus = [next(deck) for _ in range(4)] if "six_card" in rules.key else None
    return {
        "round": 7, "outcome": "settled", "set_aside": [], "method": method, "cross": cross, "seats": seats,
        "bonus_cards": bonus, "deck": {"back": "RED", "after": "reshuffled"}, "irregularities": [],
    }  # fmt: skip


def test_single_cards_are_dealt_round_the_table_twice() -> None:
    order = order_of(example(pack(), Method.MANUAL_SHOE), pack(), TableSettings())
    assert isinstance(order, Order)
    assert order.cards == (0, 1, 2, 3, 4, 5, 7, 6, 8)


def test_a_stack_whose_last_card_lies_on_top_left_the_shoe_in_reverse() -> None:
    settings = TableSettings(stack_first_out="bottom")
    order = order_of(example(pack(), Method.AUTOMATED_SHOE), pack(), settings)
    assert isinstance(order, Order)
    assert order.cards == (4, 3, 2, 1, 0, 6, 5, 8, 7)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"outcome": "void"}, LeftOut.VOID),
        ({"set_aside": ["2H"]}, LeftOut.SET_ASIDE),
        ({"cross": {}}, LeftOut.UNREAD),
        ({"entered_faces": ["seat_2_1"]}, LeftOut.UNREAD),
        ({"irregularities": [{"code": "shoe_lost"}]}, LeftOut.UNREAD),
        ({"bonus_cards": None, "seats": [{"seat": 2, "cards": ["2S", "2S"]}]}, LeftOut.TWICE),
    ],
)
def test_an_incomplete_deal_has_no_order(change: dict[str, Any], reason: LeftOut) -> None:
    record = example(pack(), Method.AUTOMATED_SHOE) | change
    assert order_of(record, pack(), TableSettings()) is reason


@pytest.mark.parametrize("folds", [(), (2,), (2, 5)])
def test_no_round_that_was_dealt_by_hand_has_an_order(folds: tuple[int, ...]) -> None:
    """The cards of a player who folds stay unknown, and low cards are folded more often than high ones. The
    rounds whose faces are all known would therefore not look like those of a fair shuffle."""
    record = example(pack(), Method.HAND)
    for seat in record["seats"]:
        if seat["seat"] in folds:
            seat["cards"] = [None, None]
    assert order_of(record, pack(), TableSettings()) is LeftOut.HAND


def test_bonus_cards_are_part_of_the_order() -> None:
    rules = pack("six_card_bonus")
    order = order_of(example(rules, next(iter(rules.deals))), rules, TableSettings())
    assert isinstance(order, Order)
    assert sorted(order.cards) == list(range(13))


# ---------------------------------------------------------------------- the command


def test_the_command_prints_the_evidence_and_no_card(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evidence", str(journal), "--shoe"]) == 0
    words = capsys.readouterr().out
    assert "orders, rounds 1 to 30" in words
    assert " void: " in next(
        line for line in words.splitlines() if line.startswith("rounds without an order")
    )
    assert "rank: needs 65 orders" in words
    assert "suit: 11 positions" in words
    assert not any(card in words for card in DECK)
    assert main(["evidence", str(journal), "--shoe", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data["hypotheses"]) == set(HYPOTHESES)
    assert data["peak_log10"] < 3
    assert data["orders"] * 11 == data["cards"]
    assert data["orders"] + sum(data["left_out"].values()) == 30
    assert data["left_out"]["void"] > 0


def test_a_fair_table_dealt_by_hand_is_not_accused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Players who fold low cards leave hands unknown in most rounds; the report counts these rounds alone."""
    file = str(tmp_path / "journal.db")
    played = ["mock", "--no-wires", "--headless", "--json", "--method", "hand", "--seats", "2"]
    assert main([*played, "--rounds", "5", "--players", "optimal", "--seed", "5", "--journal", file]) == 0
    capsys.readouterr()
    assert main(["evidence", file, "--shoe"]) == 0
    words = capsys.readouterr().out
    assert "rounds without an order: dealt manually: 5" in words
    assert "no round has an order of cards that is known" in words


def test_a_seat_is_refused_for_the_evidence_of_a_shoe(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evidence", str(journal), "--shoe", "--seat", "2"]) == 2
    assert capsys.readouterr().err.startswith("crisscross evidence: --seat 2: not with --shoe")


def test_a_journal_without_rounds_gives_one_line(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", str(journal), "--shoe", "--since", "2199-01-01"]) == 0
    assert "no round has an order of cards that is known" in capsys.readouterr().out
