"""Notices to players: a draw is published, a result of theirs changed, a ruling concerns them.

All notices start here. A verb calls :func:`tell` in its change, which only writes a job's row: a
push service or mail server that does not answer never delays an official act. The job
(:func:`send_notices`) lists a :class:`~tournament.models.Notice` for each subscribed device and
address, once however often it runs, and sends those that are due. A notice that failed is tried
again by the workers' timer, :data:`MOST_ATTEMPTS` times in all, each later than the last; then it
is stored as failed, with the reason. The text is written when the notice is sent: a draw that was
withdrawn meanwhile is not announced.
"""

from __future__ import annotations

import smtplib
import time
import uuid
from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import audit
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.deadline import Deadline
from ledger.errors import Conflict
from ledger.jobs import Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import verb
from tournament.models import (
    Bye,
    Entrant,
    EntrantState,
    Event,
    MailConsent,
    Notice,
    NoticeKind,
    NoticeState,
    PushSubscription,
    Round,
    Seat,
)
from tournament.models.tables import Sheet
from tournament.queries.brackets import stage_and_round
from tournament.queries.names import seat_name
from tournament.tables.links import entrant_token

from . import mail, push
from .events import locked_event

audit.name_verbs("links", mailed=gettext_lazy("Badge links sent by e-mail"))

log = structlog.get_logger(__name__)
MOST_ATTEMPTS: Final = 5
_FIRST_WAIT: Final = timedelta(seconds=30)
_A_BATCH: Final = 40
MOST_SECONDS: Final = 30.0
"""Seconds after which a job begins no further batch."""
MAIL_SECONDS: Final = 20
"""Seconds that the mail server has for one e-mail, and for letting this service in."""
_SYSTEM: Final = Actor.system("notices")


def _devices(event_id: uuid.UUID) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(entrant__event=event_id)


def _addresses(event_id: uuid.UUID) -> QuerySet[MailConsent]:
    """Return the players' consents that are usable now."""
    taken = MailConsent.objects.filter(entrant__event=event_id, refused="")
    return taken.exclude(entrant__person__email="") if mail.is_offered() else taken.none()


def has_listeners(event_id: uuid.UUID) -> bool:
    """Whether a player of the event has asked for notices."""
    return bool(_devices(event_id).exists() or _addresses(event_id).exists())


def tell(
    *,
    event_id: uuid.UUID,
    kind: str,
    subject: uuid.UUID | None,
    entrants: Collection[int] | None = None,
) -> None:
    """Queue notices for subscribers after commit; without subscribers do nothing.

    ``entrants``: their ids; ``None`` for all who play or have a bye in the round ``subject``.
    """
    devices, addresses = _devices(event_id), _addresses(event_id)
    if entrants is not None:
        devices = devices.filter(entrant__in=entrants)
        addresses = addresses.filter(entrant__in=entrants)
    if not (devices.exists() or addresses.exists()):
        return
    concerned = None if entrants is None else sorted(entrants)
    _enqueue(event_id, {"kind": kind, "subject": str(subject or ""), "entrants": concerned})


def tell_result(sheet: Sheet) -> None:
    """Notify the players of a sheet that its signed result was corrected or taken back."""
    players = sorted(set(sheet.seats.values()))
    if players:
        tell(event_id=sheet.scope, kind=NoticeKind.RESULT, subject=sheet.pk, entrants=players)


def _enqueue(
    event_id: uuid.UUID, parameters: dict[str, object], *, key: str = "", actor: Actor = _SYSTEM
) -> Job:
    return enqueue(
        kind="tournament.notices", scope=event_id, actor=actor, parameters=parameters, key=key
    )


def tell_receipt(consent: MailConsent, event: Event) -> None:
    """Send who registered the receipt of it."""
    _enqueue(event.pk, {"kind": NoticeKind.RECEIPT, "consent": str(consent.pk)})


def wanting_links(event: Event) -> int:
    """Count the players who accept e-mail and can receive the link of their badge."""
    return int(_addresses(event.pk).exclude(entrant__state=EntrantState.MERGED).count())


def unsent_to(entrant: Entrant) -> int:
    """Count the failed notices to a player, except those to a refused address."""
    theirs = Notice.objects.filter(
        Q(subscription__entrant=entrant) | Q(consent__entrant=entrant, consent__refused="")
    )
    return theirs.filter(state=NoticeState.FAILED).count()


@verb(
    "event_mail-links",
    Event,
    "links.mail",
    statuses={Job: 202},
    done=gettext_lazy("The links are being sent."),
)
def mail_links(*, event_id: uuid.UUID, actor: Actor) -> Job:
    """E-mail their badge's link to all players who accept e-mail, each in their language."""
    event = locked_event(event_id)
    wanting = wanting_links(event)
    if not wanting:
        raise Conflict("nobody_wants_mail", gettext_lazy("No player has asked for e-mail yet."))
    audit.append(event, "links.mailed", actor, after={"players": wanting})
    return _enqueue(event.pk, {"kind": NoticeKind.LINK, "subject": None}, actor=actor)


