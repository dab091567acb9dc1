"""What is known of single words when names are looked for: read once from ``resources/lexicons``."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold

# Families whose words are of medicine alone: « petit » or « blanc » may be a surname too.
_TECHNICAL = ("conditions", "signs", "drugs", "organs", "tests")
_LEAST_STEM = 5
# Ends of international names of substances (WHO stem book) and of words of illness. Shorter words
# that end like the last ones are often names (« Ambroise », « Jérôme », « Delarose »).
_STEMS = re.compile(
    r"(?:.{3}(?:cilline|mycine|floxacine|cycline|azole|sartan|statine|dipine|olol|pril|xaban|gliptine|"
    r"gliflozine|glutide|parine|zepam|zolam|caine|triptan|vir|mab|nib|setron|lukast|dronate|thiazide|"
    r"barbital|prost|formine|cortisone|solone|pathi\w+|algi\w+|plegi\w+|ectomi\w+|cytaire|idae|aceae)|"
    r".{5}(?:emie|emique|urie|ite|ose|ome))s?$"
)
# Adverbs, imperfects and plural participles: no surname ends like them.
_INFLECTS = 6
"""Letters of a word whose plural or feminine is looked up by its stem."""
_INFLECTED = re.compile(r"(?:amment|emment|quement|ivement|alement|aient|.{3}ées|.{3}és)$")


@dataclass(frozen=True, slots=True)
class PeopleWords:
    """Folded words, but ``acronyms``: in capitals, as they are written."""

    first_names: frozenset[str]
    ambiguous: frozenset[str]
    function: frozenset[str]
    followers: frozenset[str]
    species: frozenset[str]
    persons: frozenset[str]
    eponyms: frozenset[str]
    acronyms: frozenset[str]
    surnames: frozenset[str]
    medical: frozenset[str]
    stems: tuple[str, ...]
    common: frozenset[str]
    """Words of the language that families of the lexicon hold, whatever they mean."""

    def is_first_name(self, word: str) -> bool:
        """Whether a word, or the first part of a double one (« Jean-Luc »), is a first name."""
        first = fold(word).split("-")[0]
        return first in self.first_names or (word[0].isupper() and first in self.ambiguous)

    def is_common(self, word: str) -> bool:
        """Whether a word of small letters is one of the language, besides a name or not."""
        folded = fold(word)
        forms = {folded}
        if len(folded) >= _INFLECTS:
            forms |= {folded.removesuffix("s"), folded.removesuffix("s").removesuffix("e")}
        return any(forms & words for words in (self.common, self.followers, self.function))

    def is_plain(self, word: str) -> bool:
        """Whether a word of small letters is of the language and no usual name."""
        if self.is_plain_name(word):
            return False
        return self.is_common(word) or bool(_INFLECTED.search(word.lower()))

    def clinical(self, word: str) -> bool:
        """Whether a word is of medicine, listed or by its end, or says who is described."""
        if word in self.acronyms:
            return True
        folded = fold(word)
        if self.is_plain_name(word):
            return False
        known = folded in self.medical or folded in self.persons or folded.startswith(self.stems)
        return known or bool(_STEMS.search(folded))

    def is_plain_name(self, word: str) -> bool:
        """Whether a word is listed as a first name or a surname, whatever else it is."""
        folded = fold(word)
        return any(folded in names for names in (self.surnames, self.first_names, self.ambiguous))


@lru_cache(maxsize=1)
def people_words() -> PeopleWords:
    """The lists, read at the first text to mask."""
    folder = RESOURCES / "lexicons"
    lists = tomllib.loads((folder / "people.toml").read_text("utf-8"))
    own = {name: frozenset(row.split()) for name, row in lists.items() if name != "reason"}
    dictionary = json.loads((folder / "acronyms.json").read_text("utf-8"))
    written = (entry["acronyme"] for entry in dictionary["acronymes"])
    drugs = (entry[key] for entry in dictionary["marques"] for key in ("marque", "dci"))
    files = {path.stem: tuple(_forms(path)) for path in (folder / "families").glob("*.toml")}
    forms = [form for name in _TECHNICAL for form in files[name]]
    neutral = tomllib.loads((folder / "neutral.toml").read_text("utf-8"))["words"]
    words = {fold(drug) for drug in drugs} | set(forms)
    return PeopleWords(
        **{**own, "acronyms": own["acronyms"] | {a for a in written if a.isupper()}},
        medical=frozenset(word for word in words if word.isalpha()),
        stems=tuple(
            f[:-1] for f in forms if f[:-1].isalpha() and len(f) > _LEAST_STEM and f[-1] == "*"
        ),
        common=frozenset(fold(neutral).split()).union(*files.values()),
    )


def _forms(path: Path) -> Iterator[str]:
    for table in tomllib.loads(path.read_text("utf-8")).values():
        for key, row in table.items():
            if key not in {"reason", "plain"}:
                yield from (form.strip() for form in row.partition(">")[0].split(","))
