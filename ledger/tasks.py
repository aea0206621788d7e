"""The one task of the queue: do the job whose id the message carries."""

from celery import shared_task

from .jobs import work_on


@shared_task(name="ledger.run_job")
def run_job(job_id: str) -> None:
    """Do job ``job_id`` (a UUID as text)."""
    work_on(job_id)
