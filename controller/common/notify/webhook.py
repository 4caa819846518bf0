"""Notification by webhook, signed as in Standard Webhooks (standardwebhooks.com, version 1.0.0).

`webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `ID.TIMESTAMP.BODY`. The receiver compares it,
refuses an old timestamp, and drops an id that it has seen: a retry has the same one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable
from http import HTTPStatus

from controller.common.http.http_post import Unreachable, http_post
from controller.common.notify.notification import Notification
from controller.common.process.retry_queue import HandlingFailed

_PREFIX = "whsec_"
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
"""Bounds of a secret, as in Standard Webhooks."""
TOTAL_S = 10.0
RETRIED = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
"""Refusals of a receiver that may be temporary; any other status from 300 to 499 is final."""


def secret_bytes(text: str) -> bytes:
    """Return the key of a secret `whsec_BASE64`. Raises ValueError for another form or length."""
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        key = b""
    if not text.startswith(_PREFIX) or not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        bounds = f"{MIN_SECRET_BYTES} to {MAX_SECRET_BYTES}"
        raise ValueError(f"allowed: {_PREFIX} and the base64 of {bounds} random bytes")
    return key


def signature(key: bytes, identity: str, seconds: int, body: bytes) -> str:
    digest = hmac.new(key, f"{identity}.{seconds}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


class WebhookReceiver:
    """Receiver at a URL. `posix`: returns POSIX seconds."""

    def __init__(self, url: str, key: bytes, language: str, posix: Callable[[], int]) -> None:
        self._url, self._key, self._language, self._posix = url, key, language, posix

    def send(self, notification: Notification) -> None:
        """Send one notification. Raises Failed if the receiver does not accept it."""
        body, seconds = notification.payload(self._language), self._posix()
        headers = {
            "content-type": "application/json",
            "webhook-id": notification.id,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(self._key, notification.id, seconds, body),
        }
        try:
            status = http_post(self._url, body, headers, TOTAL_S).status
        except Unreachable as error:
            raise HandlingFailed(str(error)) from None
        if not 200 <= status < 300:
            final = 300 <= status < 500 and status not in RETRIED
            raise HandlingFailed(f"answers with status {status}", final=final)
