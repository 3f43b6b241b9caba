# Fovea - the types of values that options of the program take.
# SPDX-License-Identifier: Apache-2.0
"""The types of values that options of the program take; the table of commands has their names."""

from __future__ import annotations

import os
from typing import Mapping, Sequence, Union

Switch = bool
Number = float
Whole = int
Text = str
Texts = Union[str, Sequence[str]]
TextList = Texts
File = Union[str, "os.PathLike[str]"]
FileList = Union[File, Sequence[File]]
Numbers = Union[float, Sequence[float]]
Size = Union[str, tuple[int, int]]
Places = Union[str, Sequence[float], Sequence[Sequence[float]], Sequence[str],
               Mapping[str, Sequence[float]]]
"""Lines, areas and boxes: the numbers of one or of several, texts as for the program, or numbers by
name."""
Pairs = Union[Texts, Mapping[str, str]]
Sizes = Union[Texts, Mapping[str, Sequence[int]]]
