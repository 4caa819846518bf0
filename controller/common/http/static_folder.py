"""Files of one folder of the package: scripts, styles, fonts, pictures.

Starlette's own application hands each file to a thread some sixteen times, and a page of the table consists
of up to 39 files.
"""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class StaticFolder:
    """ASGI application for a `Mount`. It serves the files that were in the folder at the start, by their
    names, and no other path."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._response(scope)(scope, receive, send)

    def _response(self, scope: Scope) -> Response:
        """Return the response. Raises HTTPException 405 if the method is neither GET nor HEAD, 404 if no file
        has the name."""
        if scope.get("method") not in ("GET", "HEAD"):
            raise HTTPException(405)
        name = scope["path"].removeprefix(scope["root_path"]).removeprefix("/")
        if name not in self._files:
            raise HTTPException(404)
        return Response(self._files[name].read_bytes(), media_type=guess_type(name)[0])
