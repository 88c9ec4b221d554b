"""Every setting of an installation, read from the environment (prefix ``WIBBLE_``) or a ``.env`` file."""

import secrets
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url

from app.resources import resource
from app.store.retention import Retention
from app.words.definitions import Dictionary
from app.words.library import Library


class Settings(BaseSettings):
    """How this installation runs; each field is the environment variable ``WIBBLE_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="WIBBLE_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=lambda: user_data_path("wibble", appauthor=False))
    """The user's data: the SQLite database, added word lists, the cookie key."""
    cache_dir: Path = Field(default_factory=lambda: user_cache_path("wibble", appauthor=False))
    """What can be rebuilt: lexicons as arrays."""
    database_url: str | None = None
    """An SQLAlchemy URL; without it SQLite in ``data_dir``."""
    redis_url: str | None = None
    """Where the news of tables go from worker to worker; without it there is one worker."""
    secret_key: SecretStr | None = None
    """Signs the cookies; without it a key is made once and kept in ``data_dir``."""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    engine_threads: int = Field(default=2, ge=1, le=64)
    """How many engine computations run at once."""
    engine_queue: int = Field(default=16, ge=0, le=1024)
    """How many more may wait; beyond that the answer is 503 with Retry-After."""
    cookie_secure: bool = False
    """Send cookies over HTTPS only: for an installation behind a TLS proxy."""

    keep_finished_days: int | None = Field(default=None, ge=1)
    """Days after its end at which a game goes, its results staying; without it games are kept for ever."""
    keep_abandoned_days: int = Field(default=90, ge=1)
    """Days without a move or a seat taken after which a game that did not end goes."""
    metrics_token: SecretStr | None = None
    """Who shows it as a bearer token may read ``/metrics``; without it this machine alone may."""
    log_json: bool = False
    """Write the log as one JSON object a line."""

    wordnet_dir: Path = Path("/usr/share/wordnet")
    """Where Debian's package ``wordnet-base`` has its files: what words mean is read there, if it is."""

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
        return Retention(self.keep_finished_days, self.keep_abandoned_days)

    def signing_key(self) -> str:
        """What signs the cookies: as set, else made once and kept, readable by its owner only."""
        if self.secret_key is not None:
            return self.secret_key.get_secret_value()
        file = self.data_dir / "secret-key"
        if not file.exists():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f"secret-key.{secrets.token_hex(8)}")
            fresh.touch(mode=0o600)
            fresh.write_text(secrets.token_hex(32), encoding="ascii")
            with suppress(FileExistsError):  # another process was first: its key holds
                file.hardlink_to(fresh)
            fresh.unlink()
        return file.read_text(encoding="ascii")

    def library(self) -> Library:
        """The lexicons of this installation: the shipped ones and the user's own."""
        return Library(data=resource("data"), home=self.data_dir, cache=self.cache_dir)

    def dictionary(self) -> Dictionary:
        """What words mean, where the files for that are installed."""
        return Dictionary(self.wordnet_dir)
