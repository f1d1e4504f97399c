"""What can be taken home from the page: the black box, and the doctor's report. Only by those who may act."""

from __future__ import annotations

from datetime import datetime

from aiohttp import web

from firmware.doctor.finding import Finding, Grade, worst
from firmware.guard.visit import VISITOR
from firmware.workshop import Workshop

FRESH = {"Cache-Control": "no-store"}


class ExportRoutes:
    """`/blackbox` and `/doctor`."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def add_to(self, application: web.Application) -> None:
        application.router.add_get("/blackbox", self._black_box)
        application.router.add_get("/doctor", self._doctor)

    async def _black_box(self, request: web.Request) -> web.StreamResponse:
        _only_for_those_who_may_act(request)
        async with self._workshop.recording() as path:
            answer = web.FileResponse(path, headers=_attached("linja.box.gz", "application/gzip"))
            await answer.prepare(request)  # which sends it: the file is gone afterwards
            return answer

    async def _doctor(self, request: web.Request) -> web.Response:
        _only_for_those_who_may_act(request)
        found = await self._workshop.doctor()
        return web.Response(text=report(found), headers=_attached("linja-doctor.txt", "text/plain; charset=utf-8"))


def report(found: list[Finding]) -> str:
    """The findings as `linja doctor` prints them."""
    grade = worst(found)
    verdict = "nothing is wrong" if grade in (Grade.OK, Grade.NOTE) else f"the worst is a {grade.value}"
    lines = [f"Linja doctor, {datetime.now():%Y-%m-%d %H:%M}, while the board plays: {verdict}."]
    return "\n".join([*lines, "", *(finding.line for finding in found), ""])


def _attached(name: str, content_type: str) -> dict[str, str]:
    return FRESH | {"Content-Disposition": f'attachment; filename="{name}"', "Content-Type": content_type}


def _only_for_those_who_may_act(request: web.Request) -> None:
    if not request[VISITOR].may_act:
        raise web.HTTPForbidden(text="This device is not paired with the board: it may only watch.")
