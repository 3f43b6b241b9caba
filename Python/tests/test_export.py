# Fovea - tests: checkpoints of PyTorch as ONNX files.
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of PyTorch as ONNX files, by the exporter that the user has installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

from support import needs, python


class ExportTests(unittest.TestCase):
    """``python -m fovea export``."""

    def export(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "fovea", "export", *arguments], capture_output=True, text=True,
            check=False)

    def test_words_are_checked(self) -> None:
        for arguments, code, words in (
            ((), 2, "usage:"), (("a.onnx",), 2, "is no checkpoint"), (("a.pt", "--x"), 2, "--x"),
            (("a.pt", "--size", "7x"), 2, "--size is '7x'"),
            (("/none/a.pt",), 1, "there is no such file"),
        ):
            run = self.export(*arguments)
            self.assertEqual((run.returncode, run.stdout), (code, ""))
            self.assertIn(words, run.stderr)

    def test_exporter_that_is_missing_is_named(self) -> None:
        run = python(
            "import sys; sys.modules['ultralytics'] = None; import fovea\n"
            "try: fovea.export('a.pt')\n"
            "except ImportError as error: print(error)")
        self.assertIn("pip install ultralytics onnx", run.stdout)

    @needs("ultralytics", "onnx")
    def test_checkpoints_are_exported(self) -> None:
        from ultralytics import YOLO

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "yolo11n.pt")
            YOLO("yolo11n.yaml").save(path)
            run = self.export(path, "--size", "160")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("yolo11n.onnx: 80 classes, 160x160", run.stdout)


if __name__ == "__main__":
    unittest.main()
