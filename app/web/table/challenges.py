"""Challenges as shown to a player: the others' games are hidden until the player has finished."""

from itertools import zip_longest

from app.store.challenges import Challenge, ChallengeResult
from app.store.models import Table, UnknownGame
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.model import Documented
from app.web.services import Services


class ChallengeStanding(Documented):
    """A player's finished game in a challenge."""

    rank: int
    """Players with the same result share a rank. A win over the bots ranks above any other result."""
    nickname: str | None
    you: bool
    challenger: bool
    won: bool
    """Whether the player beat the bots outright; always true for a game with one seat."""
    score: int
    game_id: str
    finished_at: float


class ComparedTurn(Documented):
    """A turn of both games. After the end of a game, its score stays the same and its word is null."""

    words: tuple[str | None, str | None]
    """Empty for a turn without a word."""
    scores: tuple[int, int]
    """The scores after the turn."""
    leader: int | None
    """The game that leads after the turn, 0 or 1; null if neither does."""


class Comparison(Documented):
    """Two games of a challenge side by side, your own first."""

    games: tuple[ChallengeStanding, ChallengeStanding]
    turns: list[ComparedTurn]
    led: tuple[int, int]
    """The number of turns after which each game led."""


class ChallengeAnswer(Documented):
    """A challenge, as shown to the caller."""

    id: str
    kind: str
    title: str
    """The game or mode."""
    challenger: str | None
    """Nickname of the player who made the challenge."""
    yours: bool
    """Whether you made it."""
    created_at: float
    players: int
    """The number of players who have finished, including the challenger."""
    game_id: str | None
    """Your game; null before you play."""
    finished: bool
    """Whether you have finished, so that you may see the others' games."""
    standings: list[ChallengeStanding] | None
    """The best 100, the challenger and you; null until you have finished."""
    comparison: Comparison | None
    """Null until you have finished, and while there is no other finished game."""


def challenge_answer(
    services: Services, caller: Caller, challenge: Challenge, against: str | None = None
) -> ChallengeAnswer:
    """The challenge, as shown to the caller, with their game compared with the game ``against``.

    By default that is the challenger's game; for the challenger, the latest of the others. Marks the results
    as seen by the challenger. A comparison counts as an engine request. Raises UnknownGame if ``against`` is
    not a finished game of this challenge, TooOften, PoolFull.
    """
    now = services.clock()
    game_id = services.challenges.entry(challenge, caller.player)
    if game_id is not None:
        services.games.load_or_read(game_id, now)  # its clock may have run out
    mine = services.challenges.result_of(challenge, game_id) if game_id else None
    table = services.games.read(challenge.game_id)
    room = services.rooms[table.kind]
    standings = other = None
    if mine is not None:
        ranked = services.challenges.standings(challenge, caller.player)
        standings = [_standing(challenge, caller.player, each) for each in ranked]
        services.challenges.see(challenge, caller.player, now)
        other = _other(services, challenge, mine, ranked, against)
    return ChallengeAnswer(
        id=challenge.id,
        kind=table.kind,
        title=room.title_of(table.view(None)),
        challenger=challenge.nickname,
        yours=caller.player == challenge.player_id,
        created_at=challenge.created_at,
        players=services.challenges.count(challenge),
        game_id=game_id,
        finished=mine is not None,
        standings=standings,
        comparison=_comparison(services, caller, challenge, mine, other) if mine and other else None,
    )


def play_challenge(services: Services, challenge: Challenge, draft: Table, player: str) -> Table:
    """The player's game in a challenge, opened by the first call. Raises TooMuch."""
    return services.games.load_or_read(services.challenges.enter(challenge, draft, player), services.clock())


def _other(
    services: Services,
    challenge: Challenge,
    mine: ChallengeResult,
    ranked: list[ChallengeResult],
    against: str | None,
) -> ChallengeResult | None:
    if against is not None:
        found = services.challenges.result_of(challenge, against)
        if found is None or found.game_id == mine.game_id:
            raise UnknownGame(f"there is no other finished game {against!r} in this challenge")
        return found
    others = [each for each in ranked if each.game_id != mine.game_id]
    challengers = [each for each in others if each.game_id == challenge.game_id]
    return next(iter(challengers), None) or max(others, key=lambda each: each.finished_at, default=None)


def _comparison(
    services: Services, caller: Caller, challenge: Challenge, mine: ChallengeResult, other: ChallengeResult
) -> Comparison:
    charge(services, caller, "engines", 1)
    pair = (mine, other)
    own, theirs = services.pool.run(
        caller, "challenge", lambda: tuple(_turns(services, each) for each in pair)
    )
    turns, scores = [], (0, 0)
    for first, second in zip_longest(own, theirs):
        scores = (first[1] if first else scores[0], second[1] if second else scores[1])
        leader = None if scores[0] == scores[1] else int(scores[1] > scores[0])
        words = (first[0] if first else None, second[0] if second else None)
        turns.append(ComparedTurn(words=words, scores=scores, leader=leader))
    led = (sum(turn.leader == 0 for turn in turns), sum(turn.leader == 1 for turn in turns))
    first_game, second_game = (_standing(challenge, caller.player, each) for each in pair)
    return Comparison(games=(first_game, second_game), turns=turns, led=led)


def _turns(services: Services, result: ChallengeResult) -> list[tuple[str, int]]:
    """The word of each turn of the player, and the score after it."""
    table = services.games.read(result.game_id)
    seat = table.seat_of(result.player_id)
    if seat is None:
        return []  # erased meanwhile
    turns: list[tuple[str, int]] = []
    for state in services.games.positions(table.id):
        words = table.game.turn_words(state, seat)
        if len(words) > len(turns):
            turns.append((words[-1], table.game.summary(state, seat).score))
    return turns


def _standing(challenge: Challenge, player: str | None, result: ChallengeResult) -> ChallengeStanding:
    return ChallengeStanding(
        rank=result.rank,
        nickname=result.nickname,
        you=result.player_id == player,
        challenger=result.player_id == challenge.player_id,
        won=result.won,
        score=result.score,
        game_id=result.game_id,
        finished_at=result.finished_at,
    )
