# Fovea - tests: what a picture, several pictures or a video may be.
# SPDX-License-Identifier: Apache-2.0
"""Folders, patterns, addresses, open files and iterables as sources."""

from __future__ import annotations

import http.server
import io
import os
import pathlib
import shutil
import tempfile
import threading
import time
import types
import unittest
from typing import Any

import fovea
from fovea import _fetching
from support import IMAGE, MODEL, needs


class Server(http.server.BaseHTTPRequestHandler):
    """Answers with pictures and with all that can go wrong."""

    def do_GET(self) -> None:
        with open(IMAGE, "rb") as file:
            content = file.read()
        if self.path == "/moved.png":
            self.send_response(302)
            self.send_header("Location", "/shapes.png")
            self.end_headers()
            return
        if self.path == "/none.png":
            self.send_error(404)
            return
        self.send_response(200)
        kind = "multipart/x-mixed-replace" if self.path == "/live" else "image/png"
        self.send_header("Content-Type", kind)
        if self.path == "/cut.png":
            self.send_header("Content-Length", str(len(content) + 9))
        self.end_headers()
        try:
            self.wfile.write(content)
            while self.path == "/slow.png":
                time.sleep(0.05)
                self.wfile.write(b"x")
        except OSError:
            pass

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


class SourceTests(unittest.TestCase):
    """One picture and several."""

    model: fovea.Model

    @classmethod
    def setUpClass(cls) -> None:
        cls.model = fovea.Model(MODEL)
        cls.expected = list(cls.model(IMAGE))

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("b.png", "a.PNG", "notes.txt"):
            shutil.copy(IMAGE, os.path.join(self.folder, name))

    def test_folders_and_patterns_are_lists(self) -> None:
        for source in (self.folder, pathlib.Path(self.folder), f"{self.folder}/*.[pP]*"):
            found = self.model(source)
            self.assertEqual([os.path.basename(one.path) for one in found], ["a.PNG", "b.png"])
            self.assertEqual([list(one) for one in found], [self.expected] * 2)
        self.assertEqual(len(self.model([self.folder, IMAGE])), 3)
        # Numbers count as numbers.
        for number in (10, 9):
            shutil.copy(IMAGE, os.path.join(self.folder, f"n-{number}.png"))
        found = self.model(f"{self.folder}/n-*.png")
        self.assertEqual([os.path.basename(one.path) for one in found], ["n-9.png", "n-10.png"])
        # A file may be called like a pattern.
        named = os.path.join(self.folder, "[1].png")
        shutil.copy(IMAGE, named)
        self.assertEqual(self.model(named).path, named)
        os.mkdir(os.path.join(self.folder, "empty"))
        for source, words in (("empty", "holds no images"), ("*.none", "fits the pattern")):
            with self.assertRaisesRegex(fovea.MissingFileError, words):
                self.model(os.path.join(self.folder, source))

    def test_open_files_are_read(self) -> None:
        with open(IMAGE, "rb") as file:
            found = self.model(file)
        self.assertEqual((list(found), found.path), (self.expected, IMAGE))
        with open(IMAGE, "rb") as file:
            content = file.read()
        found = self.model(io.BytesIO(content))
        self.assertEqual((list(found), found.path), (self.expected, None))
        self.assertEqual(found.plot().width, 480)
        with self.assertRaisesRegex(fovea.ArgumentError, "mode \"rb\""):
            self.model(io.StringIO("a"))
        self.assertEqual(fovea.Picture.open(io.BytesIO(content)).width, 480)

    def test_what_is_iterated_comes_one_by_one(self) -> None:
        asked = []

        def pictures() -> Any:
            for number in range(3):
                asked.append(number)
                yield IMAGE

        results = self.model(pictures(), max_det=1)
        self.assertIsInstance(results, types.GeneratorType)
        self.assertEqual((len(next(results)), asked), (1, [0]))
        self.assertEqual([len(one) for one in results], [1, 1])
        self.assertEqual(len(list(self.model.stream(self.folder))), 2)
        self.assertEqual(len(list(self.model.stream(IMAGE))), 1)
        # Wrong words are refused before the first picture is asked for.
        with self.assertRaises(TypeError):
            self.model(pictures(), colour="red")

    def test_videos_and_cameras_are_watched(self) -> None:
        for number in range(2):
            shutil.copy(IMAGE, f"{self.folder}/shapes-{number}.png")
        source = f"{self.folder}/shapes-%d.png"
        for results in self.model(source, conf=0.5):
            self.assertEqual((len(results), results.boxes.id), (6, None))
        found = list(self.model.track(source))
        self.assertEqual([list(one.boxes.id) for one in found], [list(range(1, 7))] * 2)
        self.assertTrue(found[0].boxes.is_track)
        self.assertEqual([int(box.id[0]) for box in found[0].boxes[:2]], [1, 2])
        self.assertEqual(found[0].summary()[0]["track_id"], 1)
        paths = [os.path.basename(one.save_txt(self.folder)) for one in found]
        self.assertEqual(paths, ["shapes-%d-0.txt", "shapes-%d-1.txt"])
        for wrong in ("none.mp4", 63, "rtsp://127.0.0.1:1/none"):
            with self.assertRaises(fovea.Error):
                self.model(wrong)
        with self.assertRaisesRegex(fovea.ArgumentError, "is a video"):
            self.model(["none.mp4"])
        with self.assertRaisesRegex(fovea.OptionError, "format"):
            self.model("none.mp4", format="rgb")
        for value in (None, 1.5, [IMAGE], b"a"):
            with self.assertRaisesRegex(fovea.ArgumentError, "a video cannot be a"):
                self.model.watch(value)  # type: ignore[arg-type]

    @needs("numpy", "PIL")
    def test_arrays_and_images_are_one_picture(self) -> None:
        import numpy
        from PIL import Image

        with Image.open(IMAGE) as image:
            self.assertEqual(len(self.model(image)), 6)
            pixels = numpy.asarray(image.convert("RGB"))
        self.assertEqual(list(self.model(pixels, format="rgb")), self.expected)
        self.assertEqual(len(self.model([pixels, pixels])), 2)
        results = self.model(IMAGE)
        numpy.testing.assert_array_equal(results.orig_img, pixels[:, :, ::-1])

    def test_addresses_are_fetched(self) -> None:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        root = f"http://127.0.0.1:{server.server_port}"
        for name in ("shapes.png", "moved.png"):
            found = self.model(f"{root}/{name}")
            self.assertEqual((list(found), found.path), (self.expected, f"{root}/{name}"))
        cases: list[tuple[str, type[Exception], str]] = [
            (f"{root}/none.png", fovea.MissingFileError, "404"),
            (f"{root}/cut.png", fovea.FileError, "ended after|IncompleteRead"),
            (f"{root}/live", fovea.ArgumentError, "model.watch"),
            ("http://127.0.0.1:1/a.png", fovea.FileError, "cannot be fetched"),
            ("http://", fovea.FileError, "no host given"),
            ("http://[", fovea.ArgumentError, "is no address"),
        ]
        for address, kind, words in cases:
            with self.assertRaisesRegex(kind, words, msg=address):
                self.model(address)
        with self.assertRaisesRegex(fovea.FileError, "took too long"):
            _fetching.fetched(f"{root}/slow.png", maximum_seconds=0.3)
        with self.assertRaisesRegex(fovea.FileError, "has more than"):
            _fetching.fetched(f"{root}/shapes.png", maximum_bytes=1000)


if __name__ == "__main__":
    unittest.main()
