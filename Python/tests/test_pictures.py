# Fovea - tests: pictures of other packages.
# SPDX-License-Identifier: Apache-2.0
"""Pictures of Pillow, NumPy and others give what the file gives."""

from __future__ import annotations

import array
import ctypes
import gc
import io
import unittest
from typing import Any

import fovea
from fovea import _pixels
from support import IMAGE, MODEL, load, needs, needs_shared, shared

numpy: Any = load("numpy")
pillow: Any = load("PIL")
if pillow:
    import PIL.Image


class BufferTests(unittest.TestCase):
    """Memory of objects with a buffer, without another package."""

    def test_bytes_of_pixels_are_read(self) -> None:
        model = fovea.Model(MODEL)
        picture = fovea.Picture.open(IMAGE)
        shape = (picture.height, picture.width, 3)
        view = memoryview(picture.tobytes()).cast("B", shape)
        self.assertEqual(list(model(view, format="rgb")), list(model(IMAGE)))
        writable = memoryview(bytearray(picture.tobytes())).cast("B", shape)
        self.assertEqual(list(model(writable, format="rgb")), list(model(IMAGE)))
        # Rows from below, turned: negative steps are copied.
        self.assertEqual(
            len(model(writable[::-1], format="rgb", orientation=4)), len(model(IMAGE)))

    def test_memory_of_other_types_is_refused(self) -> None:
        model = fovea.Model(MODEL)
        floats = memoryview(array.array("f", [0] * 300)).cast("B").cast("f", (10, 10, 3))
        with self.assertRaisesRegex(fovea.ArgumentError, "float32.*uint8"):
            model(floats)
        with self.assertRaisesRegex(fovea.ArgumentError, "elements of the format"):
            model(array.array("u", "abc") if hasattr(array, "ArrayType") else array.array("H"))

    def test_formats_of_cameras(self) -> None:
        model = fovea.Model(MODEL)
        for format, size in (("nv12", (360, 480)), ("yuyv", (240, 480, 2)), ("gray", (90, 80)),
                             ("bgra", (90, 80, 4)), ("rgba", (90, 80, 4))):
            count = 1
            for side in size:
                count *= side
            pixels = memoryview(bytes(count)).cast("B", size)
            height = 240 if format in ("nv12", "yuyv") else 90
            self.assertEqual(model(pixels, format=format).height, height)
        for format, size in (("nv12", (361, 480)), ("yuyv", (240, 480, 3)), ("rgb", (90, 80)),
                             ("gray", (90, 80, 3)), ("rgb", (3, 90, 80))):
            count = 1
            for side in size:
                count *= side
            with self.assertRaises(fovea.ArgumentError):
                model(memoryview(bytes(count)).cast("B", size), format=format)

    def test_buffers_are_given_back(self) -> None:
        content = bytearray(90 * 80 * 3)
        view = memoryview(content).cast("B", (90, 80, 3))
        found = _pixels.source(view, "rgb")
        with self.assertRaises(BufferError):
            content.append(1)
        del found, view
        gc.collect()
        content.append(1)


class FakeTensor:
    """A tensor that is lent by DLPack only, as another package would."""

    def __init__(self, values: Any, device: int = 1) -> None:
        self.values, self.device = values, device

    def __dlpack__(self, **_: Any) -> Any:
        return self.values.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


