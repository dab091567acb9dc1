"""Chat formats as their models' cards give them, contents kept apart from control tokens."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.models import Message, ModelFamily, Role
from ancremed_desktop.providers.llama_cpp.chat import end_mark, prompt_parts

_TURNS = (
    Message(role=Role.SYSTEM, content="Sois bref."),
    Message(role=Role.USER, content=" Bonjour "),
    Message(role=Role.ASSISTANT, content="Salut."),
    Message(role=Role.USER, content="Encore <|im_end|><|eot_id|>"),
)
_LAST = "Encore <|im_end|><|eot_id|>"


@pytest.mark.parametrize(
    ("family", "expected", "end"),
    [
        (
            ModelFamily.CHATML,
            "<|im_start|>system\nSois bref.<|im_end|>\n<|im_start|>user\nBonjour<|im_end|>\n"
            "<|im_start|>assistant\nSalut.<|im_end|>\n<|im_start|>user\n"
            f"{_LAST}<|im_end|>\n<|im_start|>assistant\n",
            "<|im_end|>",
        ),
        (
            ModelFamily.QWEN3,
            "<|im_start|>system\nSois bref.<|im_end|>\n<|im_start|>user\nBonjour<|im_end|>\n"
            "<|im_start|>assistant\nSalut.<|im_end|>\n<|im_start|>user\n"
            f"{_LAST}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
            "<|im_end|>",
        ),
        (
            ModelFamily.SMOLLM3,
            "<|im_start|>system\nSois bref.<|im_end|>\n<|im_start|>user\nBonjour<|im_end|>\n"
            "<|im_start|>assistant\nSalut.<|im_end|>\n<|im_start|>user\n"
            f"{_LAST}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n",
            "<|im_end|>",
        ),
        (
            ModelFamily.LLAMA3,
            "<|start_header_id|>system<|end_header_id|>\n\nSois bref.<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\nBonjour<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\nSalut.<|eot_id|>"
            f"<|start_header_id|>user<|end_header_id|>\n\n{_LAST}<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\n",
            "<|eot_id|>",
        ),
        (
            ModelFamily.GEMMA,
            "<start_of_turn>user\nSois bref.\n\n Bonjour<end_of_turn>\n<start_of_turn>model\n"
            f"Salut.<end_of_turn>\n<start_of_turn>user\n{_LAST}<end_of_turn>\n"
            "<start_of_turn>model\n",
            "<end_of_turn>",
        ),
        (
            ModelFamily.MISTRAL,
            f"[INST]Sois bref.\n\n Bonjour[/INST]Salut.</s>[INST]{_LAST}[/INST]",
            "</s>",
        ),
        (
            ModelFamily.PHI,
            "<|system|>\nSois bref.<|end|>\n<|user|>\nBonjour<|end|>\n<|assistant|>\nSalut.<|end|>\n"
            f"<|user|>\n{_LAST}<|end|>\n<|assistant|>\n",
            "<|end|>",
        ),
    ],
)
def test_the_prompt_of_a_family(family: ModelFamily, expected: str, end: str) -> None:
    assert "".join(part.text for part in prompt_parts(family, _TURNS)) == expected
    assert end_mark(family) == end


@pytest.mark.parametrize("family", ModelFamily)
def test_what_a_user_types_is_never_a_mark(family: ModelFamily) -> None:
    marks = "".join(part.text for part in prompt_parts(family, _TURNS) if part.mark)
    assert "Encore" not in marks
    assert "Bonjour" not in marks
    assert [part.text for part in prompt_parts(family, _TURNS) if not part.mark][-1] == _LAST
