"""No file reaches native code before its header has been found possible."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from fakes.gguf_files import BROKEN, VALUES, gguf

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.providers.llama_cpp.gguf import read_header

_HOSTILE_TEMPLATE = "{% for a in range(10**9) %}{{ ''.__class__.__mro__ }}{% endfor %}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "modèle.gguf"


def test_a_right_file_is_described(file: Path) -> None:
    file.write_bytes(gguf())
    header = read_header(file)
    assert (header.architecture, header.name, header.licence) == ("llama", "Petit essai", "mit")
    assert (header.context_tokens, header.layers, header.kv_width) == (2048, 2, 32)
    # Keys and values: 2 layers of 32 elements, 2 bytes each, twice.
    assert header.memory_bytes(2048) - header.memory_bytes(1024) == 1024 * 2 * 32 * 2 * 2


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_in_french_and_without_its_sizes_being_believed(
    file: Path, name: str
) -> None:
    file.write_bytes(BROKEN[name])
    tracemalloc.start()
    with pytest.raises(BadFileError) as caught:
        read_header(file)
    _current, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20
    said = str(caught.value)
    assert said.startswith("« modèle.gguf » ne peut pas servir de modèle : ")
    assert said.endswith(".")


def test_there_are_fifty_of_them() -> None:
    assert len(BROKEN) >= 50


def test_every_truncation_is_refused(file: Path) -> None:
    whole = gguf()
    for length in range(0, len(whole), 7):
        file.write_bytes(whole[:length])
        with pytest.raises(BadFileError, match=r"incomplet|vide"):
            read_header(file)


def test_every_flipped_byte_of_the_header_is_read_without_harm(file: Path) -> None:
    whole = gguf()
    refused = 0
    for place in range(0, len(whole) - 1024, 2):
        for mask in (0x01, 0x80):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ mask]) + whole[place + 1 :])
            try:
                read_header(file)
            except BadFileError:
                refused += 1
    assert refused > len(whole) // 4


def test_a_hostile_template_is_skipped_like_any_text(file: Path) -> None:
    file.write_bytes(gguf({**VALUES, "tokenizer.chat_template": _HOSTILE_TEMPLATE}))
    assert read_header(file).architecture == "llama"


def test_a_missing_file_and_a_folder_are_said(file: Path) -> None:
    with pytest.raises(BadFileError, match="introuvable"):
        read_header(file)
    file.mkdir()
    with pytest.raises(BadFileError, match=r"est un dossier"):
        read_header(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_is_refused_without_being_waited_for(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(BadFileError, match="fichier ordinaire"):
        read_header(file)
