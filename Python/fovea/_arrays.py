# Fovea - results as arrays of NumPy, or as lists where it is not installed.
# SPDX-License-Identifier: Apache-2.0
"""Results as arrays of NumPy, which is imported when the first array is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

if TYPE_CHECKING:
    from typing import Union

    import numpy as np

    from ._ndarray import Array

    Float32Array = Array[np.float32]
    Int64Array = Array[np.int64]
    BytesArray = np.ndarray[Any, np.dtype[np.uint8]]
    Rows = Union[Sequence[Sequence[float]], Sequence[float]]


def numpy() -> Optional[Any]:
    """The module ``numpy``, or ``None`` where it is not installed."""
    try:
        import numpy as module
    except ImportError:
        return None
    return module


def required(name: str, what: str, package: Optional[str] = None) -> Any:
    """A module that ``what`` needs.

    Raises:
        ImportError: with what needs it, and how to install it.
    """
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        title = {"numpy": "NumPy", "PIL.Image": "Pillow"}.get(name, name)
        raise ImportError(
            f"{what} needs {title}; install it with 'pip install {package or name}'") from error


def required_numpy(what: str) -> Any:
    """The module ``numpy``.

    Raises:
        ImportError: with what needs it.
    """
    return required("numpy", what)


def array(rows: Rows, type: str, columns: Optional[int] = None) -> Any:
    """Rows as an array of shape (n, columns) or (n,); as a list where NumPy is not installed."""
    module = numpy()
    if module is None:
        return [list(row) for row in rows] if columns else list(rows)  # type: ignore[arg-type]
    from ._ndarray import Array

    shape = (len(rows), columns) if columns else (len(rows),)
    return module.array(rows, dtype=type).reshape(shape).view(Array)
