"""Adding a passkey, signing in with one, and removing one; called by static/site/passkey.js.

The checks are those of Web Authentication, Level 3 (W3C), made by the library ``webauthn``. A passkey belongs
to the host name of the page; browsers do not make passkeys for IP addresses, nor without HTTPS except on
localhost.
"""

import json
from hashlib import sha256
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import Field
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from app.store.models import NotYourSeat
from app.store.passkeys import BadPasskey
from app.web.guard.guests import device_name
from app.web.guard.limits import limited
from app.web.model import Documented, JsonBody
from app.web.services import Player, Services, ServicesDep
from app.web.site.sign_in_page import sign_in_as

router = APIRouter(prefix="/me", include_in_schema=False)

_NO_PROFILE: Final = "play a game first: there is no profile in this browser yet"
_UNCHECKED: Final = "this passkey could not be checked: try again"


class Credential(Documented):
    """A browser's answer for a passkey: its ``PublicKeyCredential`` as JSON."""

    credential: dict[str, Any] = Field(examples=[{"id": "q83v", "type": "public-key"}])
    merge: bool = False
    """Whether to merge this browser's games into the profile."""


@router.post("/passkeys/options", dependencies=[limited("sign_in")])
def options_for_adding(request: Request, services: ServicesDep, player: Player) -> Response:
    """The options with which a browser makes a passkey for the player."""
    player = _own(services, player)
    options = generate_registration_options(
        rp_id=_host(request),
        rp_name="Wibble",
        user_name=services.players.nickname(player) or "Wibble player",
        user_id=sha256(f"passkey of {player}".encode()).digest(),
        challenge=services.passkeys.challenge(player, services.clock()),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, require_resident_key=True
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=known.credential_id)
            for known in services.passkeys.of_player(player)
        ],
    )
    return Response(options_to_json(options), media_type="application/json")


@router.post("/passkeys", dependencies=[limited("sign_in")])
def add_passkey(
    body: JsonBody[Credential], request: Request, services: ServicesDep, player: Player
) -> Response:
    """Add the passkey that a browser made. Raises BadPasskey."""
    player = _own(services, player)
    now = services.clock()
    challenge = _challenge_of(body.credential)
    services.passkeys.use_challenge(challenge, player, now)
    try:
        made = verify_registration_response(
            credential=body.credential,
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origin(request),
        )
    except WebAuthnException as refused:
        raise BadPasskey(_UNCHECKED) from refused
    name = device_name(request.headers.get("user-agent", ""))
    services.passkeys.add(player, made.credential_id, made.credential_public_key, made.sign_count, name, now)
    return JSONResponse({"name": name}, status_code=201)


@router.post("/passkeys/{passkey}/remove")
def remove_passkey(passkey: str, services: ServicesDep, player: Player) -> Response:
    """Remove a passkey. Raises BadPasskey."""
    if player is not None:
        services.passkeys.remove(player, passkey)
    return RedirectResponse("/me#devices", status_code=303)


@router.post("/sign-in/passkey/options", dependencies=[limited("sign_in")])
def options_for_signing_in(request: Request, services: ServicesDep) -> Response:
    """The options with which a browser offers its passkeys for this site. They do not identify a player."""
    options = generate_authentication_options(
        rp_id=_host(request), challenge=services.passkeys.challenge(None, services.clock())
    )
    return Response(options_to_json(options), media_type="application/json")


@router.post("/sign-in/passkey", dependencies=[limited("sign_in")])
def sign_in(body: JsonBody[Credential], request: Request, services: ServicesDep, player: Player) -> Response:
    """Sign in with a passkey. Raises BadPasskey."""
    now = services.clock()
    challenge = _challenge_of(body.credential)
    services.passkeys.use_challenge(challenge, None, now)
    passkey = services.passkeys.find(_bytes(body.credential.get("rawId")))
    try:
        checked = verify_authentication_response(
            credential=body.credential,
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origin(request),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    except WebAuthnException as refused:
        raise BadPasskey(_UNCHECKED) from refused
    services.passkeys.used(passkey, checked.new_sign_count, now)
    answer = JSONResponse({"address": "/me"})
    return sign_in_as(request, services, passkey.player_id, answer, merged=player if body.merge else None)


def _own(services: Services, player: str | None) -> str:
    """The player of the request. Raises NotYourSeat if there is none."""
    if player is None or not services.players.exists(player):
        raise NotYourSeat(_NO_PROFILE)
    return player


def _challenge_of(credential: dict[str, Any]) -> bytes:
    """The challenge in a credential. Raises BadPasskey if it cannot be read."""
    response = credential.get("response")
    data = _bytes(response.get("clientDataJSON") if isinstance(response, dict) else None)
    try:
        said = json.loads(data)
    except ValueError:
        raise BadPasskey(_UNCHECKED) from None
    return _bytes(said.get("challenge") if isinstance(said, dict) else None)


def _bytes(encoded: object) -> bytes:
    """Decode base64url. Raises BadPasskey."""
    if not isinstance(encoded, str):
        raise BadPasskey(_UNCHECKED)
    try:
        return base64url_to_bytes(encoded)
    except ValueError:
        raise BadPasskey(_UNCHECKED) from None


def _host(request: Request) -> str:
    return request.url.hostname or ""


def _origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}"
