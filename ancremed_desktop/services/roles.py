"""Which model helps with what: the user's choice, kept as « ability=model » in the preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.settings.preferences import Preferences

Roles = Mapping[Ability, str]
"""Name of the model chosen for an ability; absent: none."""

_TOGETHER = frozenset({Ability.NARRATE, Ability.WRITE})
"""One reply holds both: they are of one model."""


def chosen_roles(preferences: Preferences) -> Roles:
    """The choice as stored; what cannot be read is no choice."""
    pairs = (entry.partition("=") for entry in preferences.model_roles)
    known = {str(ability): ability for ability in Ability}
    roles: Roles = {}
    for role, _, name in pairs:
        if role in known and name:
            roles = with_roles(roles, name, {known[role], *roles_of(roles, name)})
    return roles


def with_roles(roles: Roles, name: str, abilities: Iterable[Ability]) -> Roles:
    """``name`` for exactly these abilities, in place of whatever had them."""
    wanted = frozenset(abilities)
    kept = {
        ability: other
        for ability, other in roles.items()
        if other != name
        and ability not in wanted
        and not (ability in _TOGETHER and wanted & _TOGETHER)
    }
    return {**kept, **dict.fromkeys(wanted, name)}


def roles_of(roles: Roles, name: str) -> frozenset[Ability]:
    """What a model is on for."""
    return frozenset(ability for ability, other in roles.items() if other == name)


def as_stored(roles: Roles) -> tuple[str, ...]:
    """For ``Preferences.model_roles``."""
    return tuple(f"{ability}={roles[ability]}" for ability in Ability if ability in roles)
