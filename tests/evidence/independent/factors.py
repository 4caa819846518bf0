"""Independent computation of the evidence of one seat in one round, from its record.

Written only from controller/evidence/EVIDENCE.md, slowly and plainly, with Python's standard library, so that
it does not share a mistake with the controller. This module must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import exp, fsum, log
from typing import Any

Record = Mapping[str, Any]
Values = list[float]
"""Values of the three choices in antes: fold, smallest bet, largest bet."""
RANKS, DECK = "23456789TJQKA", [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
AT = {card: number for number, card in enumerate(DECK)}
STRENGTHS, CARELESS = (0.5, 2.0, 8.0), 0.05
BONUS_STRENGTHS, ANTE_STRENGTHS, LATE_STRENGTHS = (1.0, 9.0, 99.0), (0.5, 1.5, 4.0), (1.0, 4.0, 16.0)
SIGHT = {"community_exposed", "face_seen", "card_face_up", "card_differs", "duplicate_card"}
UNREAD = {"shoe_lost", "shoe_fault", "drawn_in_error", "wrong_count"}
PLACES = ("across_left", "across_right", "down_far", "down_near")
NAMES = ("sees_middle", *(f"sees_{place}" for place in PLACES), "sees_cross", "bonus_follows_cards",
         "ante_follows_hand", "late_chips_follow_cards", "knows_one_hand", "knows_other_hands")  # fmt: skip
BETS = ("across", "down", "middle")
NEXT_DECISION = {"dealing": 0, **{wager: number for number, wager in enumerate(BETS)}}
"""Index of the next decision after an irregularity, by the phase of the irregularity."""
CHOICES = ("fold", "make the smallest bet", "make the largest bet")

Decision = tuple[str, float, str, int, list[float]]
"""Decision as an export has it: the wager, the antes bet, the best choice of a player with the knowledge, the
number of possible cards, and the logarithms of the factor by strength."""


def hand_class(cards: Sequence[int]) -> int:
    """Return the class of a hand of five cards, from 0 (a pair below 6s or less) to 10 (royal flush)."""
    ranks = sorted((card % 13 for card in cards), reverse=True)
    shape = sorted(Counter(ranks).items(), key=lambda each: (-each[1], -each[0]))
    counts = [count for _, count in shape]
    if len(shape) < 5:
        if counts[0] == 2 and len(shape) == 4:
            return 2 if shape[0][0] >= 9 else 1 if shape[0][0] >= 4 else 0
        return {(2, 2, 1): 3, (3, 1, 1): 4, (3, 2): 7, (4, 1): 8}[tuple(counts)]
    flush = len({card // 13 for card in cards}) == 1
    straight = ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0]
    if flush and straight:
        return 10 if ranks[4] == 8 else 9
    return 6 if flush else 5 if straight else 0


class Hole:
    """A seat's two cards, with the values of their choices under a rule pack. Values and wins are in antes;
    classes of hands are those of `hand_class`."""

    def __init__(self, cards: Sequence[int], pack: Mapping[str, Any]) -> None:
        self.cards, self.pack = tuple(sorted(cards)), pack
        self.pays, self.antes = pack["bets"], pack["antes"]
        self.pays_more = [two - one for one, two in pairwise(self.pays)]
        self.least, self.most = pack["multiples"]
        self.seen: dict[tuple[int, ...], int] = {}
        self.after_card: dict[tuple[tuple[int, ...], int, float], Values] = {}

    def made(self, *others: int) -> int:
        """Return the class of the hand that three more cards make with the two."""
        key = tuple(sorted(others))
        if key not in self.seen:
            self.seen[key] = hand_class((*self.cards, *key))
        return self.seen[key]

    def lying(self, one: int, two: int, across: float, down: float) -> float:
        """Return the win of antes, Across and Down bet, by the classes `one`, `two` of both hands."""
        return self.antes[one] + self.antes[two] + across * self.pays[one] + down * self.pays[two]

    def best(self, one: int, two: int, across: float, down: float) -> float:
        """Return the win of a round with the best Middle bet or a fold, to a player who knows the classes
        `one` (Across) and `two` (Down) of both hands. `across`, `down`: bets in antes."""
        odds = self.pays[max(one, two)]
        middle = (self.most if odds > 0 else self.least) * odds
        return max(self.lying(one, two, across, down) + middle, -(2 + across + down))

    def without(self, *gone: int) -> list[int]:
        return [card for card in range(52) if card not in {*self.cards, *gone}]

    def first(self, table: str, cards: Sequence[int]) -> list[Values]:
        """Return the exported values of the first decision, by known card. `table`: place of the card."""
        known = self.pack["holes"][" ".join(DECK[card] for card in self.cards)][table]
        return [[-2.0, *known[DECK[card]]] for card in cards]

    def down_with_middle(self, across: Sequence[int], middle: int, bet: float) -> Values:
        """Return the values of the Down decision to a player who knows the middle card: means over all Down
        pairs. `across`: the turned pair; `bet`: antes bet on it."""
        one = self.made(*across, middle)
        left = [card for card in self.without(*across) if card != middle]
        ends = Counter(self.made(*pair, middle) for pair in combinations(left, 2))
        many = sum(ends.values())
        sums = [
            fsum(self.best(one, two, bet, down) * count for two, count in ends.items()) / many
            for down in (self.least, self.most)
        ]
        return [-(2 + bet), *sums]

    def down_with_card(self, across: Sequence[int], card: int, bet: float) -> Values:
        """Return the values of the Down decision with a known card of the Down pair: means over each second
        card and each middle card. The Middle bet is chosen before the middle card is turned. Results are
        kept, because both cards of the pair need the same ones."""
        key = tuple(across), card, bet
        if key not in self.after_card:
            self.after_card[key] = self._down_with_card(across, card, bet)
        return self.after_card[key]

    def _down_with_card(self, across: Sequence[int], card: int, bet: float) -> Values:
        left = [each for each in self.without(*across) if each != card]
        sums = [0.0, 0.0]
        for second in left:
            ends = Counter(
                (self.made(*across, middle), self.made(card, second, middle))
                for middle in left if middle != second
            )  # fmt: skip
            for choice, down in enumerate((self.least, self.most)):
                laid = fsum(self.lying(*each, bet, down) * count for each, count in ends.items())
                higher = fsum(self.pays[max(each)] * count for each, count in ends.items())
                folded = -(2 + bet + down) * sum(ends.values())
                sums[choice] += max(folded, laid + self.least * higher, laid + self.most * higher)
        many = len(left) * (len(left) - 1)
        return [-(2 + bet), *(each / many for each in sums)]

    def with_result(self, one: int, two: int, across: float, down: float) -> Values:
        """Return the values of a fold and of both Middle bets, as in `best`: the results of the round."""
        laid, odds = self.lying(one, two, across, down), self.pays[max(one, two)]
        return [-(2 + across + down), laid + self.least * odds, laid + self.most * odds]

    def with_cross(self, one: int, two: int, bets: Sequence[float]) -> Values:
        """Return the values of the next decision, after `bets`, to a player who knows both classes."""
        if len(bets) == 2:
            return self.with_result(one, two, bets[0], bets[1])
        both = self.least, self.most
        if bets:
            return [-(2 + bets[0]), *(self.best(one, two, bets[0], down) for down in both)]
        after = [max(-(2 + bet), *(self.best(one, two, bet, down) for down in both)) for bet in both]
        return [-2.0, *after]

    def chances(self, values: Values, bet: float) -> list[float]:
        """Return the chance of a bet of `bet` antes under the model, for each strength."""
        top = max(values)
        share = 0.0 if self.most == self.least else (bet - self.least) / (self.most - self.least)
        value = (1 - share) * values[1] + share * values[2] if bet else values[0]
        return [
            CARELESS / 3 + (1 - CARELESS) * exp(s * (value - top)) / sum(exp(s * (v - top)) for v in values)
            for s in STRENGTHS
        ]


def product(one: Sequence[float], two: Sequence[float]) -> list[float]:
    return [a * b for a, b in zip(one, two, strict=True)]


def choice(values: Values) -> str:
    return CHOICES[values.index(max(values))]


# ---------------------------------------------------------------------- one seat in one round


class Seat:
    """One seat of a round. `dealt`: known cards outside the cross; `others`: those that other seats hold or
    that were set aside. `bets`: antes bet at each decision, 0 for a fold."""

    def __init__(self, record: Record, seat: Record, pack: Mapping[str, Any]) -> None:
        self.record, self.seat, self.pack = record, seat, pack
        self.cross = {place: AT[card] for place, card in record["cross"].items() if card}
        held = [card for each in record["seats"] for card in each["cards"]]
        faces = [*held, *(record["bonus_cards"] or ()), *record["set_aside"]]
        self.dealt = {AT[card] for card in faces if card}
        own = [AT[card] for card in seat["cards"] if card]
        self.hole = Hole(own, pack) if len(own) == 2 else None
        self.others = self.dealt - {*own}
        self.bets = list(self._bets())

    def _bets(self) -> Iterator[float]:
        wagers = self.seat["wagers"]
        ante = wagers.get("ante_across", {}).get("amount")
        for wager in BETS if ante else ():
            if wager in wagers:
                yield wagers[wager]["amount"] / ante
            elif self.seat["forfeited"] is None or self.seat["folded_at"]:
                yield 0.0
                return
            else:
                return

    def is_fair(self) -> bool:
        codes = {each["code"] for each in self.record["irregularities"]}
        return self.record["outcome"] != "void" and not codes & SIGHT and all(self.record["set_aside"])

    def is_read(self) -> bool:
        """Return whether a shoe read every card of the round."""
        record = self.record
        codes = {each["code"] for each in record["irregularities"]}
        hands = [each["cards"] for each in record["seats"]]
        faces = [*(card for hand in hands for card in hand), *record["cross"].values()]
        faces += [*(record["bonus_cards"] or ()), *record["set_aside"]]
        once = len({*self.cross.values()} | self.dealt) == len(faces)
        whole = all(faces) and all(len(hand) == 2 for hand in hands)
        by_shoe = record["method"] != "hand" and not record.get("entered_faces")
        return whole and once and by_shoe and not codes & UNREAD

    def decisions(self, cards: Sequence[int], at: int, values: Sequence[Sequence[Values]]) -> list[Decision]:
        """Return the decisions. `cards`: candidates for the known card; `at`: index of the turned card in
        `cards`; `values`: by decision and candidate."""
        assert self.hole
        found, joint, before = [], [[1.0] * 3 for _ in cards], [1 / len(cards)] * 3
        for wager, bet, each in zip(BETS, self.bets, values, strict=False):
            made = [self.hole.chances(value, bet) for value in each]
            joint = [product(old, new) for old, new in zip(joint, made, strict=True)]
            now = [joint[at][s] / fsum(row[s] for row in joint) for s in range(3)]
            weights = [log(new / old) for new, old in zip(now, before, strict=True)]
            found.append((wager, bet, choice(each[at]), len(cards), weights))
            before = now
        return found

    def middle(self) -> list[Decision]:
        """Return the evidence that the seat knew the middle card; a forfeited seat has none."""
        folded = bool(self.bets) and (len(self.bets) == 3 or not self.bets[-1])
        hands = all(len([card for card in each["cards"] if card]) == 2 for each in self.record["seats"])
        if not folded or not hands or len(self.cross) < 5 or self.cross["middle"] in self.dealt:
            return []
        assert self.hole
        hole, cross = self.hole, self.cross
        across, down = [cross[place] for place in PLACES[:2]], [cross[place] for place in PLACES[2:]]
        cards = hole.without(*across, *down, *self.others)
        values = [hole.first("middle", cards)]
        if len(self.bets) > 1:
            values.append([hole.down_with_middle(across, card, self.bets[0]) for card in cards])
        if len(self.bets) > 2:
            hands_of = [(hole.made(*across, card), hole.made(*down, card)) for card in cards]
            values.append([hole.with_result(*each, self.bets[0], self.bets[1]) for each in hands_of])
        return self.decisions(cards, cards.index(cross["middle"]), values)

    def pair_card(self, place: str) -> list[Decision]:
        """Return the evidence on one card of a pair, from the decisions before the pair is turned."""
        many = 1 if place in PLACES[:2] else 2
        bets, card = self.bets[:many], self.cross[place]
        if not bets or (len(bets) < many and bets[-1]):
            return []
        assert self.hole
        across = [self.cross[each] for each in PLACES[:2]]
        cards = self.hole.without(*({*self.cross.values()} - {card}), *self.others)
        values = [self.hole.first("across" if many == 1 else "down", cards)]
        if len(bets) == 2:
            values.append([self.hole.down_with_card(across, each, bets[0]) for each in cards])
        return self.decisions(cards, cards.index(card), values)

    def whole_cross(self) -> list[Decision]:
        """Return the evidence on the whole cross, which is turned in three steps."""
        if not self.bets:
            return []
        assert self.hole
        hole, middle = self.hole, self.cross["middle"]
        across, down = [self.cross[each] for each in PLACES[:2]], [self.cross[each] for each in PLACES[2:]]
        steps = self.crosses(across, down)
        mine = hole.made(*across, middle), hole.made(*down, middle)
        weight = {each: [1.0] * 3 for each in steps[0]}
        found: list[Decision] = []
        for at, (wager, bet) in enumerate(zip(BETS, self.bets, strict=False)):
            made = {each: hole.chances(hole.with_cross(*each, self.bets[:at]), bet) for each in weight}
            weight = {each: product(old, made[each]) for each, old in weight.items()}
            before, after = steps[at], steps[3 if not bet or at == 2 else at + 1]
            fair = sum(after.values()) / sum(before.values())
            sums = [
                [fsum(weight[c][s] * n for c, n in step.items()) for s in range(3)]
                for step in (after, before)
            ]
            gained = [log(a / b / fair) for a, b in zip(*sums, strict=True)]
            best = choice(hole.with_cross(*mine, self.bets[:at]))
            found.append((wager, bet, best, sum(steps[0].values()), gained))
        return found

    def crosses(self, across: list[int], down: list[int]) -> list[Counter[tuple[int, int]]]:
        """Return four counts of crosses by the classes of both hands: all crosses, crosses with the Across
        pair, crosses with both pairs, and the dealt cross."""
        assert self.hole
        hole, live = self.hole, self.hole.without(*self.others)
        every, with_across, with_both = Counter[Any](), Counter[Any](), Counter[Any]()
        for middle in live:
            left = [card for card in live if card != middle]
            pairs = {pair: hole.made(*pair, middle) for pair in combinations(left, 2)}
            by_class = Counter(pairs.values())
            held = Counter((card, made) for pair, made in pairs.items() for card in pair)
            for one, many in by_class.items():
                for two, others in by_class.items():
                    shared = sum(held[card, one] * held[card, two] for card in left)
                    every[one, two] += many * others - shared + (many if one == two else 0)
            if middle in across:
                continue
            first = pairs[across[0], across[1]] if across[0] < across[1] else pairs[across[1], across[0]]
            for pair, made in pairs.items():
                if not {*pair} & {*across}:
                    with_across[first, made] += 1
            if middle not in down:
                with_both[first, hole.made(*down, middle)] += 1
        mine = hole.made(*across, self.cross["middle"]), hole.made(*down, self.cross["middle"])
        return [every, with_across, with_both, Counter([mine])]

    def bonus(self, ever: set[str]) -> list[Decision]:
        """Return the evidence that bonus bets follow the cards. `ever`: bonuses that the sitting has bet
        before."""
        wagers = self.seat["wagers"]
        parts = {**self.record, "cross": [*self.record["cross"].values()], "own": self.seat["cards"]}
        every = self.pack["bonuses"]
        dealt = [name for name in every if all(parts[part] for part in every[name]["cards"])]
        names = [name for name in dealt if wagers.get(name, {}).get("amount") or name in ever]
        each, won = [], {}
        for name in names:
            cards = [AT[card] for part in every[name]["cards"] for card in parts[part]]
            made = max(hand_class(five) for five in combinations(cards, 5))
            won[name], p = every[name]["pays"][made] > 0, every[name]["chance"]
            odds = [1 + s if wagers.get(name, {}).get("amount") else 1 / (1 + s) for s in BONUS_STRENGTHS]
            each.append([(f if won[name] else 1.0) / (p * f + 1 - p) for f in odds])
        if not names:
            return []
        weights = [log(sum(row[s] for row in each) / len(each)) for s in range(3)]
        laid = wagers.get(names[0], {}).get("amount", 0) / wagers["ante_across"]["amount"]
        return [(names[0], laid, "lay a bonus bet" if won[names[0]] else "lay no bonus bet", 0, weights)]

    def ante(self, antes: Sequence[int]) -> list[Decision]:
        """Return the evidence that the size of the ante follows the hole. `antes`: earlier antes of the
        sitting in cents."""
        own, total = self.seat["wagers"]["ante_across"]["amount"], sum(antes)
        side = (own * len(antes) > total) - (own * len(antes) < total)
        if not antes or not side:
            return []
        assert self.hole
        gone = {*self.cross.values()} | self.others
        holes = [*combinations([card for card in range(52) if card not in gone], 2)]
        worth = [self.pack["worth"][kind(hole)] for hole in holes]
        mine, weights = ranked(worth, self.pack["worth"][kind(self.hole.cards)], side, ANTE_STRENGTHS)
        best = "ante more than before" if mine >= 0 else "ante less than before"
        return [("ante_across", own * len(antes) / total, best, len(worth), weights)]

    def late(self) -> list[Decision]:
        """Return the evidence that chips were added late, before the seat's turn, when the cards just seen
        were good."""
        steps, found = set(), []
        for each in self.record["irregularities"]:
            added = each["seat"] == self.seat["seat"] and each.get("name", each["code"]) == "late_bet"
            if added and each.get("before_turn"):
                step = NEXT_DECISION[each["phase"]]
                steps |= {step} if each["wager"] not in BETS[step:] else set()
        for step, wager in enumerate(BETS):
            if step in steps:
                mine, weights = self.late_step(step)
                best = "add chips late" if mine >= 0 else "add no chips late"
                found.append((wager, 0.0, best, 0, weights))
            if wager not in self.seat["wagers"]:
                break
        return found

    def late_step(self, step: int) -> tuple[float, list[float]]:
        """Return the rank (`ranked`) of the pair that was seen last before decision `step`: own cards, Across
        pair, Down pair; and the logarithms of the factor."""
        assert self.hole
        hole, cross = self.hole, self.cross
        pairs = [hole.cards, *(sorted(cross[place] for place in two) for two in (PLACES[:2], PLACES[2:]))]
        seen = {card for pair in pairs[:step] for card in pair} | self.others
        every = combinations([card for card in range(52) if card not in seen], 2)

        def worth(one: int, two: int) -> float:
            if not step:
                value: float = self.pack["worth"][kind((one, two))]
                return value
            return fsum(hole.pays[hole.made(one, two, middle)] for middle in hole.without(one, two))

        return ranked([worth(*pair) for pair in every], worth(*pairs[step]), 1, LATE_STRENGTHS)


def ranked(
    worth: Sequence[float], mine: float, side: int, strengths: Sequence[float]
) -> tuple[float, list[float]]:
    """Return the rank of `mine` among the values of all possible pairs, `worth`, scaled from -1 to 1, and the
    logarithms of the factor. `side`: -1 if the model favours low values, else 1."""
    ordered, counts, below = Counter(worth), len(worth), 0
    place = {}
    for value in sorted(ordered):
        place[value] = (2 * below + ordered[value]) / counts - 1
        below += ordered[value]
    weights = [
        s * side * place[mine] - log(fsum(exp(s * side * place[v]) * n for v, n in ordered.items()) / counts)
        for s in strengths
    ]
    return place[mine], weights


def kind(hole: Sequence[int]) -> str:
    """Return the name of the kind of two cards, such as AA, AKs (one suit) or AKo (two suits)."""
    high, low = sorted((card % 13 for card in hole), reverse=True)
    if high == low:
        return RANKS[high] * 2
    return RANKS[high] + RANKS[low] + ("s" if hole[0] // 13 == hole[1] // 13 else "o")
