# Fovea - pictures of other packages, lent to the library without a copy where that is possible.
# SPDX-License-Identifier: Apache-2.0
"""Pictures of other packages: Pillow, NumPy, OpenCV, DLPack, and everything with a buffer."""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple, Optional, Union

from . import _abi
from ._errors import ArgumentError
from ._library import encoded

FORMATS = {"rgb": 0, "bgr": 1, "rgba": 2, "bgra": 3, "gray": 4, "nv12": 5, "yuyv": 6}
CHANNELS = {"rgb": 3, "bgr": 3, "rgba": 4, "bgra": 4, "gray": 1, "yuyv": 2}


class File(NamedTuple):
    """A picture in a file."""

    path: bytes


class Encoded(NamedTuple):
    """The bytes of a picture's file, and what keeps them alive."""

    address: int
    length: int
    owner: Any


class Lent(NamedTuple):
    """Pixels, and what keeps them alive; the orientation that the picture itself states."""

    pixels: _abi.Pixels
    owner: Any
    orientation: int


Source = Union[File, Encoded, Lent]


def source(picture: Any, format: Optional[str]) -> Source:
    """What the library can look at.

    Raises:
        ArgumentError: for what is no picture.
    """
    if format is not None and format not in FORMATS:
        raise ArgumentError(
            f"format is {format!r}; expected one of {', '.join(FORMATS)}")
    if isinstance(picture, (str, os.PathLike)):
        path = os.fspath(picture)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        return File(encoded(path, "the path of a picture"))
    if isinstance(picture, bytes):
        return _encoded(picture)
    if _is_pillow(picture):
        return _pillow(picture)
    view = memory(picture)
    if view is None:
        raise ArgumentError(
            f"a picture cannot be {named(picture)}; give a path, the bytes of a file, a Pillow "
            "image, or an array of height x width x 3")
    if len(view.shape) == 1 and format is None and view.type == "uint8":
        if view.strides != (1,):
            view = view.copied()
        return Encoded(view.address, view.shape[0], view)
    # Arrays of others are blue first, as those of OpenCV; a Picture says that it is red first.
    return _array(view, format or getattr(picture, "_pixel_format", None))


def named(value: Any) -> str:
    """What a value is, with its article, for messages."""
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else (
        f"{kind.__module__}.{kind.__qualname__}")
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def _encoded(content: bytes) -> Encoded:
    pointer = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p)
    return Encoded(pointer.value or 0, len(content), content)


# Memory


class Memory(NamedTuple):
    """An array in memory that somebody else owns: shape, and strides in bytes."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    type: str
    owner: Any

    @property
    def item_size(self) -> int:
        """Bytes of an element."""
        return SIZES[self.type]

    @property
    def span(self) -> tuple[int, int]:
        """Bytes before the first element, and from it to the end of the last."""
        if 0 in self.shape:
            return 0, 0
        steps = [(size - 1) * stride for size, stride in zip(self.shape, self.strides)]
        before = -sum(step for step in steps if step < 0)
        return before, sum(step for step in steps if step > 0) + self.item_size

    @property
    def is_contiguous(self) -> bool:
        """Whether elements lie row by row without gaps."""
        return self.strides == _row_major(self.shape, self.item_size) or 0 in self.shape

    def copied(self) -> Memory:
        """A copy whose elements lie row by row without gaps."""
        count = 1
        for size in self.shape:
            count *= size
        block = ctypes.create_string_buffer(max(count * self.item_size, 1))
        target = ctypes.addressof(block)
        size = self.item_size

        def copy(address: int, dimension: int, place: int) -> int:
            rest = _row_major(self.shape[dimension:], size)
            if self.strides[dimension:] == rest:
                length = size if dimension == len(self.shape) else (
                    self.shape[dimension] * rest[0])
                ctypes.memmove(target + place, address, length)
                return place + length
            for index in range(self.shape[dimension]):
                place = copy(address + index * self.strides[dimension], dimension + 1, place)
            return place

        if count:
            copy(self.address, 0, 0)
        return self._replace(
            address=target, strides=_row_major(self.shape, size), owner=(block, self.owner))


SIZES = {
    "float32": 4, "float64": 8, "float16": 2, "uint8": 1, "int8": 1, "int16": 2, "int32": 4,
    "int64": 8,
}
TYPES = {
    "float32": 1, "float64": 2, "float16": 3, "uint8": 4, "int8": 5, "int16": 6, "int32": 7,
    "int64": 8,
}
# Array interface, version 3: order of bytes, kind, size.
_TYPE_STRINGS = {
    "<f4": "float32", "<f8": "float64", "<f2": "float16", "|u1": "uint8", "|i1": "int8",
    "<i2": "int16", "<i4": "int32", "<i8": "int64",
}
# The buffer protocol's letters; sizes of C types on Linux.
_LETTERS = {
    "f": "float32", "d": "float64", "e": "float16", "B": "uint8", "b": "int8", "h": "int16",
    "i": "int32", "l": "int64", "q": "int64", "c": "uint8",
}


def _row_major(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, size)
        size *= length
    return tuple(strides)


def memory(value: Any) -> Optional[Memory]:
    """The memory of an array, or ``None`` for what has none.

    Raises:
        ArgumentError: for elements of a type that is not taken, or memory of a GPU.
    """
    # First what holds the memory while it is used: an array interface is only an address.
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError):
        pass
    else:
        return _buffer(view, value)
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _dlpack(value)
    interface = getattr(value, "__array_interface__", None)
    return _interface(value, interface) if isinstance(interface, dict) else None


def _wrong_type(name: str) -> ArgumentError:
    return ArgumentError(
        f"an array of {name} was given; convert it to one of {', '.join(SIZES)}")


def _interface(value: Any, interface: dict[str, Any]) -> Memory:
    name = _TYPE_STRINGS.get(str(interface.get("typestr")))
    if name is None:
        raise _wrong_type(str(getattr(value, "dtype", interface.get("typestr"))))
    shape = tuple(int(size) for size in interface["shape"])
    steps = interface.get("strides")
    strides = _row_major(shape, SIZES[name]) if steps is None else tuple(int(s) for s in steps)
    data = interface.get("data")
    if isinstance(data, tuple):
        return Memory(int(data[0]), shape, strides, name, (value, interface))
    # A buffer that holds the elements, or the object itself.
    held = _HeldBuffer(memoryview(value if data is None else data).cast("B"))
    found = Memory(held.address + int(interface.get("offset", 0)), shape, strides, name, held)
    before, after = found.span
    if before > int(interface.get("offset", 0)) or found.address - held.address + after > held.count:
        raise ArgumentError(f"{named(value)} has fewer bytes than its shape says")
    return found


class _PyBuffer(ctypes.Structure):
    """``Py_buffer``, whose layout has been the same since Python 3.3."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    ]


