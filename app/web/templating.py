"""Jinja templates for pages and HTMX fragments; a fragment is one block of its page."""

from collections.abc import Iterable, Mapping, MutableMapping
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256
from importlib.metadata import version
from math import ceil
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.runtime import Macro
from jinja2_fragments.fastapi import Jinja2Blocks
from markupsafe import Markup

from app.atomic import write_file
from app.games.bot_profiles import bot_profiles
from app.grammar import (
    format_change,
    format_count,
    format_duration,
    format_percent,
    format_rounded,
    letters_of,
    plural,
    round_half_up,
    sentence,
    shorten,
)
from app.resources import resource
from app.store.days import format_time
from app.web.files import VERSION, joined_sheets, module_imports
from app.web.guard.private_pages import is_private
from app.web.preferences import preferences_of, usable_preferences
from app.web.room import Room
from app.web.share.qr import qr_code
from app.words.names import read_names

_loader: Final = FileSystemLoader(resource("templates"))
_COMPILED_BY: Final = sha256(Path(__file__).read_bytes() + version("jinja2").encode()).hexdigest()[:12]
"""Digest of what compiled templates depend on besides their text: this file and Jinja's version."""


def module_script(named: set[str], path: str) -> Markup:
    """Return the elements that load a script and, at the same time, all modules that it imports.

    Modules that the page has ``named`` before are left out.
    """
    preloads = preload(named, *module_imports(path))
    return Markup(f'<script type="module" src="/static/{VERSION}/{path}"></script>{preloads}')  # noqa: S704 - our own paths


def preload(named: set[str], *modules: str) -> Markup:
    """Return the elements that preload those of the modules that the page has not ``named`` yet."""
    new = [each for each in modules if each not in named]
    named.update(new)
    links = (f'<link rel="modulepreload" href="/static/{VERSION}/{each}">' for each in new)
    return Markup("".join(links))  # noqa: S704 - our own paths


def is_name(word: str) -> bool:
    """Whether a word that is in no list is the name of a person or place."""
    return word.lower() in read_names(resource("data"))


def why_no_word(word: str) -> str:
    """Say why a word is not accepted: ``is not in the word list``."""
    return "is a name, not in the word list" if is_name(word) else "is not in the word list"


def stylesheets(*paths: str | None) -> Markup:
    """Return the element that loads style sheets of a table or its board as one; None stands for no sheet."""
    joined = joined_sheets(*(path for path in paths if path))
    return Markup(f'<link rel="stylesheet" href="/static/{VERSION}/{joined}">')  # noqa: S704 - our own paths


@lru_cache(32_768, typed=True)
def kept(macro: Macro, *arguments: object, **named: object) -> str:
    """Return the output of a macro for these arguments, cached.

    Only for macros imported without the page's context, such as a tile or a line of the words played: their
    output depends only on their arguments. Most of a table does not change with a move.
    """
    return macro(*arguments, **named)


class CompiledTemplates(BytecodeCache):
    """Cache of compiled templates in ``folder``: compiling all of them takes more than a second.

    Jinja itself detects a file that is older than its template. A damaged one is treated as missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _COMPILED_BY

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket if its file is valid."""
        with suppress(OSError):
            content = (self._folder / bucket.key).read_bytes()
            digest, code = content[:32], content[32:]
            if digest == sha256(code).digest():
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the bucket to its file if possible: the cache is optional."""
        code = bucket.bytecode_to_string()
        with suppress(OSError):
            write_file(self._folder / bucket.key, sha256(code).digest() + code)


class _Environment(Environment):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._known: Final[dict[str, Template]] = {}

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja's name
    ) -> Template:
        """Look in a dict first: templates never change, and a page imports from a dozen others."""
        if globals is None and isinstance(name, str):
            if name not in self._known:
                self._known[name] = super().get_template(name, parent)
            return self._known[name]
        return super().get_template(name, parent, globals)

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a dict: every import in a template iterates over all names, which is slow in a ChainMap."""
        return {**self.globals, **(d or {})}


