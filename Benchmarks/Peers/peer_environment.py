# Fovea - where the programs of this folder find their packages, and what their figures belong to.
# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: environment, Fovea's program, the machine."""
import datetime
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
OWN_PROGRAM = HERE.parent.parent / ".build/release/fovea-bench"


def add_cache_option(parser):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    parser.add_argument("--cache", type=pathlib.Path, default=cache / "fovea-peers",
                        metavar="DIR", help="environment and models (default %(default)s)")


def add_environment_options(parser):
    add_cache_option(parser)
    parser.add_argument("--python", metavar="FILE",
                        help="an interpreter that has the packages, instead of the environment")


def enter_environment(given, only=None, file="requirements.txt"):
    """Go on in an interpreter that has the packages of a file, or `only` some of them."""
    if os.environ.get("FOVEA_PEERS") == "1":
        return
    if not given.python:
        wanted = requirements(only, file)
        key = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:12]
        folder = given.cache / f"environment-{key}"
        if not (folder / "complete").exists():
            print(f"making {folder}", file=sys.stderr)
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            # The list is complete, so nothing else is fetched: pnnx would ask for torch, of which
            # it needs nothing to read ONNX.
            subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet",
                            "--disable-pip-version-check", "--no-deps", *wanted], check=True)
            (folder / "complete").touch()
        given.python = str(folder / "bin/python")
    os.environ["FOVEA_PEERS"] = "1"
    os.execv(given.python, [given.python, *sys.argv])


def requirements(only=None, file="requirements.txt"):
    """The lines of a file of packages, or those of `only` some packages."""
    lines = [line.strip() for line in (HERE / file).read_text().splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return [line for line in lines if only is None or re.split("==", line)[0] in only]


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def own_program():
    """Fovea's benchmark program, or None and a word about it."""
    if OWN_PROGRAM.exists():
        return OWN_PROGRAM
    print("SKIPPED fovea: build it with `swift build -c release --product fovea-bench`",
          file=sys.stderr)
    return None


def progress(text):
    """Show a line until the next one; what was skipped stays."""
    is_news = bool(text) and text.startswith("SKIPPED")
    if sys.stderr.isatty():
        print("\r\x1b[K" + (text or ""), end="\n" if is_news else "", file=sys.stderr, flush=True)
    elif is_news:
        print(text, file=sys.stderr)


def machine(packages):
    """What the figures belong to."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        name = platform.processor()
    return {"cpu": name, "cores": os.cpu_count(), "system": platform.platform(),
            "packages": {p: importlib.metadata.version(p) for p in packages},
            "load": os.getloadavg(),
            "time": datetime.datetime.now().astimezone().isoformat(timespec="seconds")}
