"""The API for reporting a name, a remark, a game or a circle."""

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
    """A report to make."""

    model_config = ConfigDict(extra="forbid")

    about: About
    """What is reported."""
    reason: Reason
    """The reason for the report."""
    comment: Annotated[str | None, Field(max_length=LONGEST_COMMENT)] = None
    """A comment for the operators."""


class ReportAnswer(Documented):
    """A report that you have made."""

    subject: SubjectKind
    """What was reported."""
    text: str
    """The name or the remark at the time of the report; for a game, its mode."""
    reason: Reason
    """The reason that you chose."""
    comment: str | None
    """Your comment."""
    at: float
    """Time of the report, in seconds since the epoch."""


@router.post(
    "",
    response_model=ReportAnswer,
    status_code=201,
    responses=describe(404, 409),
    summary="Report a name, remark, game or circle",
    dependencies=[limited("reports")],
)
def make_report(body: JsonBody[NewReport], services: ServicesDep, player: Player) -> ReportAnswer:
    """Report what another player has written or done to the operators. The player is not notified.

    409 if you have already reported it and no operator has closed the report yet, 422 if it is your own.
    """
    subject, comment = subject_of(services, body.about, player), clean_comment(body.comment)
    at = file_reports(services, player, [subject], body.reason, comment)
    return ReportAnswer(subject=subject.kind, text=subject.text, reason=body.reason, comment=comment, at=at)
