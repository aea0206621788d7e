"""A misread list is saved with invented people, in the same shape, as a case of the corpus."""

from __future__ import annotations

import io
import tomllib
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.lists.test_corpus import CASES, people_of
from tests.tournament.build import make_event, make_user
from tournament.lists.misread import scrambled
from tournament.lists.names import BEFORE_SURNAMES
from tournament.lists.words import unaccented
from tournament.models.players import headings

KEPT = {word for words in headings().values() for word in words}
READ = [
    case
    for case in CASES
    if "refused" not in case.read_text() and case.with_suffix("").suffix != ".xls"
]


@pytest.mark.parametrize("case", READ, ids=lambda case: case.name.removesuffix(".toml"))
def test_the_copy_of_a_list_is_read_alike_and_names_nobody(case: Path) -> None:
    right = tomllib.loads(case.read_text())
    content = case.with_suffix("").read_bytes()
    copy = scrambled(content, KEPT)
    before, after = people_of(content, right), people_of(copy, right)
    assert len(after.people) == len(before.people)
    assert [row.out for row in after.rows] == [row.out for row in before.rows]
    surnames = {
        word
        for row in before.people
        if not row.doubts
        for word in unaccented(row.name).split()[1:]
        if len(word) > 4 and word.isascii() and word not in BEFORE_SURNAMES
    }
    left = {word for row in after.people for word in unaccented(row.name).split()}
    assert not surnames & left


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.django_db
def test_the_page_saves_a_case_that_the_corpus_reads(client: Client) -> None:
    event = make_event(0)
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/players/import/misread/"
    file = SimpleUploadedFile("leden van An.csv", b"Naam;Betaald\nJan Vermeulen;ja\n")
    for sent in ({"file": file}, {"text": "Jan Vermeulen\nEls Claessens 0475 12 34 56\n"}):
        answer = client.post(page, sent)
        assert answer.headers["Content-Type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            name, case = sorted(archive.namelist())
            right = tomllib.loads(archive.read(case).decode())
            content = archive.read(name)
        assert case == f"{name}.toml"
        assert b"Vermeulen" not in content
        assert b"12 34 56" not in content
        assert [row.name for row in people_of(content, right).people] == right["people"]
    refused = client.post(page, {"file": SimpleUploadedFile("list.pdf", b"%PDF-1.7 ...")})
    assert refused.status_code == 422
