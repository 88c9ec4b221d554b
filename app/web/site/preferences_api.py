"""The API of the player's preferences."""

from fastapi import Request, Response

from app.web.guard.limits import limited
from app.web.model import JsonBody
from app.web.preferences import Preferences, usable_preferences
from app.web.router import api_router
from app.web.services import ServicesDep

router = api_router("/api/me", "profile")


@router.get("/preferences", response_model=Preferences, summary="Get your preferences")
def see_preferences(request: Request, services: ServicesDep) -> Preferences:
    """Appearance, sound, input and defaults of forms, as stored in the cookie."""
    return usable_preferences(request, services.library)


@router.put(
    "/preferences",
    response_model=Preferences,
    summary="Set your preferences",
    dependencies=[limited("names")],
)
def set_preferences(
    body: JsonBody[Preferences], request: Request, response: Response, services: ServicesDep
) -> Preferences:
    """Set all preferences; those left out are reset to their defaults."""
    if body.lexicon is not None:
        services.library.info(body.lexicon)
    services.guests.prefer(request, response, body)
    return body
