"""Routes of a witness (C2SP tlog-witness), each a few lines around `Witness`.

Anyone who can connect to the port may send requests: a checkpoint without a table's signature is refused. A
body is limited in size and time before it is read.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.common.http.request_guard import BodyRefused, read_within
from controller.record.witness.add_request import MAX_BODY_BYTES
from controller.record.witness.witness import HttpAnswer, Witness

BODY_S = 5.0
_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


def make_app(witness: Witness) -> Starlette:
    async def add(request: Request) -> Response:
        body = await _body(request)
        return _response(body if isinstance(body, HttpAnswer) else witness.add(body))

    async def checkpoint(request: Request) -> Response:
        return _response(witness.checkpoint(request.path_params["origin_hash"]))

    return Starlette(
        routes=[
            Route("/add-checkpoint", add, methods=["POST"]),
            Route("/{origin_hash}/checkpoint", checkpoint, methods=["GET"]),
        ]
    )


async def _body(request: Request) -> bytes | HttpAnswer:
    """Return the complete body, or a refusal."""
    try:
        return await read_within(request, MAX_BODY_BYTES, BODY_S)
    except BodyRefused as refused:
        return HttpAnswer(refused.status, f"{refused.words}\n")


def _response(answer: HttpAnswer) -> Response:
    # exactly the media type of the specification: Starlette adds a charset to text
    headers = {**_HEADERS, "content-type": answer.media_type}
    return Response(answer.body.encode(), answer.status, headers)
