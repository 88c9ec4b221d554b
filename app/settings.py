"""Every setting of an installation, read from the environment (prefix ``WIBBLE_``) or a ``.env`` file."""

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from app.resources import resource
from app.store.retention import Retention
from app.words.definitions import Dictionary
from app.words.library import Library

Rate = Annotated[str, Field(pattern=r"^(off|[1-9]\d*/([1-9]\d* )?(second|minute|hour|day)s?)$")]
"""So many in a time, such as ``60/minute`` or ``100/10 minutes``; ``off`` for any number."""
RateKind: TypeAlias = Literal["engines", "games", "guests", "imports", "names"]
"""What is counted for itself."""
_KEY_BYTES: Final = 32
_SHORTEST_KEY: Final = 32
_FEWEST_CHARACTERS: Final = 10
"""Different ones in a key: who types one key again and again does not make a long secret of it."""
_KEY: Final = re.compile(rb"[0-9a-f]{%d}" % (2 * _KEY_BYTES))


class BadKey(RuntimeError):
    """What should sign the cookies is damaged, and anybody might guess it; the text says what to do."""


class Settings(BaseSettings):
    """How this installation runs; each field is the environment variable ``WIBBLE_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="WIBBLE_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=lambda: user_data_path("wibble", appauthor=False))
    """The user's data: the SQLite database, added word lists and presets, the cookie key."""
    cache_dir: Path = Field(default_factory=lambda: user_cache_path("wibble", appauthor=False))
    """What can be rebuilt: lexicons as arrays."""
    database_url: str | None = None
    """An SQLAlchemy URL; without it SQLite in ``data_dir``."""
    redis_url: str | None = None
    """Where news of tables go from worker to worker and rates are counted; without it there is one worker."""
    secret_key: SecretStr | None = None
    """Signs the cookies; without it a key is made once and kept in ``data_dir``."""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    host_names: Annotated[frozenset[str], NoDecode] = frozenset()
    """The names browsers reach it by, with commas; a request for another is refused. Without it all are."""
    trusted_proxies: str = "127.0.0.1"
    """Addresses or networks of proxies that are believed whom they ask for, with commas; ``*`` for all."""
    longest_stream: int = Field(default=3600, ge=1)
    """Seconds after which a page's event stream ends; the page comes back in a second, and misses nothing."""
    header_timeout: int = Field(default=20, ge=1)
    """Seconds in which the headers of a request have to come, and the first byte of a connection."""
    body_timeout: int = Field(default=30, ge=1)
    """Seconds in which the body of a request has to come."""
    idle_timeout: int = Field(default=75, ge=1)
    """Seconds that a connection stays open for another request: a player may think between two words."""
    stall_timeout: int = Field(default=30, ge=1)
    """Seconds after which a client that takes nothing of its answer is hung up on."""
    connections: int = Field(default=4000, ge=1)
    """Connections open at a worker; fewer where the system does not let it open so many files."""
    connections_per_address: int = Field(default=250, ge=1)
    """Connections open at a worker from one address, event streams included; a trusted proxy has no limit."""
    engine_threads: int = Field(default=2, ge=1, le=64)
    """How many engine computations run at once."""
    engine_queue: int = Field(default=16, ge=0, le=1024)
    """How many more may wait; beyond that the answer is 503 with Retry-After."""
    cookie_secure: bool = False
    """Send cookies over HTTPS only: for an installation behind a TLS proxy."""

    rate_limits: bool = True
    """Whether it is counted who asks how often; the rates are a player's."""
    rate_engines: Rate = "300/minute"
    """Questions to the engines, by pages or by programs; each board of a batch is one."""
    rate_games: Rate = "60/minute"
    """Games opened."""
    rate_guests: Rate = "60/minute"
    """New players."""
    rate_imports: Rate = "30/minute"
    """Recorded games brought back."""
    rate_names: Rate = "30/minute"
    """Nicknames taken, and links to other devices made."""
    rate_address_share: int = Field(default=4, ge=1)
    """So many times as much an address may ask: several players sit behind one, a program is no player."""

    largest_body: int = Field(default=64 * 1024, ge=1024)
    """Bytes of a request's body; games as texts are the longest."""
    longest_budget_ms: int = Field(default=10_000, ge=1000, le=10_000)
    """Milliseconds that a question may let an engine think; a batch has three times that."""
    requests_per_address: int = Field(default=4, ge=1)
    """Requests of an address that a worker answers at a time, without those that wait for an engine."""
    streams_per_player: int = Field(default=30, ge=1)
    """Event streams that a player may have open at a worker: one for each page that shows a table."""
    streams_per_address: int = Field(default=1000, ge=1)
    """Event streams that all players at an address may have open at a worker."""
    open_games: int = Field(default=1000, ge=1)
    """Games that a player may sit at which did not end."""

    listed_per_player: int = Field(default=3, ge=1)
    """Tables that a player may have in the lobby."""
    listed_per_address: int = Field(default=10, ge=1)
    """Tables that all players at an address may have in the lobby."""
    imports_per_address: int = Field(default=100, ge=1)
    """Imported games of an address that nobody keeps."""
    imports_per_player: int = Field(default=20, ge=1)
    """Imported games that a player keeps."""

    keep_finished_days: int | None = Field(default=None, ge=1)
    """Days after its end at which a game goes, its results staying; without it games are kept for ever."""
    keep_abandoned_days: int = Field(default=90, ge=1)
    """Days without a move or a seat taken after which a game that did not end goes."""
    keep_imported_days: int = Field(default=30, ge=1)
    """Days after its import at which a game goes that no player keeps."""
    metrics_token: SecretStr | None = None
    """Who shows it as a bearer token may read ``/metrics``; without it this machine alone may."""
    log_json: bool = False
    """Write the log as one JSON object a line."""

    wordnet_dir: Path = Path("/usr/share/wordnet")
    """Where Debian's package ``wordnet-base`` has its files: what words mean is read there, if it is."""

    @field_validator("host_names", mode="before")
    @classmethod
    def _names(cls, names: object) -> object:
        return {name.strip().lower() for name in names.split(",")} - {""} if isinstance(names, str) else names

    @field_validator("database_url")
    @classmethod
    def _is_a_url(cls, url: str | None) -> str | None:
        try:
            make_url(url or "sqlite://")
        except ArgumentError:
            raise ValueError("this should be a URL such as postgresql://user@host/name") from None
        return url

    @property
    def store_url(self) -> str:
        """Where the store is."""
        return self.database_url or f"sqlite:///{self.data_dir / 'wibble.sqlite3'}"

    @property
    def shown_store(self) -> str:
        """Where the store is, for people: without the password."""
        return make_url(self.store_url).render_as_string(hide_password=True)

    @property
    def retention(self) -> Retention:
        """How long games are kept."""
        return Retention(self.keep_finished_days, self.keep_abandoned_days, self.keep_imported_days)

    @property
    def presets_dir(self) -> Path:
        """Where the user's own presets of Fribble are, a file each."""
        return self.data_dir / "fribble"

    @property
    def rates(self) -> dict[RateKind, str]:
        """The rates that hold."""
        rates: dict[RateKind, str] = {
            "engines": self.rate_engines,
            "games": self.rate_games,
            "guests": self.rate_guests,
            "imports": self.rate_imports,
            "names": self.rate_names,
        }
        return {kind: rate for kind, rate in rates.items() if self.rate_limits and rate != "off"}

    def signing_key(self) -> str:
        """What signs the cookies: as set, else made once and kept, readable by its owner only.

        Raises BadKey, OSError.
        """
        if self.secret_key is not None:
            return _strong(self.secret_key.get_secret_value(), "WIBBLE_SECRET_KEY")
        file = self.data_dir / "secret-key"
        if not file.exists():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f"secret-key.{secrets.token_hex(8)}")
            fresh.touch(mode=0o600)
            with fresh.open("w", encoding="ascii") as content:
                content.write(secrets.token_hex(_KEY_BYTES))
                content.flush()
                os.fsync(content.fileno())  # a power cut leaves a whole key or none, not an empty file
            with suppress(FileExistsError):  # another process was first: its key holds
                file.hardlink_to(fresh)
            fresh.unlink()
        key = file.read_bytes()
        if not _KEY.fullmatch(key):
            raise BadKey(
                f"{file} is no key any more: put its backup there, or remove it for a new key, "
                "with which every guest is a stranger"
            )
        return _strong(key.decode("ascii"), str(file))

    def library(self) -> Library:
        """The lexicons of this installation: the shipped ones and the user's own."""
        return Library(data=resource("data"), home=self.data_dir, cache=self.cache_dir)

    def dictionary(self) -> Dictionary:
        """What words mean, where the files for that are installed."""
        return Dictionary(self.wordnet_dir)


def _strong(key: str, name: str) -> str:
    """The key, if nobody can guess it; ``name`` says where it is from. Raises BadKey."""
    if len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_CHARACTERS:
        raise BadKey(
            f"{name} can be guessed: it should have {_SHORTEST_KEY} characters or more, at random "
            "(openssl rand -hex 32); without it a key is made and kept"
        )
    return key
