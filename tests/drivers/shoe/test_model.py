"""The simulated shoe behaves as a device does with decks, stacks, stubs and faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.shoe.sim.deck import FACES
from drivers.shoe.sim.model import Pace, ShoeCard, ShoeModel


class RecordedShoe:
    """Model at full pace that records the frames that it sends."""

    def __init__(self, **options: object) -> None:
        options.setdefault("pace", Pace.max())
        self.model = ShoeModel(**options)  # type: ignore[arg-type]
        self.frames: list[str] = []
        self.events: list[str] = []
        self.model.attach(lambda kind, fields: self.frames.append(",".join((kind, *fields))))
        self.model.listen(self.events.append)

    def do(self, kind: str, *fields: str, now: float = 0.0) -> list[str]:
        self.model.command(kind, fields, now)
        return self.take_frames()

    def take_frames(self) -> list[str]:
        taken, self.frames = self.frames, []
        return taken


def faces(cards: list[ShoeCard]) -> list[str]:
    return [card.face for card in cards]


def test_a_round_sends_the_frames_of_the_contract() -> None:
    shoe = RecordedShoe(seed=3)
    dealt = shoe.do("DEAL", "5")
    cross = shoe.model.lift_stack()
    assert dealt == [*(f"CARD,{n},{face}" for n, face in enumerate(faces(cross), 1)), "STACK,5", "DONE,DEAL"]
    assert shoe.take_frames() == ["TAKEN"]
    assert shoe.model.state() == ("DEALING", "47", "5", "RED", "STACK")
    assert shoe.do("STUBOUT") == []
    stub = shoe.model.take_stub()
    assert shoe.take_frames() == ["STUB,47", "DONE,STUBOUT"]
    assert sorted(faces(cross) + faces(stub)) == sorted(FACES)
    assert shoe.do("SHUFFLE") == ["REFUSED,SHUFFLE,the cards are not in the device"]
    shoe.model.put_deck_in("RED")
    assert shoe.do("SHUFFLE") == [
        "STATE,SHUFFLING,0,5,-,STACK",
        "SHUFFLED,52,RED",
        "READY,52,RED",
        "DONE,SHUFFLE",
    ]
    assert shoe.events == ["stack", "stub", "ready"]


def test_the_same_seed_gives_the_same_cards_shuffle_by_shuffle() -> None:
    orders = []
    for seed in (3, 3, 4):
        shoe = RecordedShoe(seed=seed)
        order = []
        for _ in range(3):
            shoe.do("DEAL", "5")
            order.append(faces(shoe.model.lift_stack()))
            shoe.do("STUBOUT")
            shoe.model.take_stub()
            shoe.model.put_deck_in("RED")
            shoe.do("SHUFFLE")
        orders.append(order)
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][0] != orders[0][1]


def test_a_stack_still_in_the_exit_refuses_the_next() -> None:
    shoe = RecordedShoe()
    shoe.do("DEAL", "2")
    assert shoe.do("DEAL", "2") == ["REFUSED,DEAL,the stack is still in the exit"]
    assert shoe.do("STUBOUT") == ["REFUSED,STUBOUT,the stack is still in the exit"]


def test_cards_put_in_front_come_out_first_and_no_card_comes_twice() -> None:
    shoe = RecordedShoe(seed=8)
    shoe.model.load("TD 9S 2C")
    assert shoe.do("DEAL", "3")[:3] == ["CARD,1,TD", "CARD,2,9S", "CARD,3,2C"]
    stack = shoe.model.lift_stack()
    assert sorted(faces(stack + shoe.model.lift_deck_out())) == sorted(FACES)


def test_a_face_up_card_is_not_counted_and_an_unread_card_is() -> None:
    shoe = RecordedShoe(seed=8)
    shoe.model.load("TD ^KC ??")
    frames = shoe.do("DEAL", "2")
    assert frames == ["CARD,1,TD", "CARD,2,FU", "CARD,3,NR", "STACK,2", "DONE,DEAL"]
    assert shoe.model.state()[2] == "3"
    stack, aside = shoe.model.lift_stack(), shoe.model.take_laid_aside()
    assert faces(aside) == ["KC"]
    assert len({*faces(stack), *faces(aside)}) == 3


def test_a_card_already_dealt_can_be_made_to_come_again() -> None:
    shoe = RecordedShoe()
    shoe.model.load("TD")
    shoe.do("DEAL", "1")
    shoe.model.lift_stack()
    shoe.take_frames()
    shoe.model.load("TD")
    assert shoe.do("DEAL", "1")[0] == "CARD,2,TD"
    assert shoe.model.cards_left == 50


def test_cards_loaded_without_a_deck_are_put_in_the_next_one() -> None:
    shoe = RecordedShoe()
    shoe.model.lift_deck_out()
    shoe.model.load("AS")
    shoe.model.put_deck_in("RED", preshuffled=True)
    shoe.take_frames()
    assert shoe.do("DEAL", "1")[0] == "CARD,1,AS"


WANTED = st.sampled_from([*FACES, "??", *("^" + face for face in FACES)])


@given(st.integers(0, 99), st.lists(WANTED, max_size=52))
def test_a_deck_keeps_its_number_of_cards_whatever_is_loaded(seed: int, wanted: list[str]) -> None:
    model = ShoeModel(seed, mode="SINGLE", pace=Pace.max())
    model.load(wanted)
    assert model.cards_left == 52
    cards = model.lift_deck_out()
    assert [card.found for card in cards[: len(wanted)]] == [
        "NR" if word == "??" else "FU" if word[0] == "^" else "" for word in wanted
    ]
    named = [word.removeprefix("^") for word in wanted if word != "??"]
    if len(set(named)) == len(named):
        assert sorted(faces(cards)) == sorted(FACES)


def test_an_invalid_card_is_refused_without_repeating_it() -> None:
    with pytest.raises(ValueError, match="a rank") as error:
        RecordedShoe().model.load("QH 1X")
    assert "1X" not in str(error.value)


@pytest.mark.parametrize("kind", ["jam", "empty", "door", "sensor"])
def test_a_fault_at_the_third_card_from_now_ends_the_deal(kind: str) -> None:
    shoe = RecordedShoe()
    shoe.model.fault(kind, after=3)
    frames = shoe.do("DEAL", "5")
    code = kind.upper()
    assert [text.split(",")[0] for text in frames] == ["CARD", "CARD", "FAULT", "REFUSED"]
    assert frames[2:] == [f"FAULT,{code}", f"REFUSED,DEAL,fault {code}"]
    assert shoe.model.state()[0] == "FAULT"
    assert shoe.events == ["partial", "fault"]
    assert len(shoe.model.lift_stack()) == 2
    assert shoe.take_frames() == ["TAKEN"]
    assert shoe.do("DEAL", "2") == [f"REFUSED,DEAL,fault {code}"]
    shoe.model.clear()
    assert shoe.take_frames() == [f"CLEARED,{code}"]
    assert shoe.do("DEAL", "2")[-1] == "DONE,DEAL"


def test_the_fault_double_lets_a_second_card_through() -> None:
    shoe = RecordedShoe()
    shoe.model.fault("double", after=2)
    frames = shoe.do("DEAL", "5")
    assert [text.split(",")[0] for text in frames] == ["CARD", "CARD", "FAULT", "REFUSED"]
    assert len(shoe.model.lift_stack()) == 3
    assert shoe.model.state()[1] == "50"
    assert shoe.model.cards_left == 49


def test_a_shuffle_fault_stops_a_shuffle_and_no_card() -> None:
    shoe = RecordedShoe()
    shoe.model.fault("shuffle")
    assert shoe.take_frames() == ["FAULT,SHUFFLE"]
    assert shoe.do("DEAL", "2")[-1] == "DONE,DEAL"
    shoe.model.lift_stack()
    shoe.do("STUBOUT")
    shoe.model.take_stub()
    shoe.model.put_deck_in("RED")
    shoe.take_frames()
    assert shoe.do("SHUFFLE") == ["REFUSED,SHUFFLE,fault SHUFFLE"]
    shoe.model.clear()
    assert shoe.do("SHUFFLE")[-1] == "DONE,SHUFFLE"


def test_an_interrupted_shuffle_can_be_repeated() -> None:
    shoe = RecordedShoe(pace=Pace(0.1, 0.1, 10.0))
    assert shoe.do("SHUFFLE") == ["STATE,SHUFFLING,0,0,-,STACK"]
    shoe.model.fault("shuffle")
    assert shoe.take_frames() == ["FAULT,SHUFFLE", "REFUSED,SHUFFLE,fault SHUFFLE"]
    shoe.model.clear()
    shoe.do("SHUFFLE", now=20.0)
    shoe.model.tick(30.0)
    assert shoe.take_frames()[-2:] == ["READY,52,RED", "DONE,SHUFFLE"]


def test_a_stub_is_reported_with_a_wrong_count_or_none() -> None:
    shoe = RecordedShoe()
    shoe.model.count_next(51)
    assert shoe.do("SHUFFLE")[1] == "SHUFFLED,51,RED"
    assert shoe.do("SHUFFLE")[1] == "SHUFFLED,52,RED"
    blind = RecordedShoe(counts=False)
    assert blind.do("SHUFFLE")[1:3] == ["SHUFFLED,-,RED", "READY,-,RED"]
    blind.do("STUBOUT")
    blind.model.take_stub()
    assert blind.take_frames()[0] == "STUB,-"


def test_two_decks_alternate_when_the_played_one_is_put_in() -> None:
    shoe = RecordedShoe(backs=("RED", "BLUE"))
    shoe.do("DEAL", "5")
    shoe.model.lift_stack()
    shoe.do("STUBOUT")
    shoe.model.take_stub()
    shoe.take_frames()
    shoe.model.put_deck_in("RED")
    assert shoe.take_frames() == ["READY,52,BLUE", "SHUFFLED,52,RED"]
    assert shoe.model.state() == ("READY", "52", "0", "BLUE", "STACK")


def test_with_two_decks_one_is_shuffled_while_the_other_is_played() -> None:
    shoe = RecordedShoe(backs=("RED", "BLUE"), pace=Pace(0.0, 0.0, 30.0))
    shoe.do("STUBOUT")
    shoe.model.take_stub()
    shoe.take_frames()
    shoe.model.put_deck_in("RED", 100.0)
    assert shoe.take_frames() == ["READY,52,BLUE"]
    shoe.do("STUBOUT", now=105.0)
    shoe.model.take_stub()
    shoe.take_frames()
    shoe.model.put_deck_in("BLUE", 110.0)
    assert shoe.take_frames() == []
    assert shoe.model.next_deadline() == 130.0
    shoe.model.tick(130.0)
    assert shoe.take_frames() == ["SHUFFLED,52,RED", "READY,52,RED"]


def test_a_deck_can_be_lifted_out_and_replaced() -> None:
    shoe = RecordedShoe()
    assert len(shoe.model.lift_deck_out()) == 52
    assert shoe.take_frames() == ["STATE,EMPTY,0,0,-,STACK"]
    shoe.model.put_deck_in("BLUE", preshuffled=True)
    assert shoe.take_frames() == ["READY,52,BLUE"]
    with pytest.raises(ValueError, match="lift it out first"):
        shoe.model.put_deck_in("RED")


def test_cards_come_at_their_pace_and_hold_stops_them() -> None:
    shoe = RecordedShoe(pace=Pace(0.5, 1.0, 10.0))
    assert shoe.do("DEAL", "2", now=10.0) == []
    shoe.model.tick(10.5)
    assert len(shoe.take_frames()) == 1
    assert shoe.do("HOLD", now=10.6) == ["DONE,HOLD"]
    shoe.model.tick(60.0)
    assert shoe.take_frames() == []
    assert shoe.model.next_deadline() is None
    assert shoe.do("DEAL", "2") == ["REFUSED,DEAL,busy with DEAL"]
    assert shoe.do("RELEASE", now=60.0) == ["DONE,RELEASE"]
    shoe.model.tick(60.5)
    assert shoe.take_frames()[-1] == "DONE,DEAL"


def test_the_sign_is_switched_on_and_off() -> None:
    shoe = RecordedShoe()
    assert shoe.do("SIGN", "ON") == ["DONE,SIGN"]
    assert shoe.model.sign
    shoe.do("SIGN", "OFF")
    assert not shoe.model.sign


def test_a_manual_shoe_is_drawn_from_by_hand() -> None:
    shoe = RecordedShoe(mode="SINGLE")
    (card,) = shoe.model.draw()
    assert shoe.take_frames() == [f"CARD,1,{card.face}"]
    assert shoe.do("DEAL", "2") == ["REFUSED,DEAL,a manual shoe: by hand"]
    assert shoe.do("HOLD") == ["REFUSED,HOLD,this shoe has no lock"]
    assert len(shoe.model.take_stub()) == 51
    assert shoe.take_frames() == ["STUB,51", "STATE,EMPTY,0,1,-,SINGLE"]
    shoe.model.put_deck_in("RED")
    assert shoe.take_frames() == ["READY,52,RED"]


def test_a_locked_or_empty_shoe_gives_no_card() -> None:
    shoe = RecordedShoe(mode="SINGLE", lock=True)
    shoe.do("HOLD")
    assert shoe.model.draw() == []
    shoe.do("RELEASE")
    assert sum(len(shoe.model.draw()) for _ in range(60)) == 52
    assert shoe.frames[-1] == "FAULT,EMPTY"
    shoe.take_frames()
    shoe.model.lift_deck_out()
    shoe.model.put_deck_in("RED")
    assert shoe.take_frames()[1:] == ["CLEARED,EMPTY", "READY,52,RED"]


def test_power_off_drops_the_command_but_keeps_the_cards() -> None:
    shoe = RecordedShoe(pace=Pace(0.5, 1.0, 10.0))
    shoe.do("DEAL", "5", now=0.0)
    shoe.model.tick(1.0)
    shoe.model.power_cycle()
    assert shoe.model.next_deadline() is None
    assert shoe.model.in_exit == "partial"
    assert len(shoe.model.lift_stack()) == 2
    assert shoe.model.state()[2] == "2"


def test_a_listener_may_operate_the_device() -> None:
    shoe = RecordedShoe()

    def lift(event: str) -> None:
        if event == "stack":
            shoe.model.lift_stack()

    shoe.model.listen(lift)
    assert shoe.do("DEAL", "2")[-3:] == ["STACK,2", "DONE,DEAL", "TAKEN"]
    assert shoe.do("DEAL", "2")[-1] == "TAKEN"


def test_no_repr_shows_a_face() -> None:
    shoe = RecordedShoe()
    shoe.model.load("QH")
    shoe.do("DEAL", "1")
    assert "QH" not in repr(shoe.model.lift_stack())


def test_a_shoe_dealt_to_its_last_card_accepts_the_deck_again() -> None:
    shoe = RecordedShoe()
    shoe.do("DEAL", "52")
    shoe.model.lift_stack()
    shoe.model.put_deck_in("RED")
    assert shoe.do("SHUFFLE")[-1] == "DONE,SHUFFLE"
