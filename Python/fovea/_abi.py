# Fovea - the structures and functions of libfovea, as ctypes sees them.
# SPDX-License-Identifier: Apache-2.0
"""The structures and functions of libfovea (``include/fovea/fovea.h``)."""

from __future__ import annotations

from ctypes import (
    CDLL, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t,
    c_uint8, c_uint32, c_uint64, c_void_p,
)
from typing import Any


class ModelOptions(Structure):
    """``fovea_model_options``"""

    _fields_ = [
        ("size", c_size_t), ("backend", c_int32), ("threads", c_int32), ("last_stage", c_int32),
        ("outputs", c_int32), ("coded_weights", c_int32), ("reserved", c_int32),
        ("width", c_int64), ("height", c_int64), ("function", c_char_p), ("head", c_char_p),
        ("name", c_char_p), ("maximum_session_bytes", c_uint64), ("scale", c_double * 3),
        ("bias", c_double * 3), ("color", c_int32), ("reserved_color", c_int32),
        ("boxes", c_char_p), ("scores", c_char_p), ("task", c_char_p),
    ]


class ModelInfo(Structure):
    """``fovea_model_info``"""

    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("backend", c_char_p), ("function", c_char_p),
        ("short_description", c_char_p), ("author", c_char_p), ("license", c_char_p),
        ("version", c_char_p), ("predicted_label", c_char_p),
        ("predicted_probabilities", c_char_p), ("specification_version", c_int32),
        ("detects", c_int32), ("classifies", c_int32), ("is_compiled", c_int32),
        ("input_count", c_size_t), ("output_count", c_size_t), ("label_count", c_size_t),
        ("function_count", c_size_t), ("metadata_count", c_size_t), ("width", c_int64),
        ("height", c_int64), ("confidence", c_double), ("iou", c_double),
        ("box_voting", c_double), ("soft_suppression", c_double), ("file_bytes", c_uint64),
        ("session_bytes", c_uint64), ("threads", c_int32), ("reserved", c_int32),
        ("picture_input", c_char_p), ("picture_reason", c_char_p), ("scale", c_double * 3),
        ("bias", c_double * 3), ("color", c_int32), ("reserved_color", c_int32),
        ("head", c_char_p), ("head_reason", c_char_p), ("left_out", c_char_p),
    ]


class Feature(Structure):
    """``fovea_feature``"""

    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("short_description", c_char_p),
        ("kind", c_int32), ("type", c_int32), ("color", c_int32), ("is_optional", c_int32),
        ("run_type", c_int32), ("rank", c_int32), ("shape", POINTER(c_int64)),
        ("shapes", c_int32), ("reserved", c_int32), ("allowed_count", c_size_t),
        ("allowed", POINTER(c_int64)),
    ]


class Array(Structure):
    """``fovea_array``"""

    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("type", c_int32), ("rank", c_int32),
        ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("data", c_void_p),
        ("byte_count", c_size_t), ("offset", c_size_t),
    ]


class Pixels(Structure):
    """``fovea_pixels``"""

    _fields_ = [
        ("size", c_size_t), ("format", c_int32), ("alpha", c_int32), ("yuv", c_int32),
        ("background", c_uint8 * 4), ("width", c_int64), ("height", c_int64),
        ("row_bytes", c_int64), ("chroma_offset", c_int64), ("chroma_row_bytes", c_int64),
        ("data", c_void_p), ("byte_count", c_size_t),
    ]


class Setting(Structure):
    """``fovea_setting``"""

    _fields_ = [("name", c_char_p), ("value", c_double)]


class DetectOptions(Structure):
    """``fovea_detect_options``"""

    _fields_ = [
        ("size", c_size_t), ("orientation", c_int32), ("crop_and_scale", c_int32),
        ("padding", c_int32), ("filter", c_int32), ("decode_full", c_int32),
        ("match_aspect", c_int32), ("region_x", c_double), ("region_y", c_double),
        ("region_width", c_double), ("region_height", c_double), ("confidence", c_double),
        ("iou", c_double), ("box_voting", c_double), ("soft_suppression", c_double),
        ("class_agnostic", c_int32), ("multi_label", c_int32), ("maximum_count", c_size_t),
        ("labels", POINTER(c_char_p)), ("label_count", c_size_t),
        ("settings", POINTER(Setting)), ("setting_count", c_size_t),
    ]


class Label(Structure):
    """``fovea_label``"""

    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("class_index", c_int32),
        ("confidence", c_float),
    ]


class Mask(Structure):
    """``fovea_mask``"""

    _fields_ = [
        ("size", c_size_t), ("x", c_int64), ("y", c_int64), ("width", c_int64),
        ("height", c_int64), ("area", c_int64), ("counts", c_char_p),
    ]


