"""Links that remove a channel without signing in."""

from itsdangerous import BadSignature, URLSafeSerializer


class UnsubscribeLinks:
    """Signs the links. They never expire, so that those in old mails work, too."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="unsubscribe")

    def path(self, channel_id: str) -> str:
        """The path of the link that removes a channel."""
        return f"/unsubscribe/{self._serializer.dumps(channel_id)}"

    def channel_of(self, token: str) -> str | None:
        """The channel that a link removes; None if the link is not valid."""
        try:
            return str(self._serializer.loads(token))
        except BadSignature:
            return None
