"""Fixture with the uplink's journal of play, for services that run as their own users."""

from tests.uplink.conftest import night

__all__ = ["night"]
