"""The uplink's night of play, for the services as their own users."""

from tests.uplink.conftest import night

__all__ = ["night"]
