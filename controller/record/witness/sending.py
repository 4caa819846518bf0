"""One request to a witness, limited in time and in the size of the answer."""

from __future__ import annotations

from controller.common.http.http_post import (
    MAX_ANSWER_BYTES,
    TOTAL_TIMEOUT_S,
    HttpReply,
    Unreachable,
    http_post,
)

__all__ = ["MAX_ANSWER_BYTES", "HttpReply", "WitnessUnreachable", "post"]
WitnessUnreachable = Unreachable


def post(prefix: str, body: bytes, total_s: float = TOTAL_TIMEOUT_S) -> HttpReply:
    """Post the body to `<prefix>/add-checkpoint` and return the answer. Raises WitnessUnreachable if none
    comes within `total_s` seconds."""
    headers = {"content-type": "text/plain; charset=utf-8"}
    return http_post(f"{prefix}/add-checkpoint", body, headers, total_s)
