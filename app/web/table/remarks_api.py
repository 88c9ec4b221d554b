"""The remarks API: the list of available remarks."""

from app.web.router import api_router
from app.web.table.remark_lines import lines

router = api_router("/api", "games")


@router.get("/remarks", summary="List the available remarks")
def list_remarks() -> list[str]:
    """The available remarks by number, from 0; see ``POST /api/games/{game_id}/remarks``."""
    return list(lines())
