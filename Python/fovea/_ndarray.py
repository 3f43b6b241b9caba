# Fovea - the class of arrays, which needs NumPy.
# SPDX-License-Identifier: Apache-2.0
"""The class of arrays. Only ``_arrays`` imports it, where NumPy is installed."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Array(np.ndarray[Any, np.dtype[_Scalar]]):
    """An array that is also asked as if it were a tensor: ``x.cpu().numpy()``."""

    def cpu(self) -> Array[_Scalar]:
        """The array itself, which lies in the memory of the processor."""
        return self

    def numpy(self) -> np.ndarray[Any, np.dtype[_Scalar]]:
        """The array without the methods of this class."""
        plain: np.ndarray[Any, np.dtype[_Scalar]] = self.view(np.ndarray)
        return plain

    def int(self) -> Array[np.int64]:
        """The numbers cut to whole ones."""
        whole: Array[np.int64] = self.astype("int64")  # type: ignore[assignment]
        return whole

    def __int__(self) -> Any:
        return int(self.item())

    def __float__(self) -> Any:
        return float(self.item())
