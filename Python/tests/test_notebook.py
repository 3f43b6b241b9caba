# Fovea - tests: notebooks show pictures.
# SPDX-License-Identifier: Apache-2.0
"""A notebook that runs without a screen shows the picture with its boxes."""

from __future__ import annotations

import base64
import tempfile
import unittest
from typing import Any

import fovea
from support import IMAGE, MODEL, needs


class NotebookTests(unittest.TestCase):
    """What Jupyter shows."""

    @needs("nbconvert", "ipykernel")
    def test_results_are_shown_as_pictures(self) -> None:
        import nbformat
        from nbconvert.preprocessors import ExecutePreprocessor

        notebook: Any = nbformat.v4.new_notebook(cells=[
            nbformat.v4.new_code_cell(f"import fovea\nfovea.Model({MODEL!r})({IMAGE!r})")])
        with tempfile.TemporaryDirectory() as folder:
            ExecutePreprocessor(timeout=120).preprocess(notebook, {"metadata": {"path": folder}})
        shown = notebook.cells[0].outputs[0].data
        self.assertIn("fovea.Results of 480 x 360", shown["text/plain"])
        drawn = fovea.Model(MODEL)(IMAGE).plot()
        picture = fovea.Picture.open(base64.b64decode(shown["image/png"]))
        self.assertEqual(picture.tobytes(), drawn.tobytes())


if __name__ == "__main__":
    unittest.main()
