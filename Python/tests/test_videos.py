# Fovea - tests: objects in videos, cameras and streams.
# SPDX-License-Identifier: Apache-2.0
"""Objects in videos, cameras and streams."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
import unittest
from typing import Any

import fovea
from support import IMAGE, MODEL, check_in_child, command, load, needs, needs_shared, shared

numpy: Any = load("numpy")
CLIP = "video/clips/pets-768x576.mp4"
DETECTOR = "models/yolo-fastest-1.1-xl.mlmodel"


def serve(server: socket.socket, jpeg: bytes) -> None:
    """Answers with a stream of one picture, and then with nothing."""
    connection, _ = server.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(
            b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=next\r\n\r\n"
            b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
            + jpeg + b"\r\n--next\r\n")
        connection.recv(4096)


class VideoTests(unittest.TestCase):
    """Numbered pictures, which every machine reads."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for number in range(4):
            shutil.copy(IMAGE, f"{self.folder}/shapes-{number}.png")
        self.source = f"{self.folder}/shapes-%d.png"
        self.model = fovea.Model(MODEL)

    def test_pictures_come_one_after_another(self) -> None:
        expected = [(o.label, o.confidence, o.box) for o in self.model(IMAGE)]
        times = []
        for index, results in enumerate(self.model.watch(self.source)):
            self.assertEqual([o.label for o in results], [o[0] for o in expected])
            for found, wanted in zip(results, expected):
                self.assertAlmostEqual(found.confidence, wanted[1], places=3)
            self.assertEqual((results.width, results.height), (480, 360))
            self.assertEqual(results.frame.number, index)
            self.assertEqual(results.frame.taken, index + 1)
            self.assertEqual(results.tracks, [])
            self.assertEqual(results.path, self.source)
            times.append(results.frame.time)
        self.assertEqual(len(times), 4)
        self.assertEqual(times, sorted(set(times)))

    def test_objects_keep_their_identifiers(self) -> None:
        for results in self.model.watch(self.source, track=True):
            self.assertEqual([one.id for one in results.tracks], list(range(1, 7)))
            for one in results.tracks:
                assert one.object is not None
                self.assertEqual(results[one.object].label, one.label)
                self.assertFalse(one.is_predicted)
            document = json.loads(results.json())
            self.assertEqual(len(document["tracks"]), 6)
            self.assertEqual(document["frame"]["number"], results.frame.number)

    def test_options_are_those_of_pictures(self) -> None:
        label = self.model(IMAGE)[0].label
        for results in self.model.watch(self.source, only=[label], max_objects=1):
            self.assertEqual([o.label for o in results], [label])

    def test_pictures_are_copied(self) -> None:
        kept = list(self.model.watch(self.source))
        picture = fovea.Picture.open(IMAGE)
        for results in kept:
            self.assertEqual((results.picture.width, results.picture.height), (480, 360))
            pairs = zip(results.picture.tobytes(), picture.tobytes())
            self.assertLessEqual(max(abs(one - other) for one, other in pairs), 2)
        drawn = next(self.model.watch(self.source, track=True)).plot()
        self.assertNotEqual(drawn.tobytes(), picture.tobytes())

    @needs("numpy", "supervision")
    def test_supervision(self) -> None:
        results = next(self.model.watch(self.source, track=True))
        detections = results.to_supervision()
        self.assertEqual(list(detections.tracker_id), list(range(1, 7)))
        self.assertEqual(list(detections["class_name"]), [one.label for one in results.tracks])
        self.assertIsNone(next(self.model.watch(self.source)).to_supervision().tracker_id)

    def test_videos_end_early(self) -> None:
        with self.model.watch(self.source) as video:
            first = next(video)
        self.assertEqual(list(video), [])
        video.close()
        # Results outlive the video and the model.
        model = fovea.Model(MODEL)
        video = model.watch(self.source)
        model.close()
        self.assertEqual(len(list(video)), 4)
        del video, model
        gc.collect()
        self.assertEqual(len(first), 6)

    def test_another_thread_ends_a_video(self) -> None:
        jpeg = fovea.Picture.open(IMAGE).encode("jpeg")
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=serve, args=(server, jpeg), daemon=True).start()
            video = self.model.watch(f"http://127.0.0.1:{server.getsockname()[1]}/feed")
            self.assertEqual(len(next(video)), 6)
            rest: list[fovea.VideoResults] = []
            thread = threading.Thread(target=lambda: rest.extend(video), daemon=True)
            thread.start()
            time.sleep(0.2)
            self.assertTrue(thread.is_alive())
            video.close()
            thread.join(30)
            self.assertFalse(thread.is_alive())
            self.assertEqual(rest, [])

    def test_interrupts_end_a_wait(self) -> None:
        # A process that a shell starts in the background is told to ignore interrupts.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        jpeg = fovea.Picture.open(IMAGE).encode("jpeg")
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=serve, args=(server, jpeg), daemon=True).start()
            video = self.model.watch(f"http://127.0.0.1:{server.getsockname()[1]}/feed")
            self.assertEqual(len(next(video)), 6)
            interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            begin = time.monotonic()
            interrupt.start()
            with self.assertRaises(KeyboardInterrupt):
                next(video)
            # A stream that says nothing is given up after 10 seconds.
            self.assertLess(time.monotonic() - begin, 5)
            video.close()

    def test_children_of_a_fork_open_videos_of_their_own(self) -> None:
        video = self.model.watch(self.source)
        results = next(video)

        def look() -> bool:
            nonlocal video, results
            try:
                next(video)
            except fovea.ClosedError as error:
                video.close()
                del video, results
                gc.collect()
                found = [len(one) for one in self.model.watch(self.source)]
                return "fork" in str(error) and found == [6] * 4
            return False

        check_in_child(look)
        self.assertEqual(len(list(video)), 3)

    def test_wrong_sources(self) -> None:
        text = f"{self.folder}/notes.mp4"
        with open(text, "w", encoding="utf-8") as file:
            file.write("Just some words.\n" * 100)
        cases: list[tuple[Any, type[Exception]]] = [
            (f"{self.folder}/nothing.mp4", fovea.FileError), (text, fovea.VideoError),
            ("", fovea.ArgumentError), ("gopher://a/b", fovea.ArgumentError),
            ("a\0b", fovea.ArgumentError), (f"{self.folder}", fovea.FileError),
            (63, fovea.FileError),
        ]
        for source, kind in cases:
            with self.assertRaises(kind, msg=str(source)):
                self.model.watch(source)
        message = command("watch", "--model", MODEL, text).stderr
        with self.assertRaises(fovea.VideoError) as caught:
            self.model.watch(text)
        self.assertIn(str(caught.exception), message)

    def test_wrong_options(self) -> None:
        for options in (
            {"keep": "some"}, {"deadline": 0.0}, {"reconnects": -1}, {"camera_moves": True},
            {"camera_size": (0, 5)}, {"camera_rate": -1.0}, {"confidence": 2.0},
            {"only": ["no such class"]},
        ):
            with self.assertRaises(fovea.ArgumentError, msg=str(options)):
                self.model.watch(self.source, **options)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            self.model.watch(self.source, format="rgb")

    @needs_shared(CLIP)
    def test_tracks_are_those_of_the_command(self) -> None:
        model = fovea.Model(shared(DETECTOR), backend="float")
        lines = command(
            "watch", "--model", shared(DETECTOR), "--backend", "float", "--track", "--frames",
            "40", "--jsonl", "-", shared(CLIP)).stdout.splitlines()
        for line, results in zip(lines, model.watch(shared(CLIP), track=True)):
            row = json.loads(line)
            self.assertEqual(row["frame"], results.frame.number)
            self.assertEqual(
                [one["identifier"] for one in row["tracks"]], [one.id for one in results.tracks])
            for one, track in zip(row["tracks"], results.tracks):
                self.assertAlmostEqual(one["xmin"], track.box.xmin, places=2)
                self.assertEqual(one["predicted"], track.is_predicted)
        self.assertEqual(len(lines), 40)


if __name__ == "__main__":
    unittest.main()
