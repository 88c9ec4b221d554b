"""All settings, read from environment variables (prefix ``WIBBLE_``) or a ``.env`` file."""

import os
import re
import secrets
from contextlib import suppress
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from platformdirs import user_cache_path, user_data_path
from pydantic import AfterValidator, Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    NoDecode,
    SettingsConfigDict,
)

from app.resources import resource
from app.words.definitions import Dictionary
from app.words.library import Library

# Modules that need SQLAlchemy are imported where they are used: most commands use no database and so start
# faster.
if TYPE_CHECKING:
    from app.store.retention import Retention

_RATE: Final = re.compile(r"off|[1-9]\d*/([1-9]\d* )?(second|minute|hour|day)s?")


def _check_rate(rate: str) -> str:
    if not _RATE.fullmatch(rate):
        raise ValueError(f"{rate!r} is not a rate: expected one like 60/minute or 100/10 minutes, or off")
    return rate


Rate = Annotated[str, AfterValidator(_check_rate)]
"""A rate limit such as ``60/minute`` or ``100/10 minutes``; ``off`` for none."""
RateKind: TypeAlias = Literal[
    "boards",
    "cards",
    "engines",
    "games",
    "guests",
    "imports",
    "mails",
    "names",
    "reports",
    "sign_in",
    "votes",
]
"""The kinds of request that are limited separately."""
_NOT_OURS: Final = re.compile("WIBBLE_TEST_.*|WIBBLE_TOKEN")
"""Variables that tests and the example programs read."""
_DRIVERS: Final = ("sqlite", "postgres", "postgresql", "postgresql+psycopg")
_DEBIAN_WORDNET: Final = Path("/usr/share/wordnet")
_KEY_BYTES: Final = 32
_SHORTEST_KEY: Final = 32
_FEWEST_CHARACTERS: Final = 10
"""Fewest different characters in a key, so that one repeated key press is refused."""
_KEY: Final = re.compile(rb"[0-9a-f]{%d}" % (2 * _KEY_BYTES))


class BadKey(RuntimeError):
    """The key for signing cookies is damaged or weak; the message says what to do."""


