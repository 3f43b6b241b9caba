# Fovea - what the Python tests share: files, processes, and what is installed.
# SPDX-License-Identifier: Apache-2.0
"""Files, packages and processes that tests need, and how they say that something was skipped.

``FOVEA_EXAMPLE`` is the folder that the program FoveaExample writes. ``FOVEA_COMMAND`` is the command
``fovea``, against which results are compared. ``FOVEA_SHARED_DATA`` has real models and photographs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
import traceback
import unittest
from typing import Any, Callable, Optional, TypeVar

EXAMPLE = os.environ.get("FOVEA_EXAMPLE", "")
COMMAND = os.environ.get("FOVEA_COMMAND", "")
SHARED = os.path.abspath(
    os.environ.get("FOVEA_SHARED_DATA")
    or os.path.join(os.path.dirname(__file__), "../../../shared/data"))
MODEL = os.path.join(EXAMPLE, "shapes.mlmodel")
IMAGE = os.path.join(EXAMPLE, "shapes.png")

Test = TypeVar("Test", bound=Callable[..., Any])


def needs(*modules: str) -> Callable[[Test], Test]:
    """Skips a test where a package is not installed, and says so."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(bool(missing), f"*** SKIPPED: {', '.join(missing)} is not installed")


def thorough() -> Callable[[Test], Test]:
    """Skips a test that takes many seconds of the processor, unless all is tested."""
    return unittest.skipUnless(
        os.environ.get("FOVEA_THOROUGH"), "only by Scripts/test thorough python")


def needs_shared(path: str = "") -> Callable[[Test], Test]:
    """Skips a test where the real models and photographs are absent, and says so."""
    wanted = os.path.join(SHARED, path)
    return unittest.skipUnless(os.path.exists(wanted), f"*** SKIPPED: {wanted} is absent")


def shared(path: str) -> str:
    """A file of the shared data."""
    return os.path.join(SHARED, path)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command ``fovea`` of the build."""
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)


def detected(image: str, *arguments: str) -> dict[str, Any]:
    """What ``fovea detect --json`` says about an image."""
    run = command("detect", "--json", *arguments, image)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    found: dict[str, Any] = json.loads(run.stdout)["images"][0]
    return found


def python(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, **environment}, timeout=300)


def check_in_child(body: Callable[[], bool]) -> None:
    """Calls ``body`` in a child of a fork, where it has to be true within a minute."""
    child = os.fork()
    if child == 0:
        try:
            good = body()
        except BaseException:  # noqa: B036
            traceback.print_exc()
            good = False
        os._exit(0 if good else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        raise AssertionError("the child hangs")
    if status != 0:
        raise AssertionError(f"the child ends with status {status}")


def message_of(text: str) -> str:
    """A line of standard error without the names of program and command."""
    first = text.strip().splitlines()[0] if text.strip() else ""
    return first.split(": ", 1)[-1]


def load(name: str) -> Optional[Any]:
    """A module, or ``None``."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
