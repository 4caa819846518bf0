"""The Markdown pages of the repository, and the names, links and copies in them. Reads only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.repository.house import ROOT, tree

FOLDERS = ("controller", "drivers", "config", "systemd", "hardware", "tests")
CODE = {".py", ".yaml", ".js", ".css", ".html", ".service", ".conf", ".rules", ".toml"}

_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")
_LINKED = re.compile(r"\[[^\]]*\]\([^)]*\)")
_BLOCK = re.compile(r"<!-- (\w+) -->(.*?)<!-- /\1 -->", re.DOTALL)
_NAMED = re.compile(r"[\w./-]*\w\.md\b")
_MODULE = re.compile(r"`([\w/]*\w\.py)`")
_PLACE = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]+)`")
_DEFINED = re.compile(r"^\s*(?:export )?(?:async )?(?:(?:function|class) )?(\w+)(?=[:=({ ])", re.MULTILINE)
_SYMBOL = re.compile(r"`(\w[\w.]*)`\s+\(`([\w/]+\.(?:py|js))`\)")
_INDENTED = re.compile(r"^    (\S.*)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:\S*/|runuser .* -- )?(crisscross [^|>&;]*)")
_SECTION = re.compile(r'([\w./-]*\w\.md),? "([^"]+)"')


@cache
def pages() -> tuple[Path, ...]:
    return tuple(sorted((*ROOT.glob("*.md"), *_inside({".md"}))))


def code() -> Iterator[Path]:
    yield from (ROOT / name for name in ("Makefile", "pyproject.toml"))
    yield from _inside(CODE)


def _inside(kinds: set[str]) -> Iterator[Path]:
    """Yield the files of the folders. Files that npm installed are left out."""
    for folder in FOLDERS:
        files = (path for path in (ROOT / folder).rglob("*") if path.suffix in kinds)
        yield from (path for path in files if "node_modules" not in path.parts)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def named(path: Path) -> set[str]:
    """Return every page that a file names in its text; targets of links are checked elsewhere."""
    return set(_NAMED.findall(_LINKED.sub("", text(path))))


def modules_named(path: Path) -> set[str]:
    return set(_MODULE.findall(text(path)))


def places_named(path: Path) -> set[str]:
    """Return every file and folder that a page names from the top of the repository."""
    return set(_PLACE.findall(prose(path)))


def symbols_named(path: Path) -> list[tuple[str, str]]:
    """Return (symbol, file) for each symbol on a page that is followed by its file in brackets."""
    return _SYMBOL.findall(prose(path))


def sections_named(path: Path) -> set[tuple[str, str]]:
    """Return every (page, heading) that a file names, also where a comment or docstring breaks the line."""
    flat = re.sub(r"\s*\n\s*(?:# )?", " ", text(path))
    return set(_SECTION.findall(flat))


def resolved(path: Path, target: str) -> Path | None:
    """Return the page that `target` names, relative to the top of the repository or to the folder of `path`;
    None if there is none.
    """
    return next((to for to in (ROOT / target, path.parent / target) if to.is_file()), None)


def prose(path: Path) -> str:
    """Return a page without its examples."""
    return _FENCE.sub("", text(path))


def links(path: Path) -> list[str]:
    return _LINK.findall(prose(path))


def headings(path: Path) -> list[str]:
    return _HEADING.findall(prose(path))


def anchors(path: Path) -> set[str]:
    """Return the anchors that the repository's host derives from headings."""
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings(path))
    return {heading.strip().replace(" ", "-") for heading in plain}


def blocks(path: Path) -> dict[str, str]:
    """Return the text between ``<!-- name -->`` and ``<!-- /name -->``, by name."""
    return {mark: part.strip() for mark, part in _BLOCK.findall(text(path))}


def examples(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text(path), re.DOTALL | re.MULTILINE)


def commands(path: Path) -> list[str]:
    """Return the commands of this program in a page's blocks of code, without pipes and redirections."""
    lines = (*"".join(examples(path, "(?:sh)?")).splitlines(), *_INDENTED.findall(text(path)))
    found = (_COMMAND.match(line) for line in lines)
    return [each[1] for each in found if each]


def rows(block: str) -> list[list[str]]:
    """Return the cells of a table, without its head."""
    lines = [line for line in block.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def words(cell: str) -> list[str]:
    """Return the first word of each piece of code in a cell: ``a`` and ``b`` of "`a: 1`, `b`"."""
    return [found[0] for piece in re.findall(r"`([^`]+)`", cell) if (found := re.findall(r"^\w+", piece))]


def defined(path: Path) -> set[str]:
    """Return the names that a file defines: of Python its top level and the members of its classes
    (`Class.member`), of JavaScript functions and classes, of data keys and directives."""
    if path.suffix == ".py":
        return set(_python_names(tree(path).body))
    return set(_DEFINED.findall(text(path)))


def _python_names(body: list[ast.stmt], inside: str = "") -> Iterator[str]:
    for node in body:
        match node:
            case ast.ClassDef(name=called):
                yield inside + called
                yield from _python_names(node.body, f"{called}.")
            case ast.FunctionDef(name=called) | ast.AsyncFunctionDef(name=called):
                yield inside + called
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from (inside + each.id for each in ast.walk(target) if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=called)):
                yield inside + called
            case _:
                pass