class Settings(BaseSettings):
    """The settings; each field is the environment variable ``WIBBLE_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="WIBBLE_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=lambda: user_data_path("wibble", appauthor=False))
    """Folder for the SQLite database, added word lists and presets, and the cookie key."""
    cache_dir: Path = Field(default_factory=lambda: user_cache_path("wibble", appauthor=False))
    """Folder for compiled lexicons, which can be rebuilt."""
    database_url: str | None = None
    """SQLAlchemy URL; by default SQLite in ``data_dir``."""
    redis_url: str | None = None
    """Redis, or a Redis Cluster (``redis+cluster://host:port,host:port``), for events between workers and for
    rate limits; required for more than one worker."""
    secret_key: SecretStr | None = None
    """Key for signing cookies; by default one is generated and kept in ``data_dir``."""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    host_names: Annotated[frozenset[str], NoDecode] = frozenset()
    """Host names of this site, separated by commas; requests for others are refused. By default any name."""
    cors_origins: Annotated[frozenset[str], NoDecode] = frozenset({"*"})
    """Origins, separated by commas, whose pages may use the engines; ``*`` for any, empty for none."""
    trusted_proxies: str = "127.0.0.1"
    """Addresses or networks, separated by commas, of proxies whose forwarding headers are trusted; ``*`` for
    all."""
    longest_stream: int = Field(default=3600, ge=1)
    """Seconds after which an event stream ends; the page reconnects within a second and misses nothing."""
    header_timeout: int = Field(default=20, ge=1)
    """Seconds within which a connection's first byte and a request's headers have to arrive."""
    body_timeout: int = Field(default=30, ge=1)
    """Seconds within which a request's body has to arrive."""
    idle_timeout: int = Field(default=75, ge=1)
    """Seconds that an idle connection stays open: a player may think between two words."""
    stall_timeout: int = Field(default=30, ge=1)
    """Seconds after which a client that reads nothing of its response is disconnected."""
    connections: int = Field(default=4000, ge=1)
    """Most open connections per worker; fewer if the system's limit on open files is lower."""
    connections_per_address: int = Field(default=250, ge=1)
    """Most open connections per worker from one address, including event streams; trusted proxies are
    exempt."""
    engine_threads: int = Field(default=2, ge=1, le=64)
    """Searches and analyses that run at once; one more thread is for short computations."""
    engine_queue: int = Field(default=16, ge=0, le=1024)
    """Engine computations that may wait; beyond that the answer is 503 with Retry-After."""
    cookie_secure: bool = False
    """Send cookies over HTTPS only: for an installation behind a TLS proxy."""

    rate_limits: bool = True
    """Whether the following rate limits, which are per player, apply."""
    rate_boards: Rate = "200/day"
    """Study boards stored."""
    rate_cards: Rate = "10000/day"
    """Cards added and imported."""
    rate_engines: Rate = "300/minute"
    """Engine requests, from pages and programs; each board of a batch counts as one."""
    rate_games: Rate = "60/minute"
    """Games opened."""
    rate_guests: Rate = "60/minute"
    """New players."""
    rate_imports: Rate = "30/minute"
    """Game records imported."""
    rate_mails: Rate = "5/hour"
    """Mails sent for a player, and to an address."""
    rate_names: Rate = "30/minute"
    """Changes to a profile, circles and blocks; tokens, bot accounts and ways to sign in created."""
    rate_reports: Rate = "20/hour"
    """Reports to the operators."""
    rate_sign_in: Rate = "10/minute"
    """Attempts to sign in."""
    rate_votes: Rate = "30/minute"
    """Votes on words."""
    rate_address_share: int = Field(default=4, ge=1)
    """An address may use this many times a player's rate, since several players may share it."""

    largest_body: int = Field(default=64 * 1024, ge=1024)
    """Most bytes of a request body; game records are the largest."""
    longest_budget_ms: int = Field(default=10_000, ge=1000, le=10_000)
    """Longest time budget of an engine request, in milliseconds; a batch has three times that."""
    review_seconds: float = Field(default=60.0, ge=0, le=600)
    """Most seconds of one core to judge the turns of a finished game by simulation; 0 for none."""
    requests_per_address: int = Field(default=2, ge=1)
    """Most requests of an address that a worker answers at a time, not counting those in the engine pool."""
    streams_per_player: int = Field(default=30, ge=1)
    """Most open event streams of a player per worker: one for each page that shows a table."""
    streams_per_address: int = Field(default=1000, ge=1)
    """Most open event streams of an address per worker."""
    open_games: int = Field(default=1000, ge=1)
    """Most unfinished games of a player."""

    listed_per_player: int = Field(default=3, ge=1)
    """Most tables of a player in the lobby."""
    listed_per_address: int = Field(default=10, ge=1)
    """Most tables of an address in the lobby."""
    imports_per_address: int = Field(default=100, ge=1)
    """Most games imported from an address and not kept by a player."""
    imports_per_player: int = Field(default=20, ge=1)
    """Most imported games that a player keeps."""

    keep_finished_days: int | None = Field(default=None, ge=1)
    """Days after its end at which a game is removed (its results stay); by default never."""
    keep_abandoned_days: int = Field(default=90, ge=1)
    """Days without a move or seat taken after which an unfinished game is removed."""
    keep_imported_days: int = Field(default=30, ge=1)
    """Days after its import at which a game that no player keeps is removed."""
    keep_guest_days: int = Field(default=180, ge=1)
    """Days after the last visit of a guest who cannot sign in again at which their study boards and cards are
    removed."""
    admin_token: SecretStr | None = None
    """Token with which operators moderate at ``/admin`` and ``/api/admin``; by default only accounts can."""
    metrics_token: SecretStr | None = None
    """Bearer token for ``/metrics``; without one it can be read from this machine only."""
    log_json: bool = False
    """Write the log as one JSON object per line."""

    site_url: str | None = None
    """Address of this site for links in messages, such as ``https://wibble.example.org``; without one there
    are no notifications."""
    private_webhooks: bool = False
    """Whether players' webhooks and push services may be at private addresses, and without HTTPS."""
    mail_url: SecretStr | None = None
    """Mail server, ``smtp://user:password@host:587`` or ``smtps://...:465``; by default no mail is sent."""
    mail_from: str | None = None
    """Sender of mails, such as ``Wibble <wibble@example.org>``."""

    wordnet_dir: Path | None = None
    """Folder of the WordNet files, for definitions; by default what ``wibble words install-meanings`` has
    installed, or Debian's package ``wordnet-base``."""

    @field_validator("host_names", "cors_origins", mode="before")
    @classmethod
    def _names(cls, names: object) -> object:
        return {name.strip().lower() for name in names.split(",")} - {""} if isinstance(names, str) else names

    @field_validator("host_names")
    @classmethod
    def _are_hosts(cls, names: frozenset[str]) -> frozenset[str]:
        for name in names:
            if not re.fullmatch(r"\*|(\*\.)?[a-z0-9._-]+|\[[0-9a-f:.]+\]", name):
                raise ValueError(f"{name!r} is not the name of a host: expected one like wibble.example.org")
        return names

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, origins: frozenset[str]) -> frozenset[str]:
        for origin in origins - {"*"}:
            parts = urlsplit(origin)
            if not parts.netloc or origin != f"{parts.scheme}://{parts.netloc}":
                raise ValueError(f"{origin!r} is not an origin: expected one like https://example.org, or *")
        return origins

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, proxies: str) -> str:
        for each in proxies.split(","):
            if each.strip() not in ("", "*"):
                try:
                    ip_network(each.strip())
                except ValueError as error:
                    raise ValueError(f"{error}: expected addresses or networks such as 10.0.0.0/8") from None
        return proxies

    @field_validator("database_url")
    @classmethod
    def _is_a_url(cls, url: str | None) -> str | None:
        if not url:
            return url
        from sqlalchemy import make_url  # noqa: PLC0415
        from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

        try:
            driver = make_url(url).drivername
        except (ArgumentError, ValueError):  # ValueError: of a port that is no number
            driver = ""
        if driver not in _DRIVERS:
            raise ValueError("not a database URL: expected one like postgresql://user@host/name")
        return url

    @field_validator("admin_token")
    @classmethod
    def _cannot_be_guessed(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None or not token.get_secret_value():
            return None
        if _is_weak(token.get_secret_value()):
            raise ValueError(
                f"can be guessed: use {_SHORTEST_KEY} or more random characters (openssl rand -hex 32)"
            )
        return token

    @field_validator("mail_url")
    @classmethod
    def _is_a_mail_server(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            parts = urlsplit(url.get_secret_value())
            if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
                raise ValueError("not a mail server: expected smtp://user:password@host:587 or smtps://...")
        return url

    @field_validator("site_url")
    @classmethod
    def _is_a_site(cls, url: str | None) -> str | None:
        if url is not None:
            parts = urlsplit(url)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
                raise ValueError("not the address of a site: expected one like https://wibble.example.org")
            if parts.path.strip("/"):
                raise ValueError(f"the site is not served below a path such as {parts.path}: leave it out")
        return url

    @model_validator(mode="after")
    def _mails_are_complete(self) -> "Settings":
        if self.mail_url is not None and not (self.mail_from and self.site_url):
            raise ValueError("WIBBLE_MAIL_URL needs WIBBLE_MAIL_FROM and WIBBLE_SITE_URL, too")
        return self

    @property
    def store_url(self) -> str:
        """The SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{self.data_dir / 'wibble.sqlite3'}"

    @property
    def shown_store(self) -> str:
        """The database URL without its password, for messages."""
        from sqlalchemy import make_url  # noqa: PLC0415

        return make_url(self.store_url).render_as_string(hide_password=True)

    @property
    def retention(self) -> "Retention":
        """The retention settings."""
        from app.store.retention import Retention  # noqa: PLC0415

        return Retention(
            self.keep_finished_days,
            self.keep_abandoned_days,
            self.keep_imported_days,
            self.keep_guest_days,
        )

    @property
    def rates(self) -> dict[RateKind, str]:
        """The rate limits in effect."""
        rates: dict[RateKind, str] = {
            "boards": self.rate_boards,
            "cards": self.rate_cards,
            "engines": self.rate_engines,
            "games": self.rate_games,
            "guests": self.rate_guests,
            "imports": self.rate_imports,
            "mails": self.rate_mails,
            "names": self.rate_names,
            "reports": self.rate_reports,
            "sign_in": self.rate_sign_in,
            "votes": self.rate_votes,
        }
        return {kind: rate for kind, rate in rates.items() if self.rate_limits and rate != "off"}

    def signing_key(self) -> str:
        """The key for signing cookies: configured, or generated once in a file that only its owner can read.

        Raises BadKey, OSError.
        """
        if self.secret_key is not None:
            return _check_key(self.secret_key.get_secret_value(), "WIBBLE_SECRET_KEY")
        file = self.data_dir / "secret-key"
        if not file.exists():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f"secret-key.{secrets.token_hex(8)}")
            fresh.touch(mode=0o600)
            with fresh.open("w", encoding="ascii") as content:
                content.write(secrets.token_hex(_KEY_BYTES))
                content.flush()
                os.fsync(content.fileno())  # after a power cut there is a complete file or none
            with suppress(FileExistsError):  # another process was first: use its key
                file.hardlink_to(fresh)
            fresh.unlink()
        key = file.read_bytes()
        if not _KEY.fullmatch(key):
            raise BadKey(
                f"{file} is damaged: restore it from a backup, or remove it to generate a new key, "
                "which signs out every player"
            )
        return _check_key(key.decode("ascii"), str(file))

    def library(self) -> Library:
        """The shipped lexicons and those in ``data_dir``."""
        return Library(data=resource("data"), home=self.data_dir, cache=self.cache_dir)

    def dictionary(self) -> Dictionary:
        """The definitions that are installed; empty if there are none."""
        if self.wordnet_dir is None:
            installed = Dictionary(self.installed_wordnet)
            return installed if installed.installed else Dictionary(_DEBIAN_WORDNET)
        return Dictionary(self.wordnet_dir)

    @property
    def installed_wordnet(self) -> Path:
        """Where ``wibble words install-meanings`` puts the WordNet files."""
        return self.data_dir / "wordnet"


def unknown_settings() -> list[str]:
    """A warning for each ``WIBBLE_`` variable, in the environment or ``.env``, that is not a setting."""
    known = [name.upper() for name in Settings.model_fields]
    given = {*EnvSettingsSource(Settings).env_vars, *DotEnvSettingsSource(Settings).env_vars}
    warnings = []
    for variable in sorted(each.upper() for each in given):
        name = variable.removeprefix("WIBBLE_")
        if name != variable and not _NOT_OURS.fullmatch(variable) and name not in known:
            near = get_close_matches(name, known, 1)
            warnings.append(
                f"{variable} is not a setting{f': did you mean WIBBLE_{near[0]}?' if near else ''}"
            )
    return warnings


def _check_key(key: str, name: str) -> str:
    """Return the key unless it is weak; ``name`` is its source. Raises BadKey."""
    if _is_weak(key):
        raise BadKey(
            f"{name} can be guessed: use {_SHORTEST_KEY} or more random characters "
            "(openssl rand -hex 32), or leave it out to have a key generated"
        )
    return key


def _is_weak(secret: str) -> bool:
    """Whether a key or token is short, or has few different characters."""
    return len(secret) < _SHORTEST_KEY or len(set(secret)) < _FEWEST_CHARACTERS
