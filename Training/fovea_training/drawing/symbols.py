"""Fovea - symbols as matrices of modules, from the encoders of zxing-cpp.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import string

import numpy as np
import zxingcpp

#: How often each symbology of one-dimensional codes comes.
_LINEAR_SHARES = {
    "EAN13": 0.32, "UPCA": 0.12, "EAN8": 0.07, "UPCE": 0.05, "Code128": 0.18,
    "Code39": 0.09, "Code93": 0.04, "ITF": 0.07, "Codabar": 0.04, "DataBarOmni": 0.02,
}  # fmt: skip

_URL_LETTERS = string.ascii_lowercase + string.digits + "-_/?=&.%"


def _characters(rng: np.random.Generator, alphabet: str, count: int) -> str:
    return "".join(alphabet[index] for index in rng.integers(0, len(alphabet), count))


def _modules(content: str, form: zxingcpp.BarcodeFormat, **options: str) -> np.ndarray:
    """True where a module is dark, `[rows, columns]`, without the quiet zone."""
    symbol = zxingcpp.create_barcode(content, form, **options)
    image = zxingcpp.write_barcode_to_image(symbol, scale=1, add_hrt=False, add_quiet_zones=False)
    return np.array(image) < 128


def quick_response(rng: np.random.Generator) -> np.ndarray:
    """A QR code of versions 1 to about 14, at any level of error correction."""
    kind = rng.random()
    if kind < 0.6:
        content = "https://" + _characters(rng, _URL_LETTERS, int(rng.integers(6, 60)))
    elif kind < 0.75:
        content = _characters(rng, string.digits, int(rng.integers(4, 60)))
    elif kind < 0.92:
        content = _characters(rng, string.ascii_uppercase + string.digits + " $%*+-./:", int(rng.integers(5, 80)))
    else:
        content = _characters(rng, string.ascii_letters + string.digits + " ;:,\n", int(rng.integers(80, 320)))
    return _modules(content, zxingcpp.BarcodeFormat.QRCode, ec_level="LMQH"[int(rng.integers(0, 4))])


def data_matrix(rng: np.random.Generator) -> np.ndarray:
    """A Data Matrix (ECC 200) symbol of 8 to about 40 modules a side, one in six of them not square."""
    longest = 12 if rng.random() < 0.5 else 70
    alphabet = string.ascii_uppercase + string.digits if rng.random() < 0.7 else string.ascii_letters + string.digits + " -/"
    widest = 3.0 if rng.random() < 1 / 6 else 1.0
    while True:
        content = _characters(rng, alphabet, int(rng.integers(2, longest)))
        modules = _modules(content, zxingcpp.BarcodeFormat.DataMatrix)
        if modules.shape[1] <= widest * modules.shape[0]:
            return modules


def linear_kind(rng: np.random.Generator) -> str:
    """A symbology of one-dimensional codes, retail's most often."""
    return str(rng.choice(list(_LINEAR_SHARES), p=list(_LINEAR_SHARES.values())))


def linear(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, str]:
    """The modules of a one-dimensional code as one row, and the characters that are printed below it."""
    forms = zxingcpp.BarcodeFormat
    digits = {"EAN13": 12, "UPCA": 11, "EAN8": 7, "DataBarOmni": 13}
    if kind in digits:
        content = _characters(rng, string.digits, digits[kind])
    elif kind == "UPCE":
        # The forms of zero suppression that every number has: fifth digit not 0, sixth 5 or more.
        content = "0" + _characters(rng, string.digits, 4) + _characters(rng, "123456789", 1) + _characters(rng, "56789", 1)
    elif kind == "ITF":
        content = _characters(rng, string.digits, 2 * int(rng.integers(2, 9)))
    elif kind == "Codabar":
        content = "A" + _characters(rng, string.digits + "-$", int(rng.integers(4, 14))) + "B"
    else:
        alphabet = string.digits if rng.random() < 0.4 else string.ascii_uppercase + string.digits + "-"
        content = _characters(rng, alphabet, int(rng.integers(3, 18)))
    rows = _modules(content, getattr(forms, kind))
    return rows[0], content
