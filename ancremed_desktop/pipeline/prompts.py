"""The prompts of ``resources/prompts``: read whole, checked, filled; source text is fenced data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ancremed_desktop.domain.models import Message, Role
from ancremed_desktop.errors import BugError

PLACEHOLDERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "planner": frozenset({"classes", "sections", "question"}),
        "gap": frozenset({"sections", "question"}),
        "select": frozenset({"question", "section", "sentences"}),
        "write": frozenset({"question", "section", "passages"}),
        "verify": frozenset({"items"}),
    }
)
"""Every prompt there is, with what the code fills it with."""
_FILE = re.compile(
    r"---\nname: (\S+)\nversion: ([1-9]\d*)\nplaceholders: ([a-z_, ]+)\n---\n"
    r"# system\n(.+?)\n# user\n(.+)",
    re.DOTALL,
)
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_TILDES = re.compile(r"~+")
_FENCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt. ``identity``: name, version and digest of its text: a qualification holds for
    these very words.
    """

    name: str
    identity: str
    system: str
    user: str

    @property
    def placeholders(self) -> frozenset[str]:
        """What ``messages`` must be given."""
        return PLACEHOLDERS[self.name]

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The prompt filled, in one pass: a value is never read as a template.

        Raises: BugError, when ``values`` are not exactly its placeholders.
        """
        if set(values) != self.placeholders:
            raise BugError(f"prompt {self.name} filled with {sorted(values)}")
        return tuple(
            Message(role=role, content=_PLACEHOLDER.sub(lambda m: values[m[1]], text))
            for role, text in ((Role.SYSTEM, self.system), (Role.USER, self.user))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """All prompts. ``identity``: changes with any of their words."""

    planner: Prompt
    gap: Prompt
    select: Prompt
    write: Prompt
    verify: Prompt

    @property
    def identity(self) -> str:
        """Versions and digests of all, in order."""
        prompts = (self.planner, self.gap, self.select, self.write, self.verify)
        return " ".join(p.identity for p in prompts)


def load_prompts(folder: Path) -> Prompts:
    """Read and check every prompt.

    Raises:
        BugError: a prompt is absent, its header is wrong, or its placeholders are not those the
            header and the code name.

    """
    return Prompts(**{name: _load(folder / f"{name}.md") for name in PLACEHOLDERS})


def _load(path: Path) -> Prompt:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BugError(f"prompt unreadable: {path}") from error
    match = _FILE.fullmatch(text.rstrip("\n"))
    if match is None or match[1] != path.stem:
        raise BugError(f"prompt without a right header: {path}")
    name, version, listed, system, user = match.groups()
    used = set(_PLACEHOLDER.findall(system + user))
    declared = {word.strip() for word in listed.split(",")}
    if not used == declared == PLACEHOLDERS[name]:
        raise BugError(
            f"prompt {name}: placeholders {sorted(used)}, header {sorted(declared)}, "
            f"code {sorted(PLACEHOLDERS[name])}"
        )
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Prompt(name=name, identity=f"{name}:{version}:{digest}", system=system, user=user)


def fenced(text: str) -> str:
    """A text of others between two lines of tildes, longer than any run of tildes inside it.

    The text itself is not changed: a quote of it must be found word for word.
    """
    longest = max((len(run) for run in _TILDES.findall(text)), default=0)
    fence = "~" * max(_FENCE, longest + 1)
    return f"{fence}\n{text}\n{fence}"
