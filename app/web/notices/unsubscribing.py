"""Links that remove a channel without signing in."""

from itsdangerous import BadSignature, URLSafeSerializer


class UnsubscribeLinks:
    """Signs the links; they never expire, since an old mail has to be of use, too."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="unsubscribe")

    def path(self, channel_id: str) -> str:
        """The path of the link that removes a channel."""
        return f"/unsubscribe/{self._serializer.dumps(channel_id)}"

    def channel_of(self, token: str) -> str | None:
        """The channel that a link removes; None if it is no link of this site."""
        try:
            return str(self._serializer.loads(token))
        except BadSignature:
            return None