@job_kind("tournament.notices", seconds=1200, queue=settings.NOTICES_QUEUE)
def send_notices(run: Run) -> None:
    """List the recipients of the job's matter, and send all notices due in the event (job)."""
    event = Event.objects.get(pk=run.job.scope)
    if run.parameters:
        _list(event, run.job.pk, run.parameters)
    ended: Counter[str] = Counter()
    slow: set[str] = set()
    until = time.monotonic() + MOST_SECONDS
    # The timer's next job sends notices that become due later: draws and papers run between.
    while time.monotonic() < until and (batch := _claimed(event)):
        ended.update(_send(batch, slow))
        run.progress(ended.total(), ended.total())
    with run.effect() as result:
        result.update(ended)


def send_again() -> int:
    """Send the notices that are due (timer); return the number of events."""
    due = Notice.objects.filter(state=NoticeState.WAITING, due_at__lte=timezone.now())
    events = sorted(set(due.order_by().values_list("event_id", flat=True)))
    for event_id in events:
        _enqueue(event_id, {}, key="notices")
    return len(events)


def _list(event: Event, matter: uuid.UUID, wanted: JsonObject) -> None:
    """Write a notice for each recipient device and address; existing ones stay."""
    kind, subject = wanted["kind"], wanted.get("subject")
    subject = uuid.UUID(subject) if subject else None
    devices, addresses = _devices(event.pk), _addresses(event.pk)
    if kind == NoticeKind.RECEIPT:
        devices, addresses = devices.none(), MailConsent.objects.filter(pk=wanted["consent"])
    elif kind == NoticeKind.LINK:
        devices = devices.none()
        addresses = addresses.exclude(entrant__state=EntrantState.MERGED)
    else:
        concerned = wanted["entrants"]
        if concerned is None:
            seated = Seat.objects.filter(round=subject).values_list("entrant", flat=True)
            idle = Bye.objects.filter(round=subject).values_list("entrant", flat=True)
            concerned = {*seated, *idle}
        devices = devices.filter(entrant__in=concerned)
        addresses = addresses.filter(entrant__in=concerned)
    same = {"event": event, "matter": matter, "kind": kind, "subject": subject}
    now = timezone.now()
    Notice.objects.bulk_create(
        [
            *(Notice(**same, due_at=now, subscription=each) for each in devices),
            *(Notice(**same, due_at=now, consent=each) for each in addresses),
        ],
        ignore_conflicts=True,
    )


def _claimed(event: Event) -> list[Notice]:
    """Claim the notices that are due for this attempt; the next attempt is later, should this one crash."""
    now = timezone.now()
    due = Notice.objects.filter(event=event, state=NoticeState.WAITING, due_at__lte=now)
    taken = []
    for notice in due.select_related(
        "event",
        "subscription__entrant__event",
        "consent__entrant__event",
        "consent__entrant__person",
        "consent__registration",
    ).order_by("pk")[:_A_BATCH]:
        mine = Notice.objects.filter(
            pk=notice.pk, state=NoticeState.WAITING, attempts=notice.attempts
        ).update(attempts=F("attempts") + 1, due_at=now + _FIRST_WAIT * 4**notice.attempts)
        if mine:
            notice.attempts += 1
            taken.append(notice)
    return taken


@dataclass(frozen=True, slots=True)
class Words:
    """Text of a notice, and the page that it opens."""

    title: str
    text: str
    path: str


def _send(batch: list[Notice], slow: set[str]) -> list[str]:
    """Send each; returns how each ended. Hosts of push services that are ``slow`` are not asked again."""
    ended = []
    pushes: list[tuple[Notice, Words, push.Device]] = []
    server = get_connection(timeout=MAIL_SECONDS)
    try:
        for notice in batch:
            with translation.override(_language(notice)):
                words = _words(notice)
                if words is None:
                    notice.delete()
                    ended.append("dropped")
                elif notice.consent is not None:
                    ended.append(_send_mail(notice, notice.consent, words, server))
                elif notice.subscription is not None:
                    device = notice.subscription
                    where = push.Device(device.endpoint, device.public_key, device.secret)
                    pushes.append((notice, words, where))
    finally:
        server.close()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(partial(_send_push, slow=slow), pushes))
    ended += [_end_push(sent[0], answer) for sent, answer in zip(pushes, answers, strict=True)]
    return ended


def _language(notice: Notice) -> str:
    reader = notice.subscription or notice.consent
    return reader.language if reader is not None else "en"


def _entrant(notice: Notice) -> Entrant | None:
    reader = notice.subscription or notice.consent
    return reader.entrant if reader is not None else None


