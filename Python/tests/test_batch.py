# Fovea - tests: rows of many pictures.
# SPDX-License-Identifier: Apache-2.0
"""Rows of many pictures are those of ``fovea detect --jsonl``."""

from __future__ import annotations

import json
import os
import pickle
import tempfile
import unittest
from typing import Any

import fovea
import fovea.batch
from fovea.batch import Detector
from support import IMAGE, MODEL, command, load, needs

numpy: Any = load("numpy")


class BatchTests(unittest.TestCase):
    """Rows, and how workers get a detector."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        broken = os.path.join(self.folder.name, "broken.png")
        with open(IMAGE, "rb") as source, open(broken, "wb") as target:
            self.content = source.read()
            target.write(self.content[:900])
        self.paths = [IMAGE, broken, "/none.png", IMAGE]
        run = command("detect", "--model", MODEL, "--jsonl", "-", *self.paths)
        self.expected = [json.loads(line) for line in run.stdout.splitlines()]
        self.contents = [self.content, self.content[:900], None, self.content]

    def test_rows_are_those_of_the_command(self) -> None:
        detector = Detector(MODEL)
        self.assertEqual([detector.row(path) for path in self.paths], self.expected)
        self.assertEqual(list(detector.rows(zip(self.paths, self.contents))), self.expected)

    def test_workers_open_the_model_themselves(self) -> None:
        detector = Detector(MODEL, confidence=1)
        self.assertEqual(detector.row(IMAGE)["objects"], [])
        content = pickle.dumps(detector)
        self.assertLess(len(content), 1000)
        worker = pickle.loads(content)
        self.assertEqual(worker.row(IMAGE), detector.row(IMAGE))
        self.assertEqual(worker.model.threads, 1)
        os.chdir(self.folder.name)
        relative = pickle.loads(pickle.dumps(Detector(os.path.relpath(MODEL))))
        os.chdir("/")
        self.assertEqual(len(relative.row(IMAGE)["objects"]), 6)

    def test_models_that_cannot_be_opened_fail_the_job(self) -> None:
        with self.assertRaises(fovea.FileError):
            Detector("/none.mlmodel").row(IMAGE)
        with self.assertRaises(TypeError):
            Detector(MODEL, colour="red").row(IMAGE)

    @needs("pyarrow", "numpy")
    def test_ray_gets_a_table(self) -> None:
        import pyarrow

        batch = {"path": numpy.array(self.paths, dtype=object),
                 "bytes": numpy.array(self.contents, dtype=object)}
        table = Detector(MODEL)(batch)
        self.assertEqual(table.schema, fovea.batch.arrow_schema())
        self.check(table.to_pylist())
        self.check(Detector(MODEL)(pyarrow.table(
            {"path": self.paths, "bytes": self.contents})).to_pylist())
        with self.assertRaisesRegex(KeyError, "include_paths"):
            Detector(MODEL)({"bytes": []})

    @needs("pandas")
    def test_spark_gets_frames(self) -> None:
        import pandas

        frame = pandas.DataFrame({"path": self.paths, "content": self.contents})
        frames = list(Detector(MODEL).pandas(iter([frame, frame[:0]])))
        self.assertEqual([len(one) for one in frames], [4, 0])
        rows = frames[0].to_dict("records")
        for row in rows:
            for side in ("width", "height"):
                row[side] = None if pandas.isna(row[side]) else int(row[side])
        self.check(rows)

    def check(self, rows: list[dict[str, Any]]) -> None:
        """Compares rows whose numbers were rounded to 32 bits."""
        self.assertEqual(len(rows), len(self.expected))
        for row, expected in zip(rows, self.expected):
            for name in ("path", "width", "height", "error"):
                self.assertEqual(row[name], expected[name])
            self.assertEqual(len(row["objects"]), len(expected["objects"]))
            for one, other in zip(row["objects"], expected["objects"]):
                self.assertEqual(one["label"], other["label"])
                for name in ("score", "xmin", "ymin", "xmax", "ymax"):
                    self.assertAlmostEqual(one[name], other[name], delta=1e-4)


if __name__ == "__main__":
    unittest.main()
