"""Any input, sent, typed or in a file, is accepted or is refused in one line, and never causes a
traceback.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.trials.fuzz.targets import TARGETS

pytestmark = pytest.mark.slow


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    return tuple(TARGETS[name].seeds())


@st.composite
def changed(draw: st.DrawFn, name: str) -> bytes:
    """Return a seed with pieces cut out or replaced by words of the target or by any bytes."""
    target, whole = TARGETS[name], draw(st.sampled_from(seeds(name)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(whole)))
        until = draw(st.integers(at, min(len(whole), at + 40)))
        words = st.sampled_from([*target.words, b""])
        whole = whole[:at] + draw(st.one_of(words, st.binary(max_size=8))) + whole[until:]
    return whole[: target.longest]


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_former_failures_violate_no_guarantee(name: str) -> None:
    """The seeds of a target include every input that once violated a guarantee."""
    for seed in seeds(name):
        TARGETS[name].trial(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_seeds_violate_no_guarantee(name: str) -> None:
    target = TARGETS[name]

    @settings(max_examples=target.examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(whole=changed(name))
    def tried(whole: bytes) -> None:
        target.trial(whole)

    tried()


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=20, deadline=None)
@given(whole=st.binary(max_size=300))
@example(whole=b"Eq\x02 ")  # a record of a round without the name of an amount
@example(whole=b"\x00E\x01\x00\x00\t\x02\x00X\x02\x02\x01")  # a journal whose text is empty
def test_random_bytes_violate_no_guarantee(name: str, whole: bytes) -> None:
    TARGETS[name].trial(whole)
