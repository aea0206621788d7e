"""The roles in the organisation that earlier releases gave without a journal, as their demo did.

Its journal begins with them, so that from here on the loss of it is found. Where there is any part
of a journal, nothing is written: what is missing of that stays missing.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from ledger.actors import Actor
from ledger.audit import entry_hash
from ledger.models import ORGANISATION


def begin_journal(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Append an entry for each role where the organisation has no journal at all."""
    named = {"scope": ORGANISATION}
    parts = [apps.get_model("ledger", name) for name in ("AuditHead", "AuditEntry", "AuditRows")]
    if any(part.objects.filter(**named).exists() for part in parts):
        return
    head_model, entry_model, _rows = parts
    sequence, last = 0, ""
    for grant in apps.get_model("ledger", "RoleGrant").objects.filter(**named).order_by("pk"):
        sequence += 1
        entry = entry_model(
            **named,
            sequence=sequence,
            at=timezone.now(),
            actor=str(Actor.system("upgrade")),
            verb="role.found",
            object_type="user",
            object_id=str(grant.user_id),
            after={"role": grant.role},
            previous_hash=last,
        )
        entry.hash = last = entry_hash(entry)
        entry.save()
    if sequence:
        head_model.objects.create(**named, sequence=sequence, hash=last)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_job_request_id")]
    operations = [migrations.RunPython(begin_journal, migrations.RunPython.noop)]