class _HeldBuffer:
    """A buffer of a memory view that may be read only; it is given back when this goes."""

    _FULL = 0x011C  # PyBUF_FULL_RO

    def __init__(self, view: memoryview) -> None:
        self._buffer = _PyBuffer()
        ctypes.pythonapi.PyObject_GetBuffer(
            ctypes.py_object(view), ctypes.byref(self._buffer), self._FULL)
        self._view = view
        self.address: int = self._buffer.buf or 0
        self.count: int = self._buffer.len

    def __del__(self) -> None:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self._buffer))


def _buffer(view: memoryview, value: Any) -> Memory:
    name = _LETTERS.get(view.format.lstrip("@=<"))
    if name is None or SIZES[name] != view.itemsize:
        raise _wrong_type(str(getattr(value, "dtype", f"elements of the format {view.format!r}")))
    shape = tuple(view.shape or ())
    if view.suboffsets:  # rows at addresses of their own
        content = _encoded(view.tobytes())
        return Memory(content.address, shape, _row_major(shape, SIZES[name]), name, content)
    held = _HeldBuffer(view)
    return Memory(
        held.address, shape, tuple(view.strides or _row_major(shape, SIZES[name])), name, held)


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


# DLPack's numbers of types: signed, unsigned, float.
_DL_TYPES = {
    (2, 32): "float32", (2, 64): "float64", (2, 16): "float16", (1, 8): "uint8",
    (0, 8): "int8", (0, 16): "int16", (0, 32): "int32", (0, 64): "int64",
}
# DLPack's devices whose memory the processor reads: the CPU, and pinned memory of CUDA and ROCm.
_DL_DEVICES = (1, 3, 11)


def _dlpack(value: Any) -> Memory:
    device = value.__dlpack_device__()
    if int(device[0]) not in _DL_DEVICES:
        raise ArgumentError("the array lies in the memory of a GPU; move it to the CPU first")
    detach = getattr(value, "detach", None)
    if detach is not None:
        value = detach()  # tensors of PyTorch that want gradients are not lent
    try:
        capsule = value.__dlpack__()
    except Exception as error:
        raise ArgumentError(f"{named(value)} cannot be lent: {error}") from error
    # The capsule is not taken over: it frees what it holds when it goes.
    tensor = ctypes.cast(_capsule(capsule, b"dltensor"), ctypes.POINTER(_DLTensor)).contents
    name = _DL_TYPES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if name is None:
        raise _wrong_type(str(getattr(value, "dtype", "an unknown type")))
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(
        stride * SIZES[name] for stride in tensor.strides[: tensor.ndim]
    ) if tensor.strides else _row_major(shape, SIZES[name])
    return Memory(
        (tensor.data or 0) + tensor.byte_offset, shape, strides, name, (value, capsule))


def _capsule(capsule: Any, name: bytes) -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, name))


# Arrays


