# Fovea - many pictures, in workers of Ray Data, Spark and others.
# SPDX-License-Identifier: Apache-2.0
"""Many pictures, in workers of Ray Data, Spark and others.

A ``Detector`` is sent to workers as the path of its model and its options. Each worker opens the
model once, at its first picture, and works on one thread: as many workers run as there are cores.

Rows are those of ``fovea detect --jsonl``: ``path``, ``width``, ``height``, ``objects`` (``label``,
``score``, ``xmin``, ``ymin``, ``xmax``, ``ymax``) and ``error``. A picture that fails is a row with
``error``, never a failed job.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional, Union

from ._detect_options import KnownOptions
from ._errors import Error
from ._model import Model
from ._option_names import checked

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._model_options import ModelOptions

#: The schema of the rows, as Spark writes it.
SPARK_SCHEMA = (
    "path string, width int, height int, objects array<struct<label: string, score: float, "
    "xmin: float, ymin: float, xmax: float, ymax: float>>, error string"
)


def arrow_schema() -> Any:
    """The schema of the rows as ``pyarrow.Schema``."""
    import pyarrow

    box = pyarrow.struct(
        [("label", pyarrow.string())]
        + [(name, pyarrow.float32()) for name in ("score", "xmin", "ymin", "xmax", "ymax")])
    return pyarrow.schema(
        [
            ("path", pyarrow.string()), ("width", pyarrow.int32()), ("height", pyarrow.int32()),
            ("objects", pyarrow.list_(box)), ("error", pyarrow.string()),
        ])


class Detector:
    """Finds objects in batches of pictures; can be pickled.

        detector = fovea.batch.Detector("/models/yolo.fovea", confidence=0.4)
        table = detector({"path": paths, "bytes": contents})

    Args:
        model: The path of a model that every worker can open; ``None`` for the detector inside.
        backend: As for ``Model``.
        threads: Of each worker. One is best where there are as many workers as cores.
        model_options: Further arguments of ``Model``, such as ``{"size": (640, 480)}``.
        **options: Of ``Model.detect``, such as ``confidence``.

    Raises:
        OptionError: for a word that is no option.
    """

    def __init__(
        self, model: Union[str, "os.PathLike[str]", None] = None, *, backend: str = "auto",
        threads: int = 1, model_options: Optional[ModelOptions] = None,
        **options: Unpack[KnownOptions]
    ) -> None:
        self._path = None if model is None else os.path.abspath(os.fspath(model))
        self._model_options: dict[str, Any] = {
            **(model_options or {}), "backend": backend, "threads": threads}
        self._options = checked("Detector", options, KnownOptions)
        self._model: Optional[Model] = None
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "path": self._path, "model_options": self._model_options, "options": self._options}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._path, self._options = state["path"], state["options"]
        self._model_options = state["model_options"]
        self._model, self._lock = None, threading.Lock()

    @property
    def model(self) -> Model:
        """The model, opened at its first use in this process."""
        with self._lock:
            if self._model is None:
                self._model = Model(self._path, **self._model_options)
            return self._model

    def row(self, path: str, content: Any = None) -> dict[str, Any]:
        """The row of a picture.

        Args:
            path: What the row calls it, and the file to read where there is no ``content``.
            content: The bytes of its file, or another picture that ``Model`` takes.
        """
        model = self.model  # a model that cannot be opened fails the job
        try:
            source = path if content is None else content
            return model.detect(source, **self._options).to_row(path)
        except Error as error:
            message = str(error)
            if not message.startswith(path):
                # What the library calls bytes without a name.
                if message.startswith("image: "):
                    message = message[len("image: "):]
                message = f"{path}: {message}"
            return {
                "path": path, "width": None, "height": None, "objects": [], "error": message}

    def rows(self, pictures: Iterable[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
        """The rows of pairs of a path and the bytes of a file, which may be ``None``."""
        for path, content in pictures:
            yield self.row(path, content)

    def __call__(self, batch: Any) -> Any:
        """The rows of a batch as ``pyarrow.Table``, for ``map_batches`` of Ray Data.

        Args:
            batch: Columns ``path``, and ``bytes`` unless workers can open the paths: a dictionary
                of arrays, a ``pyarrow.Table`` or a ``pandas.DataFrame``.
        """
        import pyarrow

        paths = _column(batch, "path")
        if paths is None:
            raise KeyError("the batch has no column 'path'; read with include_paths=True")
        contents = _column(batch, "bytes")
        if contents is None:
            contents = _column(batch, "content")
        rows = list(self.rows(zip(paths, [None] * len(paths) if contents is None else contents)))
        return pyarrow.Table.from_pylist(rows, schema=arrow_schema())

    def pandas(self, frames: Iterable[Any]) -> Iterator[Any]:
        """The rows of frames with the columns ``path`` and ``content``, for ``mapInPandas``.

            pictures.mapInPandas(detector.pandas, fovea.batch.SPARK_SCHEMA)
        """
        import pandas

        names = ["path", "width", "height", "objects", "error"]
        for frame in frames:
            contents = frame["content"] if "content" in frame else [None] * len(frame)
            rows = list(self.rows(zip(frame["path"], contents)))
            # Columns of objects: pandas would make NaN of what is missing.
            found = pandas.DataFrame(
                {name: pandas.Series([row[name] for row in rows], dtype=object)
                 for name in names})
            for side in ("width", "height"):
                found[side] = found[side].astype("Int32")
            yield found


def _column(batch: Any, name: str) -> Optional[list[Any]]:
    """A column as Python's values, or ``None``."""
    columns = getattr(batch, "column_names", None)
    if columns is None:
        columns = getattr(batch, "columns", batch)
    if name not in columns:
        return None
    column = batch[name]
    for method in ("to_pylist", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
