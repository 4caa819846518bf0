"""Three pages touch one table, late, twice and for one another: what answers the prompt that stands acts.

Property: a touch that names another prompt than the one that stands changes nothing and is refused in words;
one that is taken once is not taken twice.
"""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.game.model.events import (
    AmountEntered,
    DeckBrought,
    Event,
    FaceEntered,
    FloorDecided,
    KeyPressed,
    Reported,
    Stamp,
)
from controller.game.model.irregularities import Told
from controller.game.model.names import Key, Wager
from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"
HANDS = {1: "AS KD", 2: "2H 3H", 3: "5S 6S"}
PAGES = 3
KEYS = tuple(key for key in Key if key is not Key.FLOOR)


def table() -> Felt:
    felt = Felt(settle_ms=1200)
    felt.antes(*HANDS)
    felt.close()
    felt.deal(CROSS, HANDS)
    return felt


def asked(felt: Felt) -> str:
    prompt = felt.table.view()["prompt"]
    return prompt["id"] if prompt else "none"


def touched(felt: Felt, event: Event) -> bool:
    """Whether it was taken. What is refused leaves the state as it was, journalled or not."""
    before, refusal = felt.table.state, felt.refused(event)
    if refusal is None:
        felt.event(event)
        return True
    felt.table.handle(event, Stamp(felt.ms, "2026-11-20T20:00:00.000Z"))
    after = felt.table.state
    assert (after.phase, after.round, after.alerts, after.hold, after.undo, after.holdings) == (
        before.phase, before.round, before.alerts, before.hold, before.undo, before.holdings,
    )  # fmt: skip
    return False


def answers(prompt: str) -> st.SearchStrategy[Event]:
    """Any touch that answers that prompt."""
    return st.one_of(
        st.sampled_from(KEYS).map(lambda key: KeyPressed(key, prompt)),
        st.just(AmountEntered(1, Wager.ACROSS, 1000, prompt)),
        st.just(FaceEntered("middle", "AC", prompt)),
        st.just(Reported(Told.STUB_COUNT, number=30, prompt=prompt)),
        st.just(FloorDecided("B1", "approve", prompt=prompt)),
        st.just(DeckBrought("red", prompt=prompt)),
    )


def goes_on(felt: Felt, how: int) -> None:
    """Something else happens at the table: a bet is laid or taken back, or time passes."""
    seat = felt.round.decisions.asked if felt.round else None
    if seat is not None and felt.table.state.phase.value in ("across", "down", "middle") and how:
        felt.lay(seat, **{felt.table.state.phase.value: (0, 10, 20)[how % 3]})
    else:
        felt.stand(1200)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_stale_doubled_late_or_foreign_changes_nothing(data: st.DataObject) -> None:
    felt = table()
    seen = ["1/some/other/page"] * PAGES
    for _ in range(data.draw(st.integers(5, 25), label="steps")):
        page = data.draw(st.integers(0, PAGES - 1), label="page")
        act = data.draw(st.sampled_from(["look", "touch", "touch", "twice", "table"]), label="act")
        if act == "look":
            seen[page] = asked(felt)
        elif act == "table":
            goes_on(felt, data.draw(st.integers(0, 5), label="how"))
        else:
            event = data.draw(answers(seen[page]), label="event")
            stale = seen[page] != asked(felt)
            taken = touched(felt, event)
            assert not (stale and taken), "it answered a prompt that is past"
            if act == "twice" and taken and asked(felt) != seen[page]:
                assert not touched(felt, event), "it was taken twice"
