# Fovea - results as arrays of NumPy, or as lists where it is not installed.
# SPDX-License-Identifier: Apache-2.0
"""Results as arrays of NumPy, which is imported when the first array is asked for."""

from __future__ import annotations

from typing import Any, Optional, Sequence

_class: Any = None


def numpy() -> Optional[Any]:
    """The module ``numpy``, or ``None`` where it is not installed."""
    try:
        import numpy as module
    except ImportError:
        return None
    return module


def required_numpy(what: str) -> Any:
    """The module ``numpy``.

    Raises:
        ImportError: with what needs it.
    """
    module = numpy()
    if module is None:
        raise ImportError(f"{what} needs NumPy; install it with 'pip install numpy'")
    return module


def array(rows: Sequence[Any], type: str, columns: Optional[int] = None) -> Any:
    """Rows as an array of shape (n, columns) or (n,); as a list where NumPy is not installed."""
    module = numpy()
    if module is None:
        return [list(row) for row in rows] if columns else list(rows)
    shape = (len(rows), columns) if columns else (len(rows),)
    return module.array(rows, dtype=type).reshape(shape).view(_array_class(module))


def _array_class(module: Any) -> Any:
    """A class of arrays that can do what others ask of tensors: ``x.cpu().numpy()``."""
    global _class
    if _class is None:

        class Array(module.ndarray):  # type: ignore[misc]
            """An array that is also asked as if it were a tensor."""

            def cpu(self) -> Any:
                """The array itself, which lies in the memory of the processor."""
                return self

            def numpy(self) -> Any:
                """The array without these two methods."""
                return self.view(module.ndarray)

        _class = Array
    return _class
