# Fovea - names of options: those that people know from elsewhere, and those that are misspelt.
# SPDX-License-Identifier: Apache-2.0
"""Names of options: those that people know from elsewhere, and those that are misspelt."""

from __future__ import annotations

from typing import Any, Mapping

from ._errors import OptionError

ALIASES = {
    "conf": "confidence", "classes": "only", "max_det": "max_objects",
    "agnostic_nms": "class_agnostic",
}
"""Names that people know from elsewhere, and the names here."""

_ELSEWHERE = {
    "imgsz": "say size=(width, height) where the model is opened",
    "half": "say backend=\"float\" or \"int8\" where the model is opened",
    "device": "models run on the CPU; say threads= where the model is opened",
    "stream": "call model.stream(source)",
    "save": "call results.save(path)",
    "show": "call results.show()",
    "persist": "call model.track(source)",
}


def checked(function: str, options: Mapping[str, Any], declared: Any) -> dict[str, Any]:
    """The options by their own names.

    Raises:
        OptionError: for a name that is no option, and for two names of one.
    """
    names = declared.__annotations__
    chosen: dict[str, Any] = {}
    for name, value in options.items():
        own = ALIASES.get(name, name)
        if own not in names:
            own = name
        if own not in names:
            raise unknown(function, name, names)
        if own != name and own in options:
            raise OptionError(f"{function}() was given {name} and {own}, which are one option")
        chosen[own] = value
    return chosen


def unknown(function: str, name: str, names: Any) -> OptionError:
    """The error for a name that is no option."""
    hint = _ELSEWHERE.get(name)
    if hint is None:
        from difflib import get_close_matches

        near = get_close_matches(name, list(names), 1, 0.6)
        hint = f"did you mean '{near[0]}'?" if near else f"it takes {', '.join(sorted(names))}"
    return OptionError(f"{function}() got an unexpected keyword argument '{name}'; {hint}")
