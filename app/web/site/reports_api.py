"""Reporting a name, a remark, a game or a circle, for programs."""

from typing import Annotated

from pydantic import ConfigDict, Field

from app.store.reports import LONGEST_COMMENT, Reason, SubjectKind, clean_comment
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.reporting import About, file_reports, subject_of

router = api_router("/api/reports", "profile")


class NewReport(Documented):
    """What to report, and why."""

    model_config = ConfigDict(extra="forbid")

    about: About
    """What is reported."""
    reason: Reason
    """Why."""
    comment: Annotated[str | None, Field(max_length=LONGEST_COMMENT)] = None
    """More about it, for the operators."""


class ReportAnswer(Documented):
    """A report that you have made."""

    subject: SubjectKind
    """What was reported."""
    text: str
    """The name or the remark, as it was; of a game its mode."""
    reason: Reason
    """Why it was reported."""
    comment: str | None
    """What you added."""
    at: float
    """When it was made, in seconds since the epoch."""


@router.post(
    "",
    response_model=ReportAnswer,
    status_code=201,
    responses=describe(404, 409),
    summary="Report a name, remark, game or circle",
    dependencies=[limited("reports")],
)
def make_report(body: JsonBody[NewReport], services: ServicesDep, player: Player) -> ReportAnswer:
    """Tell the operators of something that another player has written or done. The player is not told.

    409 if you have reported it and no operator has looked at it yet, 422 if it is your own.
    """
    subject, comment = subject_of(services, body.about, player), clean_comment(body.comment)
    at = file_reports(services, player, [subject], body.reason, comment)
    return ReportAnswer(subject=subject.kind, text=subject.text, reason=body.reason, comment=comment, at=at)
