"""Random damage to files."""

from pathlib import Path
from random import Random


def damaged(content: bytes, chance: Random, others: list[bytes]) -> bytes:
    """Return damaged content: bits flipped, truncated, zeroed, repeated, or replaced by another file's."""
    harm = chance.randrange(8)
    at = chance.randrange(len(content))
    if harm < 3:
        found = bytearray(content)
        for _ in range(harm + 1):
            place = chance.randrange(len(content))
            found[place] ^= 1 << chance.randrange(8)
        result = bytes(found)
    elif harm == 3:
        result = content[:at]
    elif harm == 4:
        result = b""
    elif harm == 5:
        result = content[:at] + bytes(len(content) - at)
    elif harm == 6:
        result = content[:at] + content
    else:
        result = chance.choice(others)
    return result if result != content else content + b"\0"


def damage(folder: Path, chance: Random, others: Path) -> Path:
    """Damage a file below ``folder``, perhaps with the content of one below ``others``; return its path."""
    file = chance.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    foreign = [path.read_bytes() for path in sorted(others.rglob("*")) if path.is_file()]
    file.write_bytes(damaged(file.read_bytes(), chance, foreign))
    return file