class KeyPoint(Structure):
    """``fovea_keypoint``"""

    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("x", c_double), ("y", c_double),
        ("confidence", c_float), ("reserved", c_int32),
    ]


class Object(Structure):
    """``fovea_object``"""

    _fields_ = [
        ("size", c_size_t), ("label", c_char_p), ("class_index", c_int32),
        ("confidence", c_float), ("x", c_double), ("y", c_double), ("width", c_double),
        ("height", c_double), ("bounding_box", c_double * 4), ("total_confidence", c_float),
        ("reserved", c_int32), ("label_count", c_size_t), ("labels", POINTER(Label)),
        ("mask", POINTER(Mask)), ("keypoint_count", c_size_t), ("keypoints", POINTER(KeyPoint)),
        ("corners", POINTER(c_double)), ("rotation", c_double),
    ]


class PictureInfo(Structure):
    """``fovea_picture_info``"""

    _fields_ = [
        ("size", c_size_t), ("width", c_int64), ("height", c_int64), ("input_width", c_int64),
        ("input_height", c_int64), ("orientation", c_int32), ("reserved", c_int32),
        ("seen", c_double * 4), ("padding", c_double * 4), ("input_to_picture", c_double * 6),
        ("decode_ms", c_double), ("prepare_ms", c_double), ("inference_ms", c_double),
        ("postprocess_ms", c_double),
    ]


class Box(Structure):
    """``fovea_box``"""

    _fields_ = [
        ("size", c_size_t), ("label", c_char_p), ("class_index", c_int32),
        ("confidence", c_float), ("x", c_double), ("y", c_double), ("width", c_double),
        ("height", c_double), ("corners", POINTER(c_double)), ("mask_counts", c_char_p),
        ("keypoint_count", c_size_t), ("keypoints", POINTER(KeyPoint)),
    ]


class DrawingStyle(Structure):
    """``fovea_drawing_style``"""

    _fields_ = [("size", c_size_t), ("line_width", c_double), ("font_size", c_double)]


class VideoOptions(Structure):
    """``fovea_video_options``"""

    _fields_ = [
        ("size", c_size_t), ("keep", c_int32), ("paced", c_int32), ("track", c_int32),
        ("camera_moves", c_int32), ("maximum_reconnects", c_int32),
        ("decoder_threads", c_int32), ("deadline", c_double), ("camera_width", c_int64),
        ("camera_height", c_int64), ("camera_rate", c_double),
    ]


class Frame(Structure):
    """``fovea_frame``"""

    _fields_ = [
        ("size", c_size_t), ("index", c_int64), ("time", c_double), ("stated_time", c_double),
        ("age", c_double), ("latency", c_double), ("is_time_estimated", c_int32),
        ("is_late", c_int32), ("is_damaged", c_int32), ("reserved", c_int32),
        ("decoded", c_int64), ("taken", c_int64), ("dropped", c_int64), ("late", c_int64),
        ("damaged", c_int64), ("lost", c_int64), ("passed_errors", c_int64),
        ("reconnects", c_int64),
    ]


class Track(Structure):
    """``fovea_track``"""

    _fields_ = [
        ("size", c_size_t), ("identifier", c_int64), ("label", c_char_p),
        ("confidence", c_float), ("object", c_int32), ("x", c_double), ("y", c_double),
        ("width", c_double), ("height", c_double), ("bounding_box", c_double * 4),
    ]


_OUT = POINTER(c_void_p)
_TEXT = c_char_p
_STATUS = c_int