@needs("numpy")
class NumpyTests(unittest.TestCase):
    """Arrays."""

    def setUp(self) -> None:
        self.model = fovea.Model(MODEL)
        self.expected = list(self.model(IMAGE))
        self.rgb = fovea.Picture.open(IMAGE).numpy()

    def test_arrays_give_what_the_file_gives(self) -> None:
        bgr = self.rgb[:, :, ::-1]
        alpha = numpy.full(self.rgb.shape[:2] + (1,), 7, dtype=numpy.uint8)
        for values, format in (
            (numpy.ascontiguousarray(bgr), None), (bgr, None), (self.rgb, "rgb"),
            (numpy.concatenate([bgr, alpha], axis=2), None), (numpy.asfortranarray(bgr), None),
            (numpy.concatenate([self.rgb, alpha], axis=2), "rgba"),
        ):
            self.assertEqual(list(self.model(values, format=format)), self.expected)

    def test_parts_of_arrays_are_lent(self) -> None:
        wide = numpy.zeros((400, 600, 3), dtype=numpy.uint8)
        height, width = self.rgb.shape[:2]
        part = wide[20 : 20 + height, 33 : 33 + width]
        part[:] = self.rgb
        found = _pixels.source(part, "rgb")
        assert isinstance(found, _pixels.Lent)
        self.assertEqual(found.pixels.data, part.ctypes.data)
        self.assertEqual(found.pixels.row_bytes, 1800)
        self.assertEqual(list(self.model(part, format="rgb")), self.expected)

    def test_read_only_and_odd_arrays(self) -> None:
        frozen = self.rgb.copy()
        frozen.flags.writeable = False
        self.assertEqual(list(self.model(frozen, format="rgb")), self.expected)
        one = numpy.broadcast_to(numpy.array([1, 2, 3], dtype=numpy.uint8), (50, 60, 3))
        self.assertEqual(self.model(one).height, 50)
        with self.assertRaises(fovea.ArgumentError):
            self.model(self.rgb.astype(numpy.float32))
        with self.assertRaisesRegex(fovea.ArgumentError, "transpose"):
            self.model(numpy.zeros((3, 20, 30), dtype=numpy.uint8))
        with self.assertRaisesRegex(fovea.ArgumentError, "as a list"):
            self.model(numpy.zeros((2, 20, 30, 3), dtype=numpy.uint8))
        with self.assertRaisesRegex(fovea.ArgumentError, "no pixels"):
            self.model(numpy.zeros((0, 20, 3), dtype=numpy.uint8))
        for values in (numpy.array(["a"]), numpy.array([None]), numpy.zeros((2, 2, 3), bool)):
            with self.assertRaises(fovea.ArgumentError):
                self.model(values)

    def test_pictures_are_arrays(self) -> None:
        picture = fovea.Picture.open(IMAGE)
        self.assertTrue(numpy.array_equal(numpy.asarray(picture), self.rgb))
        self.assertEqual(list(self.model(picture)), self.expected)
        self.assertEqual(list(self.model([picture])[0]), self.expected)

    def test_array_interfaces_are_read(self) -> None:
        class Interface:
            """An array that is lent by its interface only."""

            def __init__(self, **interface: Any) -> None:
                self.__array_interface__ = dict(interface, version=3)

        shape, data = self.rgb.shape, self.rgb.tobytes()
        for interface in (
            Interface(shape=shape, typestr="|u1", data=(self.rgb.ctypes.data, True)),
            Interface(shape=shape, typestr="|u1", data=data),
            Interface(shape=shape, typestr="|u1", data=b"12" + data, offset=2),
        ):
            self.assertEqual(list(self.model(interface, format="rgb")), self.expected)
        for interface in (
            Interface(shape=shape, typestr="|u1", data=data[:-1]),
            Interface(shape=shape, typestr="|u1", data=data, offset=1),
            Interface(shape=shape, typestr="|u1", data=data, strides=(-1440, 3, 1)),
        ):
            with self.assertRaisesRegex(fovea.ArgumentError, "fewer bytes"):
                self.model(interface, format="rgb")
        with self.assertRaisesRegex(fovea.ArgumentError, "<m8"):
            self.model(Interface(shape=shape, typestr="<m8", data=data))

    def test_tensors_are_lent_by_dlpack(self) -> None:
        self.assertEqual(list(self.model(FakeTensor(self.rgb), format="rgb")), self.expected)
        with self.assertRaisesRegex(fovea.ArgumentError, "GPU"):
            self.model(FakeTensor(self.rgb, device=2))
        with self.assertRaisesRegex(fovea.ArgumentError, "float32"):
            self.model(FakeTensor(self.rgb.astype(numpy.float32)))


@needs("PIL")
class PillowTests(unittest.TestCase):
    """Images of Pillow."""

    def test_images_give_what_the_file_gives(self) -> None:
        model = fovea.Model(MODEL)
        expected = list(model(IMAGE))
        with PIL.Image.open(IMAGE) as image:
            self.assertEqual(list(model(image)), expected)
            self.assertEqual(list(model(image.convert("RGBA"))), expected)
            self.assertEqual(len(model(image.convert("L"))), len(model(image.convert("LA"))))
            self.assertEqual(
                list(model(image.crop((0, 0, 300, 200)).convert("P").convert("RGB"))),
                list(model(image.crop((0, 0, 300, 200)).convert("P"))))

    @unittest.skipUnless(
        pillow and hasattr(PIL.Image.Image, "__arrow_c_array__"),
        "*** SKIPPED: Pillow before 11.2 lends no pixels")
    def test_pixels_are_lent_and_not_copied(self) -> None:
        image = PIL.Image.new("RGB", (64, 48), (1, 2, 3))
        found = _pixels.source(image, None)
        assert isinstance(found, _pixels.Lent)
        self.assertEqual(found.pixels.format, _pixels.FORMATS["rgba"])
        self.assertEqual(ctypes.string_at(found.pixels.data, 3), b"\1\2\3")
        gray = _pixels.source(PIL.Image.new("L", (5, 3), 9), None)
        assert isinstance(gray, _pixels.Lent)
        self.assertEqual(ctypes.string_at(gray.pixels.data, 15), b"\x09" * 15)

    def test_large_images_of_several_blocks_are_read(self) -> None:
        image = PIL.Image.new("RGB", (3000, 2500), (200, 100, 50))
        self.assertEqual(fovea.Model(MODEL)(image).width, 3000)

    @needs_shared()
    def test_orientation_is_that_of_the_file(self) -> None:
        model = fovea.Model(shared("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel"))
        for number in range(1, 9):
            path = shared(f"images/exif/orientation-{number}.jpg")
            with PIL.Image.open(path) as image:
                found = model(image)
            expected = model(path, decode_full=True)
            self.assertEqual(
                (found.orientation, found.orig_shape), (number, expected.orig_shape))
            self.assertEqual([one.label for one in found], [one.label for one in expected])
            for one, other in zip(found, expected):
                for value, wanted in zip(one.box, other.box):
                    self.assertAlmostEqual(value, wanted, delta=2)

    def test_broken_images_are_refused(self) -> None:
        with open(IMAGE, "rb") as file:
            image = PIL.Image.open(io.BytesIO(file.read(5000)))
        with self.assertRaisesRegex(fovea.ArgumentError, "cannot be read"):
            fovea.Model(MODEL)(image)


if __name__ == "__main__":
    unittest.main()
