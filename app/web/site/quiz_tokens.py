"""A quiz in progress, as a signed token in the URL: nothing is stored."""

from dataclasses import dataclass, fields
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer
from pydantic import TypeAdapter

from app.words.recall import RecallKind
from app.words.study_lists import ListName


class BadToken(ValueError):
    """The token was not made by this server."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """A quiz in progress or finished."""

    list: ListName
    kind: RecallKind
    lexicon: str
    sha256: str
    """Digest of the lexicon, which may be replaced during the quiz."""
    words: tuple[str, ...]
    """The words asked about, in order."""
    started_at: float
    right: tuple[bool, ...]
    """For each answer so far, whether it was right."""
    said: str
    """The latest answer."""
    answered_at: float
    """When the latest answer was given; before the first, when the quiz started."""

    @property
    def seconds(self) -> float:
        """Seconds from the first question to the latest answer."""
        return self.answered_at - self.started_at

    @property
    def accuracy(self) -> float:
        """The share of right answers, 0 to 1."""
        return sum(self.right) / len(self.right) if self.right else 0.0

    @property
    def words_a_minute(self) -> float:
        """Right answers per minute."""
        return 60 * sum(self.right) / max(self.seconds, 1.0)

    @property
    def missed(self) -> tuple[str, ...]:
        """The words answered wrongly."""
        return tuple(word for word, right in zip(self.words, self.right, strict=False) if not right)


class QuizTokens:
    """Signs and reads quiz tokens."""

    _READ: Final = TypeAdapter(Quiz)

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="quiz")

    def write(self, quiz: Quiz) -> str:
        """The token of a quiz."""
        return str(self._serializer.dumps([getattr(quiz, field.name) for field in fields(quiz)]))

    def read(self, token: str) -> Quiz:
        """The quiz of a token. Raises BadToken."""
        try:
            said = self._serializer.loads(token)
        except BadSignature as error:
            raise BadToken("this quiz link isn't valid") from error
        return self._READ.validate_python(
            {field.name: value for field, value in zip(fields(Quiz), said, strict=True)}
        )
