"""Settings of the notifications: a YAML file with webhooks and mail.

Secrets are in files of their own.

    webhooks:
    - url: https://chat.example/hooks/pit
      secret: /etc/crisscross-pit/hook.secret
    mail:
    - server: smtps://mail.example
      from: pit-1@casino.example
      to: [floor@casino.example]
      user: pit-1
      password: /etc/crisscross-pit/mail.secret
      kinds: [silent, fault]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

from controller.common.files.forms import Form, fit, word_list
from controller.common.files.mistakes import Mistakes
from controller.common.files.secret_file import SecretError, read_secret
from controller.common.files.yaml_lines import Lines, read_lines
from controller.common.notify.mail import DEFAULT_PORTS, MailReceiver
from controller.common.notify.notification import NOTIFICATION_KINDS, Notification, NotificationKind
from controller.common.notify.webhook import WebhookReceiver, secret_bytes

_ADDRESS = re.compile(r"[^\s<>,;:@\"()]+@[^\s<>,;:@\"()]+")
MAX_RECEIVERS = 20
_T = TypeVar("_T")


def _url(schemes: tuple[str, ...], example: str) -> AfterValidator:
    def check(given: str) -> str:
        words = f"allowed: a URL, as {example}; no user and no password in it"
        try:
            parts = urlsplit(given)
            is_whole = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
        except ValueError:
            raise ValueError(words) from None
        if not is_whole or not given.isprintable() or " " in given or "@" in parts.netloc:
            raise ValueError(words)
        return given

    return AfterValidator(check)


def _address(given: str) -> str:
    if not given.isascii() or _ADDRESS.fullmatch(given) is None:
        raise ValueError("allowed: a mail address, as floor@casino.example")
    return given


def _some(given: object) -> object:
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_RECEIVERS:
        raise ValueError(f"allowed: a list of 1 to {MAX_RECEIVERS}")
    return tuple(given)


Address: TypeAlias = Annotated[str, AfterValidator(_address)]
Kinds: TypeAlias = Annotated[tuple[NotificationKind, ...], word_list(NOTIFICATION_KINDS)]
_EXAMPLES = ("https://chat.example/hooks/pit", "smtps://mail.example")


class Webhook(Form):
    """One webhook. `secret`: the file of the secret, relative to the settings file."""

    url: Annotated[str, _url(("http", "https"), _EXAMPLES[0])]
    secret: str = Field(description="the file of a secret, `whsec_` and base64")
    kinds: Kinds = NOTIFICATION_KINDS


class Mail(Form):
    """One mail server with its addresses. `password`: the file of the user's password."""

    server: Annotated[str, _url(tuple(DEFAULT_PORTS), _EXAMPLES[1])]
    sender: Address = Field(alias="from", description="a mail address")
    to: Annotated[tuple[Address, ...], BeforeValidator(_some)]
    user: str | None = Field(default=None, description="the user at the mail server")
    password: str | None = Field(default=None, description="the file of that user's password")
    kinds: Kinds = NOTIFICATION_KINDS


class Notify(Form):
    """Content of the settings file: every receiver of notifications."""

    webhooks: Annotated[tuple[Webhook, ...], BeforeValidator(_some)] = ()
    mail: Annotated[tuple[Mail, ...], BeforeValidator(_some)] = ()


class Receiver:
    """One receiver. `name`: name for the log, without path, query or secret. `send`: sends a notification,
    raises Failed."""

    def __init__(
        self, name: str, kinds: tuple[NotificationKind, ...], send: Callable[[Notification], None]
    ) -> None:
        self.name, self.kinds, self.send = name, kinds, send


def read_receivers(path: Path, language: str, posix: Callable[[], int]) -> list[Receiver]:
    """Return the receivers in a file. Raises Mistakes, also for a secret that cannot be used."""
    found = read_lines(path)
    notify = fit(Notify, found)
    receivers: list[Receiver] = []
    for number, hook in enumerate(notify.webhooks if notify else ()):
        key = _secret(found, path, ("webhooks", number, "secret"), hook.secret, secret_bytes)
        if key is not None:
            name = f"webhook {urlsplit(hook.url).netloc}"
            receivers.append(Receiver(name, hook.kinds, WebhookReceiver(hook.url, key, language, posix).send))
    for number, mail in enumerate(notify.mail if notify else ()):
        login = _login(found, path, number, mail)
        name = f"mail {urlsplit(mail.server).netloc} to {mail.to[0]}"
        server = MailReceiver(mail.server, mail.sender, mail.to, login, language)
        receivers.append(Receiver(name, mail.kinds, server.send))
    if found.mistakes or notify is None:
        raise Mistakes(found.report())
    return receivers


def _login(found: Lines, path: Path, number: int, mail: Mail) -> tuple[str, str] | None:
    if (mail.user is None) != (mail.password is None):
        found.add(("mail", number), "user and password: both or none")
    if mail.user is None or mail.password is None:
        return None
    password = _secret(found, path, ("mail", number, "password"), mail.password, str)
    return (mail.user, password) if password is not None else None


def _secret(
    found: Lines, path: Path, key: tuple[str | int, ...], file: str, made: Callable[[str], _T]
) -> _T | None:
    """Return the secret in a file, or None after adding the mistake, which never quotes it."""
    try:
        return made(read_secret(path.parent / file))
    except (SecretError, ValueError) as error:
        found.add(key, str(error))
        return None
