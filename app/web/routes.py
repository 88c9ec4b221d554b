"""The routes of the site, in the order in which they are matched."""

from collections.abc import Iterator

from fastapi import APIRouter

from app.web import openapi
from app.web.admin import api as admin_api
from app.web.admin import pages as admin_pages
from app.web.admin import sign_in_page as admin_sign_in
from app.web.live import player_events, stream
from app.web.ops import health
from app.web.room import Rooms
from app.web.share import pages as share_pages
from app.web.site import (
    api_docs,
    blocks_api,
    bots_api,
    cards_api,
    cards_page,
    circles_api,
    circles_page,
    daily,
    daily_api,
    direct_challenges_api,
    direct_challenges_page,
    installable,
    leaderboards,
    leaderboards_api,
    lobby_page,
    mail_sign_in,
    notifications_api,
    notifications_page,
    pairing_api,
    pairing_page,
    passkeys,
    people_page,
    preferences_api,
    preferences_page,
    profile_api,
    profile_page,
    programs_page,
    puzzle_rush_page,
    puzzles_api,
    puzzles_page,
    quiz,
    ratings_api,
    ratings_page,
    report_page,
    reports_api,
    rules_pages,
    sign_in_page,
    site_files,
    tokens_api,
    turns_api,
    word_studies_api,
    word_votes,
    word_votes_api,
    words,
    words_api,
)
from app.web.study import api as study_api
from app.web.study import page as study_page
from app.web.table import (
    analysis_page,
    challenge_page,
    challenges_api,
    join_page,
    lesson_page,
    missed_words_page,
    page,
    remarks_api,
    replay_page,
    retry_page,
    table_actions,
)
from app.web.table import api as games_api

FIRST_ROUTES = (stream, page, join_page, analysis_page, games_api)
"""The routes requested most often, first because routes are matched in order."""
ROUTES = (
    player_events,
    daily_api,
    direct_challenges_api,
    challenges_api,
    profile_api,
    preferences_api,
    turns_api,
    tokens_api,
    bots_api,
    notifications_api,
    blocks_api,
    reports_api,
    admin_api,
    cards_api,
    puzzles_api,
    study_api,
    ratings_api,
    pairing_api,
    circles_api,
    remarks_api,
    leaderboards_api,
    word_studies_api,
    word_votes_api,
    words_api,
    health,
    openapi,
    lobby_page,
    table_actions,
    lesson_page,
    direct_challenges_page,
    challenge_page,
    missed_words_page,
    retry_page,
    replay_page,
    profile_page,
    programs_page,
    sign_in_page,
    mail_sign_in,
    passkeys,
    notifications_page,
    pairing_page,
    circles_page,
    people_page,
    report_page,
    admin_sign_in,
    admin_pages,
    ratings_page,
    preferences_page,
    leaderboards,
    words,
    word_votes,
    quiz,
    cards_page,
    puzzle_rush_page,
    puzzles_page,
    study_page,
    api_docs,
    rules_pages,
    installable,
    site_files,
)
LAST_ROUTES = (share_pages, daily)
"""Routes such as ``/{kind}/daily``, after a room's own route at the same path."""


def all_routers(rooms: Rooms) -> Iterator[APIRouter]:
    """All routers in order, those of the engines' APIs early, to be matched fast."""
    of_rooms = [router for room in rooms.values() for router in room.routers()]
    yield from (part.router for part in FIRST_ROUTES)
    yield from (router for router in of_rooms if router.prefix.startswith("/api/"))
    yield from (part.router for part in ROUTES)
    yield from (router for router in of_rooms if not router.prefix.startswith("/api/"))
    yield from (part.router for part in LAST_ROUTES)
