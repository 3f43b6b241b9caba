# Fovea - tests: the examples of the documentation strings.
# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation strings run, on the files of FoveaExample."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import unittest

import fovea
from support import EXAMPLE


class ExampleTests(unittest.TestCase):
    """Examples of all modules."""

    def test_examples_say_what_is_printed(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(EXAMPLE)
        count = 0
        for module in pkgutil.iter_modules(fovea.__path__, "fovea."):
            # Only those that need no other package.
            if module.name in ("fovea.coremltools", "fovea._ndarray", "fovea.__main__"):
                continue
            failed, tried = doctest.testmod(
                importlib.import_module(module.name), verbose=False)
            self.assertEqual(failed, 0, module.name)
            count += tried
        self.assertGreater(count, 20)


if __name__ == "__main__":
    unittest.main()
