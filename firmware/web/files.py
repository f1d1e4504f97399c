"""The files of the page, read and compressed once. What is not among them cannot be asked for."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
_CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    content_type: str
    compressed: bytes
    tag: str
    """Changes with the content: a browser that has it need not be sent it again."""


def read_page(folder: Path = FOLDER) -> dict[str, PageFile]:
    """All files of the page by the path they are asked for with."""
    files = {
        f"/{path.relative_to(folder).as_posix()}": _read(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in _CONTENT_TYPES
    }
    files["/"] = files[f"/{INDEX}"]
    return files


def version(files: dict[str, PageFile]) -> str:
    """A short name for exactly these files."""
    tags = "".join(file.tag for _, file in sorted(files.items()))
    return hashlib.sha256(tags.encode()).hexdigest()[:16]


def _read(path: Path) -> PageFile:
    content = path.read_bytes()
    tag = hashlib.sha256(content).hexdigest()[:16]
    return PageFile(_CONTENT_TYPES[path.suffix], gzip.compress(content, mtime=0), tag)
