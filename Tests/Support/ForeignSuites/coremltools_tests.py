# Fovea - runs coremltools' own tests, whose models Fovea predicts.
# SPDX-License-Identifier: Apache-2.0
"""coremltools_tests.py FOLDER COUNT SEED

Chooses COUNT of the tests of operations, layers and passes, by SEED, and runs them with
`coremltools_shim`: those of single precision, too, which coremltools leaves out. A process runs those of one file; behind a test that ends it, it begins anew.
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys

from verdicts import Verdicts

PLACES = [
    "converters/mil/mil/ops/tests", "converters/mil/mil/passes/tests", "converters/mil/mil/tests",
    "converters/mil/backend", "converters/mil/frontend/milproto",
    "converters/mil/test_inputs_outputs_shape.py",
    "test/neural_network", "test/ml_program", "test/pipeline", "test/modelpackage",
    "test/optimize/coreml", "test/api",
]
SECONDS_OF_A_FILE = 1200


def package():
    import importlib.util
    return pathlib.Path(importlib.util.find_spec("coremltools").origin).parent


def run(folder, paths, record, tests=None):
    """Runs tests in a process, or lists them. Gives the lines of its record, and its last words."""
    record.unlink(missing_ok=True)
    record.touch()
    environment = dict(
        os.environ, FOREIGN_RECORD=str(record), INCLUDE_MIL_FP32_UNIT_TESTS="1",
        RUN_BACKWARD_COMPATIBILITY="1",
        PYTHONPATH=os.pathsep.join(
            [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]))
    options = ["--collect-only"]
    if tests is not None:
        listed = folder / "tests.txt"
        listed.write_text("\n".join(tests))
        environment["FOREIGN_TESTS"] = str(listed)
        options.clear()
    command = [
        sys.executable, "-W", "ignore", "-m", "pytest", "-q",
        "-p", "coremltools_shim", "-p", "no:cacheprovider", "--continue-on-collection-errors",
        "--rootdir", str(package().parent), *options, *map(str, paths)]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, cwd=folder,
            timeout=SECONDS_OF_A_FILE)
        words = done.stdout[-3000:] + done.stderr[-3000:]
    except subprocess.TimeoutExpired:
        words = "it did not end in time"
    return [json.loads(line) for line in record.read_text().splitlines()], words


def status(line):
    """The verdict on a test that ended."""
    refusals = line["refusals"]
    if line["outcome"] == "passed":
        if line["predictions"]:
            return "pass", ""
        return ("refused", refusals[-1]) if refusals else ("else", "it predicts nothing")
    if line["outcome"] == "skipped":
        return "else", line["words"]
    if refusals:
        return "refused", refusals[-1]
    # coremltools numbers names, and other tests of a process have taken the number that is expected.
    if re.fullmatch(r"KeyError: '\w+_\d+'", line["words"]):
        return "else", "its model has other names than it expects"
    return ("wrong" if line["predictions"] else "else"), line["words"]


def operation(test):
    """What a test is of: its class, or its file."""
    parts = test.split("::")
    return parts[1] if len(parts) > 2 else pathlib.Path(parts[0]).stem


def main():
    folder, count, seed = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    record = folder / "record.jsonl"
    found, words = run(folder, [package() / place for place in PLACES], record)
    tests = [line["found"] for line in found]
    if not tests:
        raise SystemExit(f"no tests were found: {words}")
    chosen = random.Random(seed).sample(sorted(tests), min(count, len(tests)))
    verdicts = Verdicts(f"{len(chosen)} of {len(tests)} tests of coremltools, seed {seed}")
    files = {}
    for test in sorted(chosen):
        files.setdefault(test.split("::")[0], []).append(test)
    for file, left in files.items():
        while left:
            lines, words = run(folder, [package().parent / file], record, left)
            done = {line["ends"]: line for line in lines if "ends" in line}
            for test, line in done.items():
                verdicts.add(operation(test), test, *status(line))
            begun = {line["begins"] for line in lines if "begins" in line}
            for test in begun - set(done):
                verdicts.add(operation(test), test, "crash", words)
            if not begun:
                for test in left:
                    verdicts.add(operation(test), test, "else", words)
                break
            left = [test for test in left if test not in begun]
    return verdicts.finish(folder / "coremltools.jsonl")


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
