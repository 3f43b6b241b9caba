# Fovea - a server that answers programs over the network.
# SPDX-License-Identifier: Apache-2.0
"""A server that answers programs over the network."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import threading
import weakref
from typing import IO, TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _command_table as table
from ._command_words import words
from ._errors import ArgumentError, FileError
from ._library import PROGRAM
from ._program import fail

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = Union[str, "os.PathLike[str]"]


class Server:
    """A server that runs in a process of its own. It ends with ``stop``, with the end of a ``with``,
    or with this object."""

    def __init__(self, process: subprocess.Popen[bytes], address: str) -> None:
        self._process = process
        self._end = weakref.finalize(self, _stop, process)
        #: Where it listens, such as ``http://127.0.0.1:32168``.
        self.address = address

    def wait(self, seconds: Optional[float] = None) -> bool:
        """Waits until the server has ended, which it does when it is interrupted; for so many seconds
        at most. Returns whether it has."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Ends the server behind the requests that it has."""
        self._end()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "has ended" if self._process.poll() is not None else "runs"
        return f"<fovea.Server at {self.address}, {state}>"


def serve(
    *models: Union[Path, Mapping[str, Path]], **options: Unpack[table.ServeOptions]
) -> Server:
    """Finds objects for programs that ask over the network: Frigate, Home Assistant, clients of
    DeepStack and of KServe. Models may have names; without any it is the detector inside.

        with fovea.serve({"coco": "yolo.onnx"}, listen="0.0.0.0:32168") as server:
            print(server.address)
            server.wait()

    Raises:
        Error: with the words of the program, where it cannot serve.
    """
    operands: list[str] = []
    for model in models:
        if isinstance(model, Mapping):
            operands += [f"{name}={os.fsdecode(path)}" for name, path in model.items()]
        else:
            operands.append(os.fsdecode(model))
    if any("\0" in operand for operand in operands):
        raise ArgumentError("serve: a path has a zero byte; leave it out")
    arguments = [PROGRAM, "serve", *words("serve", options), "--", *operands]
    try:
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise FileError(
            f"{PROGRAM}: the program cannot be started: {error.strerror}; install the wheel again"
        ) from error
    lines: Any = process.stderr
    said = []
    for line in lines:
        said.append(line.decode("utf-8", "replace").strip())
        found = re.search(r" at (http://\S+)$", said[-1])
        if found is not None:
            threading.Thread(target=_tell, args=(lines,), daemon=True).start()
            return Server(process, found.group(1))
    fail("serve", process.wait(), "\n".join(said))


def _tell(lines: IO[bytes]) -> None:
    """Hands what the program says to the logger "fovea"."""
    with lines:
        for line in lines:
            logging.getLogger("fovea").warning("%s", line.decode("utf-8", "replace").strip())


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.wait()