def _environment() -> Environment:
    environment = _Environment(
        loader=_loader,
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        auto_reload=False,  # it would stat every file for every fragment
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = f"/static/{VERSION}"
    environment.filters["kept"] = kept  # a filter costs less per call than a global
    environment.filters["round"] = round_half_up  # instead of Jinja's, which rounds halves to even
    environment.filters["sentence"] = sentence
    environment.filters["shorten"] = shorten
    environment.filters["letters"] = letters_of
    environment.filters["ceil"] = ceil
    environment.filters["tuple"] = tuple  # hashable, so that it can be an argument of ``kept``
    environment.globals["stylesheets"] = stylesheets
    environment.globals["htmx"] = f"/vendor/htmx/{VERSION}/htmx.min.js"
    environment.globals["qr_code"] = qr_code
    environment.globals["bot_profiles"] = bot_profiles()
    environment.globals["why_no_word"] = why_no_word
    environment.globals["count"] = format_count
    environment.globals["plural"] = plural
    environment.globals["rounded"] = format_rounded
    environment.globals["percent"] = format_percent
    environment.globals["change"] = format_change
    environment.globals["time"] = format_time
    environment.globals["duration"] = format_duration
    return environment


def use_templates(rooms: Iterable[Room], cache: Path) -> None:
    """Add the templates of these rooms, and cache compiled templates in ``cache``."""
    folders = {str(room.templates) for room in rooms if room.templates}
    _loader.searchpath += sorted(folders.difference(_loader.searchpath))
    templates.env.bytecode_cache = CompiledTemplates(cache / "templates")


def load_templates() -> None:
    """Load all templates, so that no page waits for one. Skips faulty ones: their pages raise the error."""
    for name in templates.env.list_templates(extensions=["html", "svg"]):
        with suppress(TemplateError):
            templates.env.get_template(name)


def _is_private_answer(request: Request) -> bool:
    """Whether the page answers a form of a private page: see ``static/site/form_answer.js``."""
    _, _, form_path = request.headers.get("referer", "").partition("://")[2].partition("/")
    return request.method == "POST" and is_private(request.url.path) and is_private(f"/{form_path}")


def _for_every_page(request: Request) -> dict[str, Any]:
    named: set[str] = set()
    return {
        "module_script": partial(module_script, named),
        "preload": partial(preload, named),
        "rooms": request.app.state.services.rooms,
        "is_private_answer": _is_private_answer(request),
        "preferences": usable_preferences(request, request.app.state.services.library),
        "meanings": request.app.state.services.dictionary.installed,
        "meaning_of": partial(_meaning, request),
        "your_turns": partial(_your_turns, request),
        "new_answers": partial(_new_answers, request),
        "challenges_received": partial(_challenges_received, request),
    }


def _meaning(request: Request, word: str, lexicon: str) -> str | None:
    """The meaning of a word of the list ``lexicon`` in one line; None if it is unknown or filtered."""
    services = request.app.state.services
    if not services.dictionary.installed:
        return None
    words = services.library.load(lexicon)
    index = words.index(word.lower())
    if index is None or (preferences_of(request).family and not words.family[index]):
        return None
    meaning: str | None = services.dictionary.in_one_line(word.lower())
    return meaning


def _your_turns(request: Request) -> list[str]:
    """The games in which it is the player's turn. One query, made only if the page shows them."""
    services = request.app.state.services
    player = services.guests.identify(request)
    found: list[str] = services.lobby.turns(player) if player else []
    return found


def _new_answers(request: Request) -> list[str]:
    """The player's challenges, one for each result they have not seen. One query, as above."""
    services = request.app.state.services
    player = services.guests.identify(request)
    found: list[str] = services.challenges.news(player) if player else []
    return found


def _challenges_received(request: Request) -> int:
    """The number of direct challenges that the player can accept. One query, as above."""
    services = request.app.state.services
    player = services.guests.identify(request)
    found: int = services.direct_challenges.count_received(player, services.clock()) if player else 0
    return found


templates = Jinja2Blocks(env=_environment(), context_processors=[_for_every_page])