def _words(notice: Notice) -> Words | None:
    """Write the text in the active language; ``None`` when the notice is obsolete."""
    entrant = _entrant(notice)
    if entrant is None:
        return _receipt(notice)
    own = reverse("personal", args=[entrant_token(entrant)])
    if notice.kind == NoticeKind.LINK:
        text = _("Your own page: your table, your games and your place in the standings.")
        return Words(_("Your own page, as on your badge"), text, own)
    if notice.kind == NoticeKind.RECEIPT:
        text = _("Your registration is confirmed: number %(number)d.") % {"number": entrant.number}
        return Words(_("You are registered"), text, own)
    if notice.kind == NoticeKind.DRAW:
        return _drawn(notice, entrant, own)
    if notice.kind == NoticeKind.RESULT:
        where = _where(Round.objects.filter(tables__sheets=notice.subject))
        return Words(_("Your result was changed"), where + _("See it on your own page."), own)
    where = _where(Round.objects.filter(pk__in=[notice.subject]))
    return Words(_("A ruling concerns you"), where + _("See it on your own page."), own)


def _where(parts: QuerySet[Round]) -> str:
    round_ = parts.select_related("stage").first()
    return f"{stage_and_round(round_)}. " if round_ is not None else ""


def _receipt(notice: Notice) -> Words | None:
    registration = notice.consent.registration if notice.consent is not None else None
    if registration is None:
        return None
    page = reverse("registered", args=[notice.event.slug, registration.pk])
    text = _("The desk will confirm it. This page will then show your number.")
    return Words(_("We have your registration"), text, page)


def _drawn(notice: Notice, entrant: Entrant, page: str) -> Words | None:
    round_ = Round.objects.select_related("stage").filter(pk__in=[notice.subject]).first()
    if round_ is None or round_.published_at is None:
        return None
    title = _("The draw is out: %(round)s") % {"round": stage_and_round(round_)}
    seat = Seat.objects.select_related("table").filter(round=round_, entrant=entrant).first()
    if seat is not None:
        values = {"table": seat.table.number, "seat": seat_name(seat.position)}
        return Words(title, _("Table %(table)s, seat %(seat)s") % values, page)
    if Bye.objects.filter(round=round_, entrant=entrant).exists():
        return Words(title, _("Bye: no table this round"), page)
    return None


def _end(notice: Notice, state: NoticeState, failure: str = "") -> str:
    """Keep how a notice ended; returns that as a word."""
    notice.state, notice.failure = state, failure[:200]
    notice.save(update_fields=["state", "failure"])
    return str(state)


def _not_taken(notice: Notice, why: str) -> str:
    """Record a failed attempt: the timer tries again, unless this was the last."""
    log.warning("notice_not_taken", notice=notice.pk, attempt=notice.attempts, reason=why)
    last = notice.attempts >= MOST_ATTEMPTS
    _end(notice, NoticeState.FAILED if last else NoticeState.WAITING, why)
    return "failed" if last else "later"


def _send_push(each: tuple[Notice, Words, push.Device], slow: set[str]) -> push.NotReached | None:
    """Send one notice without the database, so that several can be sent in parallel."""
    notice, words, device = each
    host = urlsplit(device.endpoint).netloc
    if host in slow:
        return push.NotReached(push.SLOW)
    message = {
        "title": words.title,
        "body": words.text,
        "path": words.path,
        "tag": f"{notice.kind}-{notice.subject}",
        "lang": _language(notice),
    }
    try:
        push.send(device, message, topic=notice.matter.hex)
    except push.NotReached as failure:
        if str(failure) == push.SLOW:
            slow.add(host)
        return failure
    return None


def _end_push(notice: Notice, failure: push.NotReached | None) -> str:
    if failure is None:
        return _end(notice, NoticeState.SENT)
    if failure.gone and notice.subscription is not None:
        log.info("subscription_gone", notice=notice.pk, reason=str(failure))
        notice.subscription.delete()
        return "gone"
    return _not_taken(notice, str(failure))


def _send_mail(notice: Notice, consent: MailConsent, words: Words, server: BaseEmailBackend) -> str:
    """Send one e-mail; an address that the server refuses for good gets no more."""
    if not mail.address_of(consent):
        return _end(notice, NoticeState.FAILED, "no address")
    text = f"{words.text}\n\n{settings.PUBLIC_URL}{words.path}"
    written: EmailMessage = mail.written(
        consent, notice.event, subject=words.title, text=text, number=notice.pk
    )
    written.connection = server
    try:
        with Deadline(MAIL_SECONDS) as deadline:
            if isinstance(server, mail.Server):
                server.end_with(deadline)
            written.send()
    except smtplib.SMTPRecipientsRefused as refusal:
        ((code, reply),) = refusal.recipients.values()
        answer = mail.answer_without_address(code, reply)
        if code < 500:
            return _not_taken(notice, answer)
        MailConsent.objects.filter(pk=consent.pk).update(refused=answer)
        return _end(notice, NoticeState.FAILED, answer)
    except (smtplib.SMTPException, OSError) as error:
        server.close()
        return _not_taken(notice, type(error).__name__)
    return _end(notice, NoticeState.SENT)
