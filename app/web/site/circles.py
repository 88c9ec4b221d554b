"""A circle, as shown to one of its members, for the page and the API."""

from collections import defaultdict
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Final

from pydantic import Field

from app.store.circles import Circle
from app.store.days import open_since
from app.web.model import Documented
from app.web.services import Services
from app.web.site.daily_calendar import daily_rooms

FEED: Final = 20
"""Finished games shown."""
CHALLENGES: Final = 10
"""Open challenges shown."""


class MemberAnswer(Documented):
    """A member of a circle."""

    number: int
    """The member's number, unique in the circle and never reused."""
    nickname: str | None
    you: bool
    is_owner: bool
    """Whether the member may rename and close the circle, renew its link and remove members."""
    joined_at: float
    """When the member joined."""
    week: int
    """Points since Monday (UTC): one for each other member whose score they beat, in a daily or in a game
    that both played. A tie gives no point. A daily that can still be played counts once you have finished
    yours."""
    points: int
    """Points since they joined."""
    you_beat: int
    """How often you have beaten them."""
    beat_you: int
    """How often they have beaten you."""


class MemberScore(Documented):
    """A member's score in a daily."""

    number: int
    """The member's number."""
    score: int


class CircleDaily(Documented):
    """Today's daily of one game in a circle."""

    kind: str
    finished: int
    """The number of members who have finished it."""
    scores: tuple[MemberScore, ...] | None
    """Best first; null until you have finished yours."""


class FeedAnswer(Documented):
    """A game that a member finished."""

    number: int
    """The member's number."""
    game_id: str
    kind: str
    mode: str
    seats: int
    """The number of seats."""
    won: bool
    """Whether they won outright, or it was a game for one."""
    score: int
    finished_at: float
    kept: bool
    """Whether the game is still stored and can be viewed."""


class OpenChallengeAnswer(Documented):
    """A member's challenge that you have not taken."""

    id: str
    number: int
    """The challenger's number."""
    kind: str
    mode: str
    created_at: float


class ListedCircleAnswer(Documented):
    """One of your circles."""

    id: str
    name: str
    members: int
    """The number of members."""


class CircleAnswer(Documented):
    """A circle, as shown to its members."""

    id: str
    name: str
    invitation: str
    """The path of the link with which others can join."""
    members: tuple[MemberAnswer, ...]
    """The members, by points this week, then by all points."""
    dailies: tuple[CircleDaily, ...]
    """Today's dailies."""
    challenges: Annotated[tuple[OpenChallengeAnswer, ...], Field(max_length=CHALLENGES)]
    """Challenges of other members that you have not taken, latest first."""
    feed: Annotated[tuple[FeedAnswer, ...], Field(max_length=FEED)]
    """Games that members finished since they joined, latest first; no dailies that can still be played."""


def circle_answer(services: Services, circle: Circle, player: str) -> CircleAnswer:
    """Return the circle, as shown to this member. Raises UnknownCircle for others."""
    me, today, running = circle.member(player), services.today(), open_since(services.clock())
    scores = defaultdict(list)
    for each in services.circle_activity.dailies(circle, today):
        scores[each.kind].append(MemberScore(number=each.number, score=each.score))
    seen = [kind for kind, each in scores.items() if any(one.number == me.number for one in each)]
    monday = datetime.combine(today - timedelta(days=today.weekday()), time(), UTC).timestamp()
    week = services.circle_activity.records(circle, me, since=monday, running=running)
    ever = services.circle_activity.records(circle, me, running=running)
    listed = [
        MemberAnswer(
            number=member.number,
            nickname=member.nickname,
            you=member == me,
            is_owner=member.is_owner,
            joined_at=member.joined_at,
            week=week[member.number].points,
            points=ever[member.number].points,
            you_beat=ever[me.number].beaten.get(member.number, 0),
            beat_you=ever[member.number].beaten.get(me.number, 0),
        )
        for member in circle.members
    ]
    return CircleAnswer(
        id=circle.id,
        name=circle.name,
        invitation=f"/circles/{circle.id}/join/{circle.invitation}",
        members=tuple(sorted(listed, key=lambda member: (-member.week, -member.points, member.number))),
        dailies=tuple(
            CircleDaily(
                kind=kind, finished=len(scores[kind]), scores=tuple(scores[kind]) if kind in seen else None
            )
            for kind in daily_rooms(services.rooms)
        ),
        challenges=tuple(
            OpenChallengeAnswer.model_validate(each, from_attributes=True)
            for each in services.circle_activity.open_challenges(circle, player, CHALLENGES)
        ),
        feed=tuple(
            FeedAnswer.model_validate(line, from_attributes=True)
            for line in services.circle_activity.feed(circle, running, FEED)
        ),
    )