# Name: result, arguments. Messages come as addresses, because ctypes would copy texts and lose them.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "fovea_version_string": (_TEXT, []),
    "fovea_status_name": (_TEXT, [_STATUS]),
    "fovea_free": (None, [c_void_p]),
    "fovea_model_options_init": (None, [POINTER(ModelOptions), c_size_t]),
    "fovea_model_open": (_STATUS, [_TEXT, POINTER(ModelOptions), _OUT, _OUT]),
    "fovea_model_open_bytes":
        (_STATUS, [c_void_p, c_size_t, POINTER(ModelOptions), _OUT, _OUT]),
    "fovea_model_open_codes_and_text": (_STATUS, [POINTER(ModelOptions), _OUT, _OUT]),
    "fovea_model_close": (None, [c_void_p]),
    "fovea_model_get_info": (POINTER(ModelInfo), [c_void_p]),
    "fovea_model_label": (_TEXT, [c_void_p, c_size_t]),
    "fovea_model_function": (_TEXT, [c_void_p, c_size_t]),
    "fovea_model_metadata_key": (_TEXT, [c_void_p, c_size_t]),
    "fovea_model_metadata_value": (_TEXT, [c_void_p, c_size_t]),
    "fovea_model_input": (POINTER(Feature), [c_void_p, c_size_t]),
    "fovea_model_output": (POINTER(Feature), [c_void_p, c_size_t]),
    "fovea_model_run": (_STATUS, [c_void_p, POINTER(Array), c_size_t, _OUT, _OUT]),
    "fovea_result_array_count": (c_size_t, [c_void_p]),
    "fovea_result_array": (POINTER(Array), [c_void_p, c_size_t]),
    "fovea_result_free": (None, [c_void_p]),
    "fovea_result_object_count": (c_size_t, [c_void_p]),
    "fovea_result_object": (POINTER(Object), [c_void_p, c_size_t]),
    "fovea_result_mask_pixels": (
        _STATUS, [c_void_p, c_size_t, c_void_p, c_size_t, _OUT]),
    "fovea_result_mask_outlines": (
        c_size_t, [c_void_p, c_size_t, POINTER(c_double), c_size_t]),
    "fovea_result_label_count": (c_size_t, [c_void_p]),
    "fovea_result_label": (POINTER(Label), [c_void_p, c_size_t]),
    "fovea_result_picture": (POINTER(PictureInfo), [c_void_p]),
    "fovea_setting_name": (_TEXT, [c_size_t]),
    "fovea_detect_options_init": (None, [POINTER(DetectOptions), c_size_t]),
    "fovea_picture_open": (_STATUS, [_TEXT, c_int32, _OUT, _OUT]),
    "fovea_picture_decode": (_STATUS, [c_void_p, c_size_t, c_int32, _OUT, _OUT]),
    "fovea_picture_copy": (_STATUS, [POINTER(Pixels), c_int32, _OUT, _OUT]),
    "fovea_picture_pixels": (POINTER(Pixels), [c_void_p]),
    "fovea_picture_close": (None, [c_void_p]),
    "fovea_picture_draw_styled":
        (_STATUS, [c_void_p, POINTER(Box), c_size_t, POINTER(DrawingStyle), _OUT, _OUT]),
    "fovea_picture_write": (_STATUS, [c_void_p, _TEXT, c_int, c_int32, _OUT]),
    "fovea_picture_encode":
        (_STATUS, [c_void_p, c_int, c_int32, _OUT, POINTER(c_size_t), _OUT]),
    "fovea_video_options_init": (None, [POINTER(VideoOptions), c_size_t]),
    "fovea_video_open":
        (_STATUS, [c_void_p, _TEXT, POINTER(DetectOptions), POINTER(VideoOptions), _OUT, _OUT]),
    "fovea_video_close": (None, [c_void_p]),
    "fovea_video_wait": (_STATUS, [c_void_p, c_double, POINTER(c_int32), _OUT]),
    "fovea_video_next": (_STATUS, [c_void_p, _OUT, _OUT]),
    "fovea_result_copy_picture": (_STATUS, [c_void_p, _OUT, _OUT]),
    "fovea_result_frame": (POINTER(Frame), [c_void_p]),
    "fovea_result_track_count": (c_size_t, [c_void_p]),
    "fovea_result_track": (POINTER(Track), [c_void_p, c_size_t]),
    "fovea_pixels_init": (None, [POINTER(Pixels), c_size_t]),
}
for _verb in ("detect", "classify"):
    FUNCTIONS[f"fovea_{_verb}_file"] = (
        _STATUS, [c_void_p, _TEXT, POINTER(DetectOptions), _OUT, _OUT])
    FUNCTIONS[f"fovea_{_verb}_bytes"] = (
        _STATUS, [c_void_p, c_void_p, c_size_t, POINTER(DetectOptions), _OUT, _OUT])
    FUNCTIONS[f"fovea_{_verb}_pixels"] = (
        _STATUS, [c_void_p, POINTER(Pixels), POINTER(DetectOptions), _OUT, _OUT])
FUNCTIONS["fovea_map_file"] = (
    _STATUS, [c_void_p, _TEXT, c_int32, POINTER(DetectOptions), _OUT, _OUT])
FUNCTIONS["fovea_map_bytes"] = (
    _STATUS, [c_void_p, c_void_p, c_size_t, c_int32, POINTER(DetectOptions), _OUT, _OUT])
FUNCTIONS["fovea_map_pixels"] = (
    _STATUS, [c_void_p, POINTER(Pixels), c_int32, POINTER(DetectOptions), _OUT, _OUT])


def declare(library: CDLL) -> None:
    """Tells ctypes what the functions of the library take and give."""
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
