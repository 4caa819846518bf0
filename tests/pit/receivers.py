"""Receivers of notifications on real ports: an HTTP server for webhooks, and an SMTP server."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def _served(server: socketserver.BaseServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield int(server.server_address[1])  # type: ignore[index]  # of an address with a port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Hook:
    """HTTP server. `answers`: status of each request in order; the last one is repeated."""

    def __init__(self, *answers: int) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.answers = list(answers)
        self.go = threading.Event()
        """If cleared, the server accepts a request and does not answer it."""
        self.go.set()

    @contextmanager
    def serving(self) -> Iterator[str]:
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # `http.server` calls a method with this name
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                hook.requests.append((self.path, headers, body))
                hook.go.wait(20)
                status = hook.answers.pop(0) if len(hook.answers) > 1 else hook.answers[0]
                self.send_response(status)
                if status in (301, 302):
                    self.send_header("location", "/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Print no line about a request, unlike the base class."""

        with _served(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
            yield f"http://127.0.0.1:{port}"


class Post:
    """SMTP server (RFC 5321) with STARTTLS and AUTH PLAIN. `tls`: TLS context, or None for a server without
    TLS. `at_once`: whether TLS begins with the connection. `refuses`: answer with which a command is refused,
    by the command's word."""

    def __init__(self, tls: ssl.SSLContext | None = None, *, at_once: bool = False, **refuses: str) -> None:
        self.mails: list[tuple[str, list[str], EmailMessage]] = []
        self.users: list[tuple[str, bool]] = []
        """Logins in order: the password, and whether the connection was encrypted."""
        self.tls, self.at_once, self.refuses = tls, at_once, refuses

    @contextmanager
    def serving(self) -> Iterator[int]:
        post = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with closing(_Dialogue(post, self.request)) as dialogue:
                    dialogue.run()

        with _served(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
            yield port


class _Dialogue:
    def __init__(self, post: Post, line: Any) -> None:
        self._post = post
        self._encrypted = False
        self._line = line
        if post.at_once:
            self._encrypt()
        self._file = self._line.makefile("rwb")
        self._sender, self._to = "", list[str]()

    def _encrypt(self) -> None:
        assert self._post.tls is not None
        self._line, self._encrypted = self._post.tls.wrap_socket(self._line, server_side=True), True

    def _say(self, *lines: str) -> None:
        self._file.write("".join(f"{each}\r\n" for each in lines).encode())
        self._file.flush()

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()
        self._line.close()

    def run(self) -> None:
        self._say("220 mail.test")
        while line := self._file.readline():
            words = line.decode().strip().split(" ")
            word = words[0].lower()
            if answer := self._post.refuses.get(word):
                self._say(answer)
            elif word == "quit":
                self._say("221 bye")
                return
            else:
                self._answer(word, words)

    def _answer(self, word: str, words: list[str]) -> None:
        if word == "ehlo":
            offers = [] if self._post.tls is None or self._encrypted else ["250-STARTTLS"]
            self._say("250-mail.test", *offers, "250 AUTH PLAIN")
        elif word == "starttls":
            self._say("220 go on")
            self._file.close()
            self._encrypt()
            self._file = self._line.makefile("rwb")
        elif word == "auth":
            self._post.users.append((base64.b64decode(words[2]).decode().split("\0")[2], self._encrypted))
            self._say("235 welcome")
        elif word == "data":
            self._say("354 go on")
            lines = []
            while (line := self._file.readline()) != b".\r\n":
                lines.append(line)
            message = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(message, EmailMessage)
            self._post.mails.append((self._sender, self._to, message))
            self._sender, self._to = "", []
            self._say("250 taken")
        else:
            if word == "mail":
                self._sender = " ".join(words).partition("<")[2].partition(">")[0]
            elif word == "rcpt":
                self._to.append(" ".join(words).partition("<")[2].partition(">")[0])
            self._say("250 yes")
