"""A mail server for tests."""

import re
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.servers import free_port

SITE = "https://wibble.example.org"


class Inbox:
    """A mail server that records messages, for the user ``wibble`` only."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.sources: list[bytes] = []
        """The same messages as raw bytes."""
        self.port = free_port()
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            authenticator=self._authenticate,
            auth_required=True,
            auth_require_tls=False,
        )
        self._controller.start()

    def _authenticate(
        self, _server: SMTP, _session: Session, _: Envelope, _kind: str, given: Any
    ) -> AuthResult:
        assert isinstance(given, LoginPassword)
        return AuthResult(success=given == LoginPassword(b"wibble", b"pass:word"), handled=False)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        assert isinstance(envelope.content, bytes)
        mail = BytesParser(policy=default).parsebytes(envelope.content)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.sources.append(envelope.content)
        return "250 kept"

    def link(self) -> str:
        """The path of the link to our site in the latest mail."""
        found = re.search(rf"{SITE}(/me/\S+)", self.mails[-1].get_content())
        assert found
        return found[1]

    def close(self) -> None:
        self._controller.stop()
