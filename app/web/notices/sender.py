"""Background task that turns due notices into messages and sends them."""

import asyncio
import json
import logging
import math
import smtplib
import time
from collections import deque
from typing import Any, Final

import httpx
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError

from app.store.channels import Channel
from app.store.outbox import Delivery, Message
from app.web.notices.sending_process import Outcome, SendingProcess
from app.web.notices.texts import Text, text_of
from app.web.notices.web_push import WebPush
from app.web.notices.webhook import webhook_request
from app.web.ops.mailer import Mailer
from app.web.services import Services

TICK: Final = 2.0
"""Seconds between two checks for due notices."""
CYCLE: Final = 0.25
"""Seconds between two claims of messages."""
MOST_CLAIMED: Final = 50
"""Most messages that a process claims at a time."""
BUSY_DIVISOR: Final = 6
"""Divisor of MOST_CLAIMED if page threads were busy at one of the last claims: moves come first."""
_CLAIMS_REMEMBERED: Final = 8
"""Number of claims for which it is remembered whether page threads were busy."""
MOST_RUNNING: Final = 64
"""Most messages that a process sends at the same time and keeps in memory."""
_LONGEST_BODY: Final = 1000
"""Most characters of a push message's body: a push service accepts 4096 bytes."""

log = logging.getLogger("uvicorn.error.wibble")


async def send_messages(services: Services) -> None:
    """Send the messages of the outbox until cancelled; return at once if the site's URL is not configured."""
    if services.push is None:
        return
    process = SendingProcess(services.push, private=services.private_webhooks)
    try:
        await Sender(services, services.push, process).run()
    finally:
        await process.close()


class Sender:
    """Sends the messages of the outbox. Several servers may do so at the same time."""

    def __init__(self, services: Services, push: WebPush, process: SendingProcess) -> None:
        self._services = services
        self._outbox = services.outbox
        self._push = push
        self._process = process
        self._clock = services.clock
        self._busy: deque[int] = deque(maxlen=_CLAIMS_REMEMBERED)

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            try:
                await self.send_all()
            except SQLAlchemyError as error:
                log.warning("No messages were sent, the database is unavailable: %s", type(error).__name__)
            await asyncio.sleep(TICK)

    async def send_all(self) -> None:
        """Send all due messages, and those that become due meanwhile: a slow recipient delays no others."""
        running: dict[asyncio.Task[Delivery], Channel] = {}
        more, look_at = True, -math.inf
        try:
            while more or running:
                ends = time.monotonic() + CYCLE
                if ends > look_at:
                    await run_in_threadpool(
                        self._outbox.collect, self._clock(), self._services.presence.is_open
                    )
                    more, look_at = True, ends + TICK
                if more and (free := min(self._share(), MOST_RUNNING - len(running))):
                    taken = list(running.values())
                    claimed = await run_in_threadpool(self._outbox.claim, free, self._clock(), taken)
                    running |= {asyncio.create_task(self._deliver(each)): each.channel for each in claimed}
                    more = bool(claimed)
                if running:
                    done, _ = await asyncio.wait(running, timeout=ends - time.monotonic())
                    for task in done:
                        del running[task]
                    more |= bool(done)  # whose places others may have waited for
                    await self._record([task.result() for task in done])
                if more:
                    await asyncio.sleep(ends - time.monotonic())
        finally:
            for task in running:
                task.cancel()

    def _share(self) -> int:
        """How many messages may be claimed now."""
        self._busy.append(self._services.load.page_threads.busy)
        return MOST_CLAIMED // (BUSY_DIVISOR if any(self._busy) else 1)

    async def _record(self, deliveries: list[Delivery]) -> None:
        if deliveries:
            await run_in_threadpool(self._outbox.record, deliveries, self._clock())
        for each in deliveries:
            self._services.metrics.sent(each.message.channel.kind, each.outcome)

    async def _deliver(self, message: Message) -> Delivery:
        try:
            return Delivery(message, await self._send(message))
        # A LookupError is of a room that this version does not have.
        except (OSError, smtplib.SMTPException, ValueError, LookupError) as error:
            log.info("A message by %s could not be sent: %s", message.channel.kind, type(error).__name__)
            return Delivery(message, "failed")

    async def _send(self, message: Message) -> Outcome:
        text, channel = text_of(message.content, self._services.rooms), message.channel
        if channel.kind == "mail":
            mailer = self._services.mailer
            if mailer is None or message.mail_address is None:
                return "gone"
            await run_in_threadpool(self._mail, mailer, message.mail_address, message, text)
            return "delivered"
        address, secret = channel.address, channel.secret
        if channel.kind == "push":
            content = json.dumps(_push_content(message, text))
            return await self._process.send(
                {"id": message.id, "address": address, "secret": secret, "content": content}
            )
        headers, body = webhook_request(
            address, secret, message.id, message.content, text, self._push.site, self._clock()
        )
        return await self._process.send(
            {"id": message.id, "address": address, "headers": headers, "body": body.decode()}
        )

    def _mail(self, mailer: Mailer, to: str, message: Message, text: Text) -> None:
        unsubscribe = self._push.site + self._services.unsubscribe.path(message.channel.id)
        lines = "\n".join(text.lines)
        mailer.deliver(
            to,
            text.title,
            f"{lines}\n\n{self._push.site}{text.path}\n\n-- \nUnsubscribe: {unsubscribe}\n",
            {
                "Message-ID": f"<{message.id}@{httpx.URL(self._push.site).host}>",
                "List-Unsubscribe": f"<{unsubscribe}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )


def _push_content(message: Message, text: Text) -> dict[str, Any]:
    """The content of the notification that the service worker shows."""
    return {
        "id": message.id,
        "title": text.title,
        "body": "\n".join(text.lines)[:_LONGEST_BODY],
        "path": text.path,
        "turns": message.content["turns"],
    }