def _array(view: Memory, format: Optional[str]) -> Lent:
    if view.type != "uint8":
        raise ArgumentError(
            f"an array of {view.type} was given; pixels are uint8 in 0...255, so scale and convert "
            "it first")
    format, width, height, row = _layout(view.shape, format)
    expected = view.strides[1:]
    if format == "nv12":
        lies_well = expected == (1,)
    else:
        channels = CHANNELS[format]
        lies_well = expected in ((channels, 1), (channels,))
    if not lies_well or view.strides[0] < row:
        view = view.copied()
    pixels = empty_pixels()
    pixels.format = FORMATS[format]
    pixels.width, pixels.height = width, height
    pixels.row_bytes = view.strides[0]
    if format == "nv12":
        pixels.chroma_offset = view.strides[0] * height
        pixels.chroma_row_bytes = view.strides[0]
    pixels.data = view.address
    pixels.byte_count = view.strides[0] * (view.shape[0] - 1) + row
    return Lent(pixels, view, 1)


def empty_pixels() -> _abi.Pixels:
    """Pixels without data."""
    return _abi.Pixels(size=ctypes.sizeof(_abi.Pixels))


def _layout(shape: tuple[int, ...], format: Optional[str]) -> tuple[str, int, int, int]:
    """Format, width, height and bytes of a row."""
    shown = " x ".join(map(str, shape))
    if 0 in shape:
        raise ArgumentError(f"an array of {shown} has no pixels")
    if format == "nv12":
        if len(shape) != 2 or shape[0] % 3 or shape[1] % 2:
            raise ArgumentError(
                f"an array of {shown} is no nv12; expected 3/2 height x width, both sides even")
        return format, shape[1], shape[0] * 2 // 3, shape[1]
    channels = 1 if len(shape) == 2 else shape[2] if len(shape) == 3 else 0
    guess = {1: "gray", 3: "bgr", 4: "bgra"}.get(channels)
    if format is None:
        format = guess
    if format is None or CHANNELS[format] != channels:
        hint = ""
        if len(shape) == 3 and shape[0] in (1, 3, 4):
            hint = "; move the channels to the end first, as with transpose(1, 2, 0)"
        elif len(shape) == 4:
            hint = "; give the pictures of a batch as a list"
        wanted = "height x width x 3, x 4, or height x width" if format is None else (
            f"height x width x {CHANNELS[format]} for {format}")
        raise ArgumentError(f"an array of {shown} was given; expected {wanted}{hint}")
    return format, shape[1], shape[0], shape[1] * channels


# Pillow


def _is_pillow(value: Any) -> bool:
    return hasattr(value, "mode") and hasattr(value, "tobytes") and hasattr(value, "getexif")


class _ArrowArray(ctypes.Structure):
    """The C data interface of Arrow."""


_ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowArray))),
    ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


def _pillow(image: Any) -> Lent:
    try:
        image.load()
        orientation = image.getexif().get(0x0112, 1)
    except Exception as error:
        raise ArgumentError(f"the Pillow image cannot be read: {error}") from error
    if image.mode not in ("RGB", "RGBA", "L"):
        image = image.convert("RGB")
    width, height = image.size
    if width < 1 or height < 1:
        raise ArgumentError(f"an image of {width} x {height} has no pixels")
    pixels = empty_pixels()
    pixels.width, pixels.height = width, height
    owner, address, channels = _lent_by_arrow(image)
    if address:
        pixels.format = FORMATS["rgba" if channels == 4 else "gray"]
        pixels.data, pixels.byte_count = address, width * height * channels
    else:
        content = image.tobytes()
        pixels.format = FORMATS[{"RGB": "rgb", "RGBA": "rgba", "L": "gray"}[image.mode]]
        owner, pixels.byte_count = content, len(content)
        pixels.data = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p).value
    return Lent(pixels, owner, orientation if orientation in range(1, 9) else 1)


def _lent_by_arrow(image: Any) -> tuple[Any, int, int]:
    """The owner, the address and the channels of pixels where they lie; address 0 if they do not.

    Pillow 11.2 and newer lend images of one block: RGB as 4 bytes a pixel.
    """
    lend = getattr(image, "__arrow_c_array__", None)
    if lend is None:
        return None, 0, 0
    try:
        capsules = lend()
    except Exception:
        return None, 0, 0  # images of several blocks are not lent
    array = ctypes.cast(
        _capsule(capsules[1], b"arrow_array"), ctypes.POINTER(_ArrowArray)).contents
    channels, values = 1, array
    if array.n_children == 1:
        channels, values = 4, array.children[0].contents
    count = image.size[0] * image.size[1]
    wanted = 1 if image.mode == "L" else 4
    if (array.length != count or values.length != count * channels or channels != wanted
            or array.offset or values.offset or values.n_buffers != 2):
        return None, 0, 0
    return capsules, values.buffers[1] or 0, channels
