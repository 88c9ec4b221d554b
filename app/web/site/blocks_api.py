"""The API of blocked players."""

from fastapi import Response

from app.store.blocks import Block
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.other_players import OtherPlayer, find_player

router = api_router("/api/me/blocks", "profile")


class BlockAnswer(Documented):
    """A player whom you have blocked."""

    block_id: str
    """The ID, for removing the block."""
    nickname: str | None
    created_at: float


@router.get("", response_model=list[BlockAnswer], summary="List blocked players")
def list_blocks(services: ServicesDep, player: Player) -> list[BlockAnswer]:
    """The players whom you have blocked, the latest first."""
    return [_answer(block) for block in services.blocks.of_player(player)]


@router.post(
    "",
    response_model=BlockAnswer,
    status_code=201,
    responses=describe(404),
    summary="Block a player",
    dependencies=[limited("names")],
)
def block_player(body: JsonBody[OtherPlayer], services: ServicesDep, player: Player) -> BlockAnswer:
    """Block another player, who is not notified.

    You are not paired with each other, do not see each other's remarks, listed tables, rematches and untaken
    challenges, and can join each other's tables only by invitation. No effect if you have already blocked
    them. A player may block 200 others.
    """
    other = find_player(services, body, player)
    return _answer(services.blocks.block(player or "", other, services.clock()))


@router.delete("/{block_id}", status_code=204, response_class=Response, summary="Unblock a player")
def unblock_player(block_id: str, services: ServicesDep, player: Player) -> None:
    """Remove one of your blocks."""
    services.blocks.unblock(player, block_id)


def _answer(block: Block) -> BlockAnswer:
    return BlockAnswer(block_id=block.id, nickname=block.nickname, created_at=block.created_at)
