# Fovea - tests: threads, children, the command and the start.
# SPDX-License-Identifier: Apache-2.0
"""Threads, children of ``fork()``, the command in the package, and the start of Python."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import fovea
from support import IMAGE, MODEL, check_in_child, command, python, thorough


class ThreadTests(unittest.TestCase):
    """Several threads with one model."""

    def test_threads_get_the_same(self) -> None:
        model = fovea.Model(MODEL, threads=2)
        expected = list(model(IMAGE))
        with ThreadPoolExecutor(8) as pool:
            for found in pool.map(lambda _: list(model(IMAGE)), range(64)):
                self.assertEqual(found, expected)

    def test_interpreter_is_free_while_the_network_runs(self) -> None:
        model = fovea.Model(MODEL, backend="reference", threads=1)
        pixels = memoryview(bytes(480 * 360 * 3)).cast("B", (360, 480, 3))
        running, ticks = threading.Event(), 0

        def run() -> None:
            running.set()
            for _ in range(20):
                model(pixels)

        # Python hands the lock over every 100 s, or when a thread gives it up.
        interval = sys.getswitchinterval()
        thread = threading.Thread(target=run)
        try:
            sys.setswitchinterval(100)
            thread.start()
            running.wait()
            while thread.is_alive():
                ticks += 1
                time.sleep(0)
        finally:
            sys.setswitchinterval(interval)
            thread.join()
        self.assertGreater(ticks, 20)

    def test_models_are_closed_while_others_look(self) -> None:
        for _ in range(10):
            model = fovea.Model(MODEL)
            failures: list[BaseException] = []

            def look(model: fovea.Model = model) -> None:
                try:
                    for _ in range(50):
                        model(IMAGE)
                except fovea.ClosedError:
                    pass
                except BaseException as error:  # noqa: B036
                    failures.append(error)

            threads = [threading.Thread(target=look) for _ in range(4)]
            for thread in threads:
                thread.start()
            model.close()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])

    def test_children_go_on_with_what_was_opened(self) -> None:
        model = fovea.Model(MODEL, threads=2)
        expected = list(model(IMAGE))
        check_in_child(
            lambda: list(model(IMAGE)) == expected and len(fovea.Model(MODEL)(IMAGE)) == 6)
        self.assertEqual(list(model(IMAGE)), expected)

    def test_children_close_what_was_opened(self) -> None:
        used, closed = fovea.Model(MODEL, threads=2), fovea.Model(MODEL, threads=2)
        expected = list(used(IMAGE))

        def close() -> bool:
            # Its threads get the memory of those that the child does not have.
            own = fovea.Model(MODEL, threads=3)
            closed.close()
            same = list(used(IMAGE)) == expected and list(own(IMAGE)) == expected
            used.close()
            own.close()
            return same

        check_in_child(close)
        self.assertEqual(list(closed(IMAGE)), expected)


class CommandTests(unittest.TestCase):
    """``python -m fovea``."""

    def test_command_is_the_command(self) -> None:
        for arguments in (
            ("--version",), ("detect", "--model", MODEL, "--jsonl", "-", IMAGE), ("detect",),
            ("inspect", "/none"), ("--help",),
        ):
            expected = command(*arguments)
            run = subprocess.run(
                [sys.executable, "-m", "fovea", *arguments], capture_output=True, text=True,
                check=False)
            self.assertEqual(
                (run.returncode, run.stdout, run.stderr),
                (expected.returncode, expected.stdout, expected.stderr), arguments)


class StartTests(unittest.TestCase):
    """What an import does."""

    def test_numpy_is_not_imported(self) -> None:
        run = python(
            "import sys, fovea; m = fovea.Model(sys.argv[1]); m(sys.argv[2]).json();"
            "print([n for n in ('numpy', 'PIL', 'pyarrow', 'pandas') if n in sys.modules])",
            MODEL, IMAGE)
        self.assertEqual((run.stdout, run.stderr), ("[]\n", ""))

    def test_library_that_is_missing_is_named(self) -> None:
        run = python("import fovea", FOVEA_LIBRARY="/none/libfovea.so.0")
        self.assertIn("ImportError: /none/libfovea.so.0: the library of Fovea", run.stderr)

    @thorough()
    def test_nothing_stays_behind(self) -> None:
        run = python(
            "import sys, fovea\n"
            "def size():\n"
            "    return int(open('/proc/self/statm').read().split()[1]) * 4096\n"
            "m = fovea.Model(sys.argv[1], threads=1); p = open(sys.argv[2], 'rb').read()\n"
            "def work(n):\n"
            "    for _ in range(n):\n"
            "        m(p); fovea.Picture.open(p)\n"
            "        try: m(b'broken')\n"
            "        except fovea.Error: pass\n"
            "work(50); before = size(); work(300); print(size() - before)",
            MODEL, IMAGE)
        self.assertEqual(run.stderr, "")
        self.assertLess(int(run.stdout), 4 << 20)


if __name__ == "__main__":
    unittest.main()
