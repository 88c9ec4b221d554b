"""Sending mail through the operator's server (``WIBBLE_MAIL_URL``)."""

import logging
import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from app.settings import Settings

TIMEOUT: Final = 20.0
"""Seconds to wait for the mail server."""

LONGEST_LINE: Final = 998
"""Characters of a line of a mail (RFC 5322)."""

NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})

log = logging.getLogger("uvicorn.error.wibble")


def mailer_of(settings: Settings) -> "Mailer | None":
    """The operator's mail server; None if none is configured."""
    if settings.mail_url is None or settings.mail_from is None or settings.site_url is None:
        return None
    return Mailer(settings.mail_url.get_secret_value(), settings.mail_from, settings.site_url)


class Mailer:
    """Sends plain text by SMTP: encrypted from the start (``smtps``), or as soon as the server offers it."""

    def __init__(self, url: str, sender: str, site: str) -> None:
        """``url`` is ``smtp://user:password@host:587`` or ``smtps://...:465``; ``site`` is our URL.

        Links in mails begin with ``site``, not with the host of a request: otherwise anybody could have a
        mail with a link to their own site sent to a player.
        """
        self.site: Final = site.rstrip("/")
        self._url: Final = urlsplit(url)
        self._sender: Final = sender

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a mail. A failure is only logged, without the recipient: the request is already answered."""
        try:
            self.deliver(to, subject, text)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("A mail could not be sent: %s", type(error).__name__)

    def deliver(self, to: str, subject: str, text: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send a mail. Raises OSError, SMTPException."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self._sender, to, subject
        mail["Auto-Submitted"] = "auto-generated"
        for name, value in headers.items():
            mail[name] = value
        mail.set_content(text)
        # Otherwise a long word in a header is encoded, and mail programs do not decode List-Unsubscribe.
        mail.policy = mail.policy.clone(max_line_length=LONGEST_LINE)
        with self._connected() as server:
            server.send_message(mail)

    def _connected(self) -> smtplib.SMTP:
        url, context = self._url, ssl.create_default_context()
        host = url.hostname or ""
        if url.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, url.port or 465, timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(host, url.port or 587, timeout=TIMEOUT)
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=context)
        if url.username:
            server.login(unquote(url.username), unquote(url.password or ""))
        return server
