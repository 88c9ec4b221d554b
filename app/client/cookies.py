"""Cookie files in the format of ``curl -b`` and ``curl -c``, for the guest session of a server."""

import os
import warnings
from contextlib import suppress
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from typing import Final
from urllib.parse import quote

import httpx

_HEADER: Final = "# Netscape HTTP Cookie File\n"


class BadCookieFile(Exception):
    """The file is not a cookie file or cannot be used; the text is the reason."""


class CookieFile:
    """A cookie file, readable by its owner only because the cookie is the player's login."""

    def __init__(self, file: Path) -> None:
        """Read the file; create it if it does not exist. Raises BadCookieFile."""
        self.file: Final = file
        self.jar: Final = MozillaCookieJar(str(file))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                self._create(file)
            with warnings.catch_warnings(
                action="ignore"
            ):  # http.cookiejar warns of a "bug" for malformed lines
                self.jar.load(ignore_discard=True)
        except (LoadError, UnicodeDecodeError):
            raise BadCookieFile(f"{file} is not a cookie file; accepted: the format of curl -c") from None
        except OSError as error:
            raise BadCookieFile(f"{file}: {error.strerror}") from None
        self._saved = self._content()

    @classmethod
    def of_server(cls, folder: Path, url: httpx.URL) -> "CookieFile":
        """Open the cookie file of a server, named after host and port. Raises BadCookieFile."""
        port = "" if url.port is None else f"_{url.port}"
        return cls(folder / f"{quote(url.host, safe='')}{port}.txt")

    def save(self) -> None:
        """Write the cookies if they have changed. Raises BadCookieFile."""
        content = self._content()
        if content == self._saved:
            return
        fresh = self.file.with_name(f".{self.file.name}.{os.getpid()}")
        try:
            with suppress(FileNotFoundError):
                fresh.unlink()
            self._create(fresh)
            self.jar.save(str(fresh), ignore_discard=True)
            fresh.replace(self.file)
        except OSError as error:
            raise BadCookieFile(f"{self.file}: {error.strerror}") from None
        self._saved = content

    def _content(self) -> list[tuple[str, str | None]]:
        return sorted((f"{cookie.domain}{cookie.path} {cookie.name}", cookie.value) for cookie in self.jar)

    @staticmethod
    def _create(file: Path) -> None:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as created:
            created.write(_HEADER)
