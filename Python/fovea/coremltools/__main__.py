# Fovea - runs a script that uses coremltools.
# SPDX-License-Identifier: Apache-2.0
"""``python -m fovea.coremltools SCRIPT.py [ARGUMENT...]``, or ``-m MODULE [ARGUMENT...]``."""

from __future__ import annotations

import os
import runpy
import sys


def main() -> None:
    """Runs the script of the command line as the main program."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print("usage: python -m fovea.coremltools SCRIPT.py [ARGUMENT...] | -m MODULE [ARGUMENT...]")
        sys.exit(0 if arguments and arguments != ["-m"] else 2)
    import fovea.coremltools  # noqa: F401

    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


main()
