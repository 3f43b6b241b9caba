# Fovea - tests of a server that answers programs.
# SPDX-License-Identifier: Apache-2.0
"""Tests of a server that answers programs."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
import urllib.error
import urllib.request
from typing import Any

import fovea
from support import IMAGE, MODEL


class ServingTests(unittest.TestCase):
    """A server that is asked over the loopback address."""

    def ask(self, address: str, data: bytes | None = None, **headers: str) -> Any:
        with urllib.request.urlopen(
                urllib.request.Request(address, data, headers), timeout=60) as answer:
            return json.load(answer)

    def test_objects_are_those_of_the_model(self) -> None:
        with open(IMAGE, "rb") as file:
            picture = file.read()
        wanted = fovea.Model(MODEL)(IMAGE, confidence=0.4)
        with fovea.serve({"own": MODEL}, listen="0", token="open-sesame") as server:
            self.assertIn("runs", repr(server))
            self.assertFalse(server.wait(0))
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.ask(server.address + "/v2")
            self.assertEqual(refused.exception.code, 401)
            refused.exception.close()
            found = self.ask(
                server.address + "/v1/vision/custom/own", picture,
                Authorization="Bearer open-sesame", **{"Content-Type": "image/png"})
        self.assertEqual(
            [one["label"] for one in found["predictions"]], [one.label for one in wanted])
        self.assertGreater(len(wanted), 0)
        self.assertTrue(server.wait(0))
        self.assertIn("has ended", repr(server))

    def test_what_cannot_be_served(self) -> None:
        with self.assertRaises(fovea.ArgumentError):
            fovea.serve(MODEL, listen="no address")
        with self.assertRaises(fovea.ArgumentError):
            fovea.serve("a\0")
        with self.assertRaises(fovea.Error):
            fovea.serve(os.path.join(tempfile.gettempdir(), "none.onnx"), listen="0")
        with self.assertRaises(fovea.OptionError):
            fovea.serve(lisden="0")  # type: ignore[call-arg]


if __name__ == "__main__":
    unittest.main()
