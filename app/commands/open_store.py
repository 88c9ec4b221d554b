"""The store of the settings, for commands that need one."""

import sqlite3
from typing import NoReturn

from sqlalchemy.exc import SQLAlchemyError

from app.settings import Settings
from app.store.database import Database, NotMigrated, is_store
from app.terminal.arguments import fail


def check_store(settings: Settings) -> None:
    """Exit with an error if there is no store, without creating anything."""
    try:
        found = is_store(settings.store_url)
    except (sqlite3.Error, SQLAlchemyError) as error:
        _fail_to_open(settings, error)
    if not found:
        fail(
            f"there is no database of Wibble at {settings.shown_store}: set WIBBLE_DATA_DIR or "
            "WIBBLE_DATABASE_URL as for the server, which creates it"
        )


def open_store(settings: Settings, *, create: bool = False) -> Database:
    """The store, migrated, or exit with an error; only with ``create`` it may be a new one."""
    if not create:
        check_store(settings)
    try:
        database = Database(settings.store_url)
        database.migrate()
    except (OSError, SQLAlchemyError, NotMigrated) as error:
        _fail_to_open(settings, error)
    return database


def _fail_to_open(settings: Settings, error: Exception) -> NoReturn:
    why = str(getattr(error, "orig", error)).strip().partition("\n")[0]
    fail(f"the games in {settings.shown_store} cannot be opened: {why}")
