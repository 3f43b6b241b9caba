# Fovea - writes the table of commands and options that the functions of the package have.
# SPDX-License-Identifier: Apache-2.0
"""Writes ``fovea/_command_table.py`` from what the program says about itself.

    python3 Python/command_table.py PROGRAM

``tests/test_commands.py`` compares the table with the program, so no command and no option is
forgotten.
"""

from __future__ import annotations

import keyword
import os
import re
import subprocess
import sys

# What Python has in another form, and why there is no function.
COVERED = {
    "detect": "Model.detect", "classify": "Model.classify", "run": "Session.run",
    "completion": "for shells", "manual": "for man",
}
# Options that functions use themselves, or have as the argument ``output``.
OWN = {"--json", "--jsonl", "-o", "--output"}
# Placeholders of help, and the names of types in _command_types.py.
TYPES = {
    "": "Switch", "0...1": "Number", "0...45": "Number", "DECIBELS": "Number", "SECONDS": "Number",
    "MS": "Number", "NUMBER": "Number", "N": "Whole", "1...8": "Whole", "BYTES": "Whole", "1|5": "Whole",
    "FILE": "File", "FOLDER": "File", "DIR": "File", "IMAGES": "File", "A,B": "Texts",
    "KINDS": "Texts", "N|R,G,B": "Numbers", "X,Y,W,H": "Numbers", "X,Y,X,Y,X,Y,X,Y": "Numbers",
    "WIDTHxHEIGHT": "Size", "NAME=SIZES": "Sizes", "KEY=TEXT": "Pairs", "[NAME:]X,Y,X,Y": "Places",
    "[NAME:]X,Y,X,Y,X,Y,...": "Places",
}
REPEATED = {"Text": "TextList", "File": "FileList", "Sizes": "Sizes", "Pairs": "Pairs",
            "Places": "Places", "Numbers": "Places"}
# How help describes an option that is an operand of the command, and an argument of the function.
OPERAND = "MODEL, where it is not the first argument"
HEAD = '''# Fovea - the commands of the program, and the types of their options.
# SPDX-License-Identifier: Apache-2.0
"""The commands of the program, and the types of their options.

Python/command_table.py wrote this from what the program says about itself: change nothing here.
"""

from __future__ import annotations

from typing import TypedDict

from ._command_types import (  # noqa: F401
    File, FileList, Number, Numbers, Pairs, Places, Size, Sizes, Switch, Text, TextList, Texts,
    Whole,
)

'''


def said(program: str, *arguments: str) -> str:
    """What the program prints."""
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=True).stdout


def commands(program: str) -> dict[str, dict[str, str]]:
    """For each command its options, and the name of each one's type."""
    script = said(program, "completion", "zsh")
    names = re.findall(r"^    '([a-z]+):", script, re.MULTILINE)
    found: dict[str, dict[str, str]] = {}
    for name in names:
        part = re.search(rf"^    (?:\w+\|)*{name}(?:\|\w+)*\)\n(.*?);;", script, re.M | re.S)
        if part is None:
            raise SystemExit(f"command_table: the completions do not have {name}")
        description = said(program, name, "--help")
        found[name] = {}
        for repeats, option in re.findall(
                rf"^ +('\*')?'(-[\w-]+)\[(?!{OPERAND})", part.group(1), re.MULTILINE):
            line = re.search(
                rf"^  (?:-\w, )?{option}(?:, -[\w-]+)?(?: (\S+))?(?:  |$)", description, re.MULTILINE)
            if line is None:
                raise SystemExit(f"command_table: {name} --help does not have {option}")
            kind = TYPES.get(line.group(1) or "", "Text")
            found[name][option] = REPEATED[kind] if repeats else kind
    return found


def word(option: str) -> str:
    """The keyword for an option."""
    name = option.lstrip("-").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def table(program: str) -> str:
    """The text of the module."""
    text, flags = HEAD, {}
    listed = []
    for name, options in commands(program).items():
        if name in COVERED:
            continue
        title = name.capitalize() + "Options"
        listed.append(f'    "{name}": {title},\n')
        entries = []
        for option, kind in options.items():
            if option not in OWN:
                entries.append(f'"{word(option)}": "{kind}"')
                if option != "--" + word(option).replace("_", "-"):
                    flags[word(option)] = option
        text += f'{title} = TypedDict("{title}", {{\n{filled(entries)}}}, total=False)\n'
    text += "\nCOMMANDS = {\n" + "".join(listed) + "}\n"
    entries = [f'"{name}": "{flag}"' for name, flag in sorted(flags.items())]
    return text + "\n# Options whose keyword is not their name.\nFLAGS = {\n" + filled(entries) + "}\n"


def filled(entries: list[str]) -> str:
    """Entries in lines of at most 100 columns."""
    lines, line = [], "   "
    for entry in entries:
        if len(line) + len(entry) + 2 > 100:
            lines.append(line)
            line = "   "
        line += f" {entry},"
    return "".join(one + "\n" for one in [*lines, line] if one.strip())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fovea/_command_table.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(table(sys.argv[1]))
