"""A quiz under way, as a signed token in the address: nothing of it is stored."""

from dataclasses import dataclass, fields
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer
from pydantic import TypeAdapter

from app.words.recall import RecallKind
from app.words.study_lists import ListName


class BadToken(ValueError):
    """The token is none of this server's quizzes."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """A quiz under way or done."""

    list: ListName
    kind: RecallKind
    lexicon: str
    sha256: str
    """The content of the lexicon, which may be replaced meanwhile."""
    words: tuple[str, ...]
    """What is asked about, in order."""
    started_at: float
    right: tuple[bool, ...]
    """The answers so far."""
    said: str
    """The latest answer."""
    answered_at: float
    """When it was given; at first, when the quiz started."""

    @property
    def seconds(self) -> float:
        """From the first question to the latest answer."""
        return self.answered_at - self.started_at

    @property
    def accuracy(self) -> float:
        """The share of right answers, 0 to 1."""
        return sum(self.right) / len(self.right) if self.right else 0.0

    @property
    def words_a_minute(self) -> float:
        """Right answers a minute."""
        return 60 * sum(self.right) / max(self.seconds, 1.0)

    @property
    def missed(self) -> tuple[str, ...]:
        """The words answered wrong."""
        return tuple(word for word, right in zip(self.words, self.right, strict=False) if not right)


class QuizTokens:
    """Signs quizzes."""

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
