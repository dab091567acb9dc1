"""Sentences on what a drug contains: therapeutic fractions told apart from the weighed salt.

A line of nature SA gives the substance as it is weighed (often a salt or hydrate), a line FT
the therapeutic fraction; the link number pairs them. Which of the two the strength in the
drug's name stands for differs between drugs (amlodipine: the fraction; metformine: the salt),
so it is said only where the numbers tell.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.corpus.bdpm.catalogue import Entry
from ancremed_desktop.corpus.bdpm.french import (
    COLON,
    SEMICOLON,
    as_subject,
    enumeration,
    inline,
    of,
    sentence,
)
from ancremed_desktop.corpus.bdpm.parts import Part
from ancremed_desktop.corpus.bdpm.rows import Component, Drug
from ancremed_desktop.corpus.bdpm.values import strengths
from ancremed_desktop.text.drug_names import is_homeopathic, is_salt, substance_words
from ancremed_desktop.text.normalise import fold

_FORM = re.compile(
    r"comprime|gelule|pommade|creme|film|suppositoire|ovule|collyre|sirop|granules|pansement|"
    r"capsule|pastille|gomme|lotion|shampo|vernis|dentifrice|eponge|implant"
)
_LISTED = 8
"""Substances named in one sentence; more would be no sentence anybody quotes."""


def composition(entry: Entry) -> Part | None:
    """Composition of a drug, ``None`` when the base gives none."""
    if not entry.components:
        return None
    name = inline(entry.drug.name)
    sentences = _sentences(name, entry)
    salt = _salt_warning(name, entry)
    if salt:
        sentences.append(salt)
    return Part(slug="composition", heading="Composition", sentences=tuple(sentences))


_Substance = tuple[Component, ...]
"""Lines of one substance: alone, or its weighed forms and therapeutic fractions."""


def substances_of(components: list[Component]) -> list[_Substance]:
    """Lines paired by element and link number, in the order of the file."""
    groups: dict[tuple[str, str], list[Component]] = {}
    for number, component in enumerate(components):
        link = component.link or f"ligne {number}"
        groups.setdefault((component.element, link), []).append(component)
    found: list[_Substance] = []
    for lines in groups.values():
        if any(not line.active for line in lines):
            found.append(tuple(lines))
        else:
            # Without a fraction a shared number pairs nothing: each line is a substance.
            found.extend((line,) for line in lines)
    return found


def _sentences(name: str, entry: Entry) -> list[str]:
    """One sentence per content; the elements (« granules », « pommade ») that share it together."""
    contents: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (element, reference), group in _by_portion(entry).items():
        described = tuple(_described(substance) for substance in group)
        contents.setdefault((reference, described), []).append(element)
    several = len({component.element for component in entry.components}) > 1
    verb = "contenait" if entry.retired else "contient"
    found: list[str] = []
    for (reference, described), elements in contents.items():
        where = _where(elements) if several else ""
        amount = f", pour {reference}" if reference else ""
        lead = f"{as_subject(name)} {verb}{where}{amount}{COLON}"
        found.extend(
            sentence(lead + SEMICOLON.join(described[start : start + _LISTED]))
            for start in range(0, len(described), _LISTED)
        )
    return found


def _where(elements: list[str]) -> str:
    named = [f"«\u00a0{inline(element)}\u00a0»" for element in elements if element]
    if not named:
        return ""
    label = "dans l’élément" if len(named) == 1 else "dans les éléments"
    return f" {label} {enumeration(named)}"


def _by_portion(entry: Entry) -> dict[tuple[str, str], list[_Substance]]:
    """Substances of the same element and reference (« un comprimé ») together."""
    groups: dict[tuple[str, str], list[_Substance]] = {}
    for substance in substances_of(entry.components):
        reference = next((line.reference for line in substance if line.reference), "")
        if not _fits(reference, substance[0], entry.drug):
            reference = ""
        reference = inline(reference.removeprefix("pour ").strip())
        groups.setdefault((substance[0].element, reference), []).append(substance)
    return groups


def _fits(reference: str, component: Component, drug: Drug) -> bool:
    """Whether the form a reference names is one of the drug.

    The files hold references of another drug (« granules, pour un comprimé », a cell therapy
    « pour 1 g de pommade rectale »): a quantity is better without reference than with that one.
    """
    named = _forms(reference)
    if not named:
        return True
    if named & _forms(component.element):
        return True
    if is_homeopathic(component.substance):
        return False
    return bool(named & (_forms(drug.form) | _forms(drug.name)))


@lru_cache(maxsize=16384)
def _forms(text: str) -> frozenset[str]:
    return frozenset(_FORM.findall(fold(text)))


def _amount(component: Component) -> str:
    words = substance_words(inline(component.substance))
    return f"{words} {inline(component.dosage)}" if component.dosage else words


def _described(substance: _Substance) -> str:
    fractions = [line for line in substance if not line.active]
    weighed = [line for line in substance if line.active]
    if not fractions:
        line = weighed[0]
        salt = is_salt(line.substance) and line.dosage
        return _amount(line) + (" (quantité exprimée en sel)" if salt else "")
    text = f"{enumeration([_amount(line) for line in fractions])} (fraction thérapeutique)"
    if not weighed:
        return text
    forms = enumeration([_amount(line) for line in weighed])
    weight = f" ({_weight_label(weighed)})" if any(line.dosage for line in weighed) else ""
    return f"{text}, sous forme {of(forms)}{weight}"


def _weight_label(weighed: list[Component]) -> str:
    if all(is_salt(line.substance) for line in weighed):
        return "poids du sel"
    return "poids de la forme chimique entière"


def _salt_warning(name: str, entry: Entry) -> str:
    """Which of salt and fraction the strength in the name stands for, where the numbers tell."""
    pairs = [
        substance
        for substance in substances_of(entry.components)
        if len(substance) > 1 and any(line.active and line.dosage for line in substance)
    ]
    if len(pairs) != 1 or len(pairs[0]) != 2:
        return ""
    fraction, weighed = sorted(pairs[0], key=lambda line: line.active)
    of_name = strengths(entry.drug.name)
    of_fraction, of_weighed = strengths(fraction.dosage), strengths(weighed.dosage)
    if len(of_name) != 1 or len(of_fraction) != 1 or len(of_weighed) != 1:
        return ""
    if of_fraction[0][1:] == of_weighed[0][1:]:
        return ""
    for line, found, kind in (
        (fraction, of_fraction, "de la fraction thérapeutique"),
        (weighed, of_weighed, "de la forme entière"),
    ):
        if of_name[0][1:] == found[0][1:]:
            other = weighed if line is fraction else fraction
            return sentence(
                f"Le dosage inscrit dans le nom {of(name)} ({of_name[0][0]}) est celui {kind}, "
                f"{substance_words(line.substance)}, et non celui {of(_amount(other))}"
            )
    return ""
