# Fovea - running the program that lies beside the library.
# SPDX-License-Identifier: Apache-2.0
"""Running the program that lies beside the library."""

from __future__ import annotations

import subprocess
from typing import Mapping, NoReturn, Optional, Sequence

from ._command_words import words
from ._errors import ArgumentError, CommandError, Error, FileError, failure
from ._library import PROGRAM


def output_of(
    command: str, operands: Sequence[str], options: Mapping[str, object], *own: str
) -> str:
    """What a command prints. What it says on standard error goes to the logger "fovea".

    Args:
        own: Further words, which are no options of the function.

    Raises:
        Error: with the words of the program.
    """
    for operand in operands:
        if "\0" in operand:
            raise ArgumentError(f"{command}: a path has a zero byte; leave it out")
    arguments = [PROGRAM, command, *own, *words(command, options), "--", *operands]
    try:
        run = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise FileError(
            f"{PROGRAM}: the program cannot be started: {error.strerror}; install the wheel again"
        ) from error
    said = run.stderr.decode("utf-8", "replace").strip()
    if run.returncode != 0:
        fail(command, run.returncode, said)
    if said:
        import logging

        for line in said.splitlines():
            level = logging.INFO if line.startswith("wrote ") else logging.WARNING
            logging.getLogger("fovea").log(level, "%s", line)
    return run.stdout.decode("utf-8", "replace")


def fail(command: str, code: int, said: str) -> NoReturn:
    """Raises what a program means that ended with `code` and said so."""
    line = said.splitlines()[0] if said else ""
    message = line.removeprefix(f"fovea {command}: ").removeprefix("fovea: ")
    if code == 2:
        raise ArgumentError(message)
    if code < 0:
        raise CommandError(f"{command}: the program was ended by signal {-code}")
    raise reason(message or f"{command}: the program ended with {code}")


def reason(message: str) -> Error:
    """The exception for what the program says: a missing file, or that the work failed."""
    found: Optional[Error] = failure(FileError, message)
    return found if isinstance(found, FileNotFoundError) else CommandError(message)
