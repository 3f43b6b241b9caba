# Fovea - tests: models, results and arrays go to other processes.
# SPDX-License-Identifier: Apache-2.0
"""Models, results and arrays can be pickled, and go to other processes."""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
import unittest
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import fovea
from support import IMAGE, MODEL, load, needs

numpy: Any = load("numpy")


def crossed(value: Any) -> Any:
    """A value, pickled and opened again."""
    return pickle.loads(pickle.dumps(value))


class PickleTests(unittest.TestCase):
    """What a pickle holds."""

    def test_models_are_opened_again(self) -> None:
        os.chdir(os.path.dirname(MODEL))
        self.addCleanup(os.chdir, os.getcwd())
        model = fovea.Model(os.path.basename(MODEL), backend="reference", threads=2)
        content = pickle.dumps(model)
        self.assertLess(len(content), 1000)
        os.chdir("/")
        again = pickle.loads(content)
        self.assertEqual((again.backend, again.threads), ("reference", 2))
        self.assertEqual(len(again(IMAGE)), 6)
        self.assertIs(type(crossed(fovea.Session(MODEL)).model), type(fovea.Session(MODEL).model))
        self.assertTrue(crossed(fovea.Model()).is_inside)
        with open(MODEL, "rb") as file, self.assertRaisesRegex(fovea.ArgumentError, "its path"):
            pickle.dumps(fovea.Model(file.read()))

    def test_results_and_pictures(self) -> None:
        results = fovea.Model(MODEL)(IMAGE)
        again = crossed(results)
        self.assertEqual((list(again), again.json()), (list(results), results.json()))
        self.assertEqual(again.plot().tobytes(), results.plot().tobytes())
        picture = fovea.Picture.open(IMAGE)
        self.assertEqual(crossed(picture).tobytes(), picture.tobytes())

    def test_results_of_videos_leave_the_picture(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(IMAGE, f"{folder}/0.png")
            found = next(fovea.Model(MODEL).track(f"{folder}/%d.png"))
        again = crossed(found)
        self.assertEqual((again.tracks, again.frame), (found.tracks, found.frame))
        with self.assertRaisesRegex(fovea.ClosedError, "stayed in the process"):
            again.plot()
        self.assertIsNone(again._repr_png_())

    @needs("numpy")
    def test_arrays(self) -> None:
        boxes = fovea.Model(MODEL)(IMAGE).boxes
        again = crossed(boxes.xyxy)
        self.assertIs(type(again), type(boxes.xyxy))
        numpy.testing.assert_array_equal(again, boxes.xyxy)
        self.assertEqual(type(again).__module__, "fovea._ndarray")
        self.assertEqual([int(one.cls) for one in crossed(boxes)], boxes.cls.int().tolist())
        self.assertAlmostEqual(float(boxes[0].conf), boxes.conf[0])

    def test_other_processes_find_the_same(self) -> None:
        model = fovea.Model(MODEL, threads=1)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found, = pool.map(model, [IMAGE])
        self.assertEqual(list(found), list(model(IMAGE)))


if __name__ == "__main__":
    unittest.main()
