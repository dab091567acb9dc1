"""Archives of documents: what is unpacked, what is refused, nothing written elsewhere."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

from ancremed_desktop.corpus.archive import FoundFile, count_files, find_files
from ancremed_desktop.domain.documents import Refusal


def _tar(path: Path, members: list[tuple[str, bytes]], *, link: str = "") -> Path:
    with tarfile.open(path, "w:gz") as made:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
        if link:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            made.addfile(info)
    return path


def test_a_tar_gives_its_files_and_refuses_links_and_hostile_names(tmp_path: Path) -> None:
    archive = _tar(
        tmp_path / "lois.tar.gz",
        [("a/un.md", b"un"), ("../deux.md", b"deux"), ("A/UN.md", b"bis"), ("photo.jpg", b"x")],
        link="lien.md",
    )
    contents, refused = {}, {}
    for item in find_files(archive, frozenset({".md"})):
        if isinstance(item, FoundFile):
            contents[item.name] = item.path.read_bytes()
        else:
            refused[item.file_name] = item.reason
    assert contents == {"a/un.md": b"un"}
    assert list(refused) == ["../deux.md", "A/UN.md", "lien.md"]
    assert "dangereux" in refused["../deux.md"]
    assert "deux fois" in refused["A/UN.md"]
    assert "lien" in refused["lien.md"]
    assert [p.name for p in tmp_path.iterdir()] == ["lois.tar.gz"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("dossier d’un malade")
    _tar(tmp_path / "autre.tar.gz", [("a.md", b"a")])
    folder = tmp_path / "importe"
    folder.mkdir()
    (folder / "vrai.md").write_text("texte")
    (folder / "dedans.md").symlink_to(folder / "vrai.md")
    (folder / "dehors.md").symlink_to(secret)
    (folder / "dehors.tar.gz").symlink_to(tmp_path / "autre.tar.gz")
    (folder / "dossier").symlink_to(tmp_path, target_is_directory=True)
    items = list(find_files(folder, frozenset({".md"})))
    assert [i.name for i in items if isinstance(i, FoundFile)] == ["dedans.md", "vrai.md"]
    refused = [i for i in items if isinstance(i, Refusal)]
    assert [i.file_name for i in refused] == ["dehors.md", "dehors.tar.gz"]
    assert all("hors du dossier" in i.reason for i in refused)
    assert [i.name for i in find_files(folder / "dehors.md") if isinstance(i, FoundFile)] == [
        "dehors.md"
    ]


def test_a_link_to_itself_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    (tmp_path / "boucle.md").symlink_to("boucle.md")
    (tmp_path / "boucle.zip").symlink_to("boucle.zip")
    (tmp_path / "dossier").symlink_to("dossier", target_is_directory=True)
    (tmp_path / "vrai.md").write_text("texte")
    items = list(find_files(tmp_path, frozenset({".md"})))
    assert [i.name for i in items if isinstance(i, FoundFile)] == ["vrai.md"]
    refused = {i.file_name: i.reason for i in items if isinstance(i, Refusal)}
    assert sorted(refused) == ["a.md", "b.md", "boucle.md", "boucle.zip"]
    assert all("renvoie à lui-même" in reason for reason in refused.values())


def test_a_truncated_tar_is_named(tmp_path: Path) -> None:
    archive = _tar(tmp_path / "x.tgz", [("a.md", bytes(range(256)) * 4000)])
    archive.write_bytes(archive.read_bytes()[:400])
    items = list(find_files(archive, frozenset({".md"})))
    assert isinstance(items[-1], Refusal)
    assert items[-1].file_name == "x.tgz"


def test_names_are_shown_on_one_line_and_refused_when_they_are_no_text(tmp_path: Path) -> None:
    hostile = "a\nb\x1b[31m\u202e.md"
    (tmp_path / hostile).write_text("x")
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    _tar(tmp_path / "t.tar.gz", [(os.fsdecode(b"d\xe9/x.md"), b"x"), ("bon.md", b"x")])
    items = list(find_files(tmp_path, frozenset({".md"})))
    read = [i.name for i in items if isinstance(i, FoundFile)]
    assert read == ["a\\nb\\x1b[31m\\u202e.md", "t.tar.gz/bon.md"]
    refused = {i.file_name: i.reason for i in items if isinstance(i, Refusal)}
    assert set(refused) == {"caf\\xe9.md", "t.tar.gz/d\\xe9/x.md"}
    assert all("UTF-8" in reason for reason in refused.values())


def test_an_archive_of_too_many_documents_is_refused_at_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as made:
        for number in range(5001):
            made.writestr(f"{number}.md", "x")
    (refusal,) = find_files(tmp_path / "x.zip", frozenset({".md"}))
    assert isinstance(refusal, Refusal)
    assert refusal.file_name == "x.zip"
    assert "5\u00a0000" in refusal.reason
    members = [(f"{number}.md", b"x") for number in range(5003)]
    *read, last = find_files(_tar(tmp_path / "x.tar.gz", members), frozenset({".md"}))
    assert len(read) == 5000
    assert isinstance(last, Refusal)
    assert last.file_name == "5000.md"


def _zip(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, "texte")
    return path


def test_the_count_is_that_of_what_is_found(tmp_path: Path) -> None:
    """A folder of one file and one archive of four said « 4/1 »."""
    folder = tmp_path / "dossier"
    folder.mkdir()
    (folder / "seul.md").write_text("texte")
    (folder / "image.png").write_bytes(b"x")
    _zip(folder / "lot.zip", ["a.md", "b/c.md", "../d.md", "e.zip", "f.jpg", "b/"])
    _zip(folder / "vide.zip", [])
    (folder / "casse.zip").write_bytes(b"PK\x03\x04")
    kinds = frozenset({".md"})
    assert count_files(folder, kinds) == len(list(find_files(folder, kinds))) == 6
    assert count_files(folder / "lot.zip", kinds) == 4
    assert count_files(folder / "seul.md", kinds) == 1
    _tar(folder / "lois.tar.gz", [("a.md", b"a")])
    assert count_files(folder, kinds) == 0  # unknown before it is read
