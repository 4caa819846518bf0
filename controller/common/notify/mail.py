"""Notification by mail, over SMTP (RFC 5321) with TLS.

`smtps` begins with TLS; `smtp` changes to TLS by STARTTLS if the server offers it. A user and a password are
sent over TLS only.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import urlsplit

from controller.common.clock import parse_utc
from controller.common.notify.notification import Notification
from controller.common.process.retry_queue import HandlingFailed

TIMEOUT_S = 10.0
DEFAULT_PORTS = {"smtp": 587, "smtps": 465}


class MailReceiver:
    """Receiver at a mail server. `server`: smtp:// or smtps:// with host and port; `login`: user and
    password, or None."""

    def __init__(
        self, server: str, sender: str, to: Sequence[str], login: tuple[str, str] | None, language: str
    ) -> None:
        self._server, self._sender, self._to = urlsplit(server), sender, tuple(to)
        self._login, self._language = login, language

    def send(self, notification: Notification) -> None:
        """Send one notification. Raises Failed if the server does not accept it."""
        message = self._message(notification)
        try:
            with self._connected() as line:
                if self._login is not None:
                    line.login(*self._login)
                line.send_message(message, self._sender, self._to)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            words = f"refuses the recipients: {', '.join(map(str, codes))}"
            raise HandlingFailed(words, final=min(codes) >= 500) from None
        except smtplib.SMTPResponseException as error:
            raise HandlingFailed(f"answers with {error.smtp_code}", final=error.smtp_code >= 500) from None
        except (OSError, smtplib.SMTPException) as error:
            words = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise HandlingFailed(f"does not take the mail: {' '.join(words.split())}") from None

    def _connected(self) -> smtplib.SMTP:
        scheme, host = self._server.scheme, self._server.hostname or ""
        port, context = self._server.port or DEFAULT_PORTS[scheme], ssl.create_default_context()
        if scheme == "smtps":
            return smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_S, context=context)
        line = smtplib.SMTP(host, port, timeout=TIMEOUT_S)
        try:
            line.ehlo()
            if self._login is not None or line.has_extn("starttls"):
                line.starttls(context=context)
        except (OSError, smtplib.SMTPException):
            line.close()
            raise
        return line

    def _message(self, notification: Notification) -> EmailMessage:
        text = notification.text(self._language)
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = text, self._sender, ", ".join(self._to)
        message["Date"] = format_datetime(datetime.fromtimestamp(parse_utc(notification.at), UTC))
        message["Message-ID"] = f"<{notification.id}@{notification.pit}.crisscross>"
        message["Auto-Submitted"] = "auto-generated"
        lines = (text, notification.table, notification.since.replace("T", " "), notification.pit)
        message.set_content("\n".join(each for each in lines if each) + "\n")
        return message
