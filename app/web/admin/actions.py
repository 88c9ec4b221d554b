"""Moderation actions on a player, as sent by the forms and the API."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter

from app.store.audit import Entry
from app.store.moderation import MOST_DAYS, BadAction
from app.store.players import BadNickname
from app.store.sanctions import SanctionKind
from app.web.model import Documented
from app.web.services import Services

Days: TypeAlias = Annotated[int, Field(ge=1, le=MOST_DAYS)]


class _Strict(Documented):
    model_config = ConfigDict(extra="forbid")


class Rename(_Strict):
    """Remove a player's name, or replace it."""

    type: Literal["rename"]
    """Removes or replaces the name."""
    name: Annotated[str | None, Field(max_length=200)] = None
    """The new name; null for none."""
    days: Annotated[int, Field(ge=0, le=MOST_DAYS)] | None = 0
    """Days until the player may choose another name: 0 for at once, null for never."""


class Mute(_Strict):
    """Remove a player's name, hide their remarks, and forbid new ones."""

    type: Literal["mute"]
    """Hides the name and the remarks."""
    days: Days | None
    """Duration in days; null for no end."""


class Suspend(_Strict):
    """Keep a player from playing with others."""

    type: Literal["suspend"]
    """Forbids games with others, pairing, challenges and circles."""
    days: Days | None
    """Duration in days; null for no end."""


class Lift(_Strict):
    """End a sanction, and restore the name that it removed."""

    type: Literal["lift"]
    """Ends a sanction."""
    sanction: SanctionKind
    """The sanction to end."""


class Erase(_Strict):
    """Erase a player, as players can do themselves. This cannot be undone."""

    type: Literal["erase"]
    """Erases the player."""


PlayerAction: TypeAlias = Annotated[Rename | Mute | Suspend | Lift | Erase, Field(discriminator="type")]
ActionName: TypeAlias = Literal["rename", "mute", "suspend", "lift", "erase"]
_ACTION: TypeAdapter[PlayerAction] = TypeAdapter(PlayerAction)
_OPTIONAL = ("name", "days")
"""Fields of a form that are left empty for None."""


def read_action(name: ActionName, fields: Mapping[str, str]) -> PlayerAction:
    """The action of a form. Raises ValidationError."""
    given = {field: (text or None) if field in _OPTIONAL else text for field, text in fields.items()}
    return _ACTION.validate_python(given | {"type": name})


def perform(services: Services, operator: str, player_id: str, action: PlayerAction, reason: str) -> Entry:
    """Perform an action, and return its entry in the audit log. Raises UnknownPlayer, BadAction."""
    acts, at = services.moderation, services.clock()
    match action:
        case Rename():
            try:
                return acts.rename(operator, player_id, reason, at, name=action.name, days=action.days)
            except BadNickname as refused:
                raise BadAction(str(refused), "action", "name") from None
        case Mute():
            return acts.mute(operator, player_id, reason, at, days=action.days)
        case Suspend():
            return acts.suspend(operator, player_id, reason, at, days=action.days)
        case Lift():
            return acts.lift(operator, player_id, action.sanction, reason, at)
        case Erase():
            done = acts.erase(operator, player_id, reason, at)
            services.known_tokens.forget()
            return done
