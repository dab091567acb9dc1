"""Documents of the user in the user's own file: import, replace, list, remove, look up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes import ward_protocol

from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.corpus.local.read import read_local
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.evidence import SearchRequest
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.services.library import BuildReport, LibraryService
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.articles import label_of

STARTER = RESOURCES / "corpus" / "starter"
LIBRARY = LibraryService(readers={"local": read_local, "cards": read_cards}, writer=IndexWriter)


def add(user: Path, *paths: Path) -> BuildReport:
    return LIBRARY.import_into("local", paths, user, progress=ignore_progress, cancel=CancelToken())


def test_documents_are_added_replaced_and_removed(tmp_path: Path) -> None:
    shipped, user = tmp_path / "livre.db", tmp_path / "bibliotheque.db"
    LIBRARY.build({"cards": STARTER}, shipped, progress=ignore_progress, cancel=CancelToken())
    protocol = ward_protocol.markdown(tmp_path / "sedation.md")
    rules = tmp_path / "reglement.txt"
    rules.write_text("Article 55\nLe badge est porté en salle.\n", "utf-8")
    assert add(user, protocol, rules).sources == 2

    index = open_index([shipped, user])
    assert [p.text for p in index.numbered("art-55")] == ["Le badge est porté en salle."]
    labels = [label_of(p.urn) for p in index.numbered("sec-4")]
    assert labels == ["sec-4.1", "sec-4.2", "sec-4.3", "sec-4.3"]  # its table stands apart
    assert index.numbered("art-56") == ()
    assert index.search(SearchRequest(query="choc anaphylactique"))
    index.close()

    rules.write_text("Article 55\nLe badge est rendu à la sortie.\n", "utf-8")
    assert add(user, rules).sources == 2
    index = open_index([shipped, user])
    assert [p.text for p in index.numbered("art-55")] == ["Le badge est rendu à la sortie."]
    assert index.search(SearchRequest(query="badge porté salle")) == ()
    keys = [s.key for s in LIBRARY.list(index, "local") if s.title == "Reglement"]
    index.close()

    left = LIBRARY.remove(keys, user, progress=ignore_progress, cancel=CancelToken())
    assert left.sources == 1
    index = open_index([shipped, user])
    assert index.numbered("art-55") == ()
    assert [s.title for s in LIBRARY.list(index, "local")] == [ward_protocol.TITLE]
    index.close()
    with pytest.raises(BadFileError, match="pas dans votre bibliothèque"):
        LIBRARY.remove(keys, user, progress=ignore_progress, cancel=CancelToken())
    assert open_index([user]).identity().sources == 1


def test_the_last_document_can_go(tmp_path: Path) -> None:
    user = tmp_path / "bibliotheque.db"
    add(user, ward_protocol.markdown(tmp_path / "sedation.md"))
    index = open_index([user])
    (source,) = index.sources()
    index.close()
    LIBRARY.remove([source.key], user, progress=ignore_progress, cancel=CancelToken())
    assert open_index([user]).identity().passages == 0
    assert LIBRARY.check(user, progress=ignore_progress, cancel=CancelToken()).problems == ()


def _words(stem: str) -> str:
    """Two hundred articles in words of their own."""
    return "".join(f"Article {n}\n{stem}corps{n} est {stem}suite{n}.\n" for n in range(1, 201))


@pytest.mark.parametrize("way", ["remove", "replace"])
def test_nothing_of_a_removed_document_stays_in_the_file(tmp_path: Path, way: str) -> None:
    user, kept, gone = (tmp_path / n for n in ("bibliotheque.db", "garde.txt", "zebulon.txt"))
    kept.write_text(_words("qwert"), "utf-8")
    gone.write_text(_words("zebulon"), "utf-8")
    add(user, gone)
    add(user, kept)
    assert user.read_bytes().count(b"zebulon") > 200
    if way == "remove":
        index = open_index([user])
        keys = [s.key for s in index.sources() if s.title == "Zebulon"]
        index.close()
        assert len(keys) == 1
        LIBRARY.remove(keys, user, progress=ignore_progress, cancel=CancelToken())
    else:
        gone.write_text("Article 1\nLe badge est porté.\n", "utf-8")
        add(user, gone)
    content = user.read_bytes()
    assert content.count(b"qwert") > 200
    for piece in (b"zebuloncorps", b"zebulonsuite"):
        assert piece not in content
    assert (b"ebulon" in content.lower()) == (way == "replace")  # its name and title
    # The full text writes the common beginning of a term once.
    assert b"corps123" not in content.replace(b"qwertcorps123", b"")


def test_a_name_that_is_no_text_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder, user = tmp_path / "service", tmp_path / "bibliotheque.db"
    folder.mkdir()
    ward_protocol.markdown(folder / "sedation.md")
    ward_protocol.markdown(folder / os.fsdecode(b"d\xe9faut.md"))
    (folder / "x\n\x1b[2Jy.pdf").write_bytes(b"rien")
    report = add(user, folder)
    assert report.sources == 1
    names = [refusal.file_name for refusal in report.refusals]
    assert names == ["d\\xe9faut.md", "x\\n\\x1b[2Jy.pdf"]
    tallies, refusals = LIBRARY.report(user)
    assert (len(tallies), len(refusals)) == (3, 2)


@pytest.mark.data
def test_the_civil_code_is_one_document_of_74_articles(shared: Path, tmp_path: Path) -> None:
    (archive,) = (shared / "data" / "loi").glob("*.tar.gz")
    user = tmp_path / "bibliotheque.db"
    report = add(user, archive)
    assert (report.sources, report.parts[0].files, report.refusals) == (1, 74, ())
    index = open_index([user])
    (article,) = index.numbered("art-55")
    assert article.text.startswith("Les déclarations de naissance sont faites dans les trois jours")
    assert index.numbered("art-40") == ()
    assert "Code civil" in index.sources()[0].names
    assert index.sources()[0].regulatory_date == "2015-03"
    index.close()
