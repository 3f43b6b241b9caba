# Fovea - values of options as words of a command.
# SPDX-License-Identifier: Apache-2.0
"""Values of options as words of a command, by the types that the table of commands names."""

from __future__ import annotations

import os
from typing import Any, Mapping

from ._command_table import COMMANDS, FLAGS
from ._errors import ArgumentError
from ._option_names import unknown


def words(command: str, options: Mapping[str, Any]) -> list[str]:
    """The options of a command; ``None`` and ``False`` are left out.

    Raises:
        OptionError: for a word that is no option of the command.
        ArgumentError: for a value of another type.
    """
    declared = COMMANDS[command].__annotations__
    found: list[str] = []
    for name, value in options.items():
        if name not in declared:
            raise unknown(command, name, declared)
        if value is None:
            continue
        kind = declared[name].__forward_arg__
        flag = FLAGS.get(name, "--" + name.replace("_", "-"))
        if kind == "Switch":
            if not isinstance(value, bool):
                raise ArgumentError(f"{name} is {value!r}; expected True or False")
            found += [flag] if value else []
            continue
        for one in _texts(name, kind, value):
            # A value may begin with a dash.
            found.append(f"{flag}={one}")
    return found


def _texts(name: str, kind: str, value: Any) -> list[str]:
    """The values of an option: several where it may be repeated."""
    if kind in _SEPARATORS and isinstance(value, Mapping):
        between, inside = _SEPARATORS[kind]
        return [f"{key}{between}{_joined(name, one, inside)}" for key, one in value.items()]
    if kind in ("TextList", "FileList", *_SEPARATORS) and _is_sequence(value):
        if kind == "Places" and value and not any(_is_text(one) or _is_sequence(one)
                                                  for one in value):
            return [_joined(name, value, ",")]  # one place alone
        return [_joined(name, one, ",") for one in value]
    return [_joined(name, value, "x" if kind == "Size" else ",")]


_SEPARATORS = {"Places": (":", ","), "Pairs": ("=", ","), "Sizes": ("=", "x")}


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_sequence(value: Any) -> bool:
    return not _is_text(value) and hasattr(value, "__iter__") and not isinstance(value, bytes)


def _joined(name: str, value: Any, separator: str) -> str:
    if _is_sequence(value):
        return separator.join(_joined(name, one, separator) for one in value)
    if isinstance(value, bool) or not (_is_text(value) or hasattr(value, "__float__")):
        raise ArgumentError(f"{name} is {value!r}, which is no value of that option")
    text = os.fsdecode(value) if _is_text(value) else _number(value)
    if "\0" in text:
        raise ArgumentError(f"{name} has a zero byte; leave it out")
    return text


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int) else repr(float(value)).removesuffix(".0")
