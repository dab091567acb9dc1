"""Archives of documents: what is unpacked, what is refused, nothing written elsewhere."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from ancremed_desktop.corpus.archive import FoundFile, find_files
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


def test_a_truncated_tar_is_named(tmp_path: Path) -> None:
    archive = _tar(tmp_path / "x.tgz", [("a.md", bytes(range(256)) * 4000)])
    archive.write_bytes(archive.read_bytes()[:400])
    items = list(find_files(archive, frozenset({".md"})))
    assert isinstance(items[-1], Refusal)
    assert items[-1].file_name == "x.tgz"
