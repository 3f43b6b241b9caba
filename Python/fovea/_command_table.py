# Fovea - the commands of the program, and the types of their options.
# SPDX-License-Identifier: Apache-2.0
"""The commands of the program, and the types of their options.

Python/command_table.py wrote this from what the program says about itself: change nothing here.
"""

from __future__ import annotations

from typing import TypedDict

from ._command_types import (  # noqa: F401
    File, FileList, Number, Numbers, Pairs, Places, Size, Sizes, Switch, Text, TextList, Texts,
    Whole,
)

LookOptions = TypedDict("LookOptions", {
    "only": "Texts", "faces": "File", "draw": "File", "roi": "Numbers", "orientation": "Whole",
}, total=False)
CodesOptions = TypedDict("CodesOptions", {
    "symbology": "Texts", "one": "Switch", "fast": "Switch", "unread": "Switch", "draw": "File",
    "roi": "Numbers", "orientation": "Whole",
}, total=False)
TextOptions = TypedDict("TextOptions", {
    "level": "Text", "language": "Text", "no_correction": "Switch", "word": "TextList",
    "min_height": "Number", "recognizer": "File", "dictionary": "File", "detector": "File",
    "draw": "File", "roi": "Numbers", "orientation": "Whole",
}, total=False)
RectanglesOptions = TypedDict("RectanglesOptions", {
    "minimum_confidence": "Number", "minimum_size": "Number", "minimum_aspect": "Number",
    "maximum_aspect": "Number", "tolerance": "Number", "maximum": "Whole", "draw": "File",
    "roi": "Numbers", "orientation": "Whole",
}, total=False)
RectifyOptions = TypedDict("RectifyOptions", {
    "corners": "Numbers", "width": "Whole", "height": "Whole", "orientation": "Whole",
}, total=False)
FacesOptions = TypedDict("FacesOptions", {
    "model": "File", "landmarks": "File", "confidence": "Number", "minimum_size": "Number",
    "draw": "File", "roi": "Numbers", "orientation": "Whole",
}, total=False)
SegmentOptions = TypedDict("SegmentOptions", {
    "draw": "File", "task": "Text", "array": "Text", "function": "Text", "size": "Size",
    "backend": "Text", "weights": "Text", "calibrate": "File", "quality": "Number",
    "float_share": "Number", "int16_share": "Number", "threads": "Whole", "scale": "Numbers",
    "bias": "Numbers", "color": "Text", "crop_and_scale": "Text", "padding": "Text",
    "roi": "Numbers", "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
DepthOptions = TypedDict("DepthOptions", {
    "draw": "File", "task": "Text", "array": "Text", "function": "Text", "size": "Size",
    "backend": "Text", "weights": "Text", "calibrate": "File", "quality": "Number",
    "float_share": "Number", "int16_share": "Number", "threads": "Whole", "scale": "Numbers",
    "bias": "Numbers", "color": "Text", "crop_and_scale": "Text", "padding": "Text",
    "roi": "Numbers", "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
TransformOptions = TypedDict("TransformOptions", {
    "resize": "Switch", "output_scale": "Number", "output_bias": "Number", "task": "Text",
    "array": "Text", "function": "Text", "size": "Size", "backend": "Text", "weights": "Text",
    "calibrate": "File", "quality": "Number", "float_share": "Number", "int16_share": "Number",
    "threads": "Whole", "scale": "Numbers", "bias": "Numbers", "color": "Text",
    "crop_and_scale": "Text", "padding": "Text", "roi": "Numbers", "orientation": "Whole",
    "filter": "Text", "decode_full": "Switch",
}, total=False)
EmbedOptions = TypedDict("EmbedOptions", {
    "task": "Text", "array": "Text", "function": "Text", "size": "Size", "backend": "Text",
    "weights": "Text", "calibrate": "File", "quality": "Number", "float_share": "Number",
    "int16_share": "Number", "threads": "Whole", "scale": "Numbers", "bias": "Numbers",
    "color": "Text", "crop_and_scale": "Text", "padding": "Text", "roi": "Numbers",
    "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
PreviewOptions = TypedDict("PreviewOptions", {
    "model": "File", "function": "Text", "size": "Size", "match_aspect": "Switch", "head": "Text",
    "boxes": "Text", "scores": "Text", "task": "Text", "outline": "File", "sheet": "Switch",
    "crop_and_scale": "Text", "padding": "Text", "roi": "Numbers", "orientation": "Whole",
    "filter": "Text", "decode_full": "Switch",
}, total=False)
WatchOptions = TypedDict("WatchOptions", {
    "keep": "Text", "realtime": "Switch", "deadline": "Number", "frames": "Whole",
    "timeout": "Number", "reconnect": "Whole", "decoder_threads": "Whole", "both_fields": "Switch",
    "frames_info": "Switch", "rgb_md5": "Switch", "model": "File", "function": "Text",
    "size": "Size", "match_aspect": "Switch", "head": "Text", "boxes": "Text", "scores": "Text",
    "task": "Text", "backend": "Text", "weights": "Text", "calibrate": "File", "quality": "Number",
    "float_share": "Number", "int16_share": "Number", "threads": "Whole", "draw": "File",
    "audio": "Switch", "blur": "Texts", "crop": "File", "serve": "Text", "token": "Text",
    "track": "Switch", "camera_moves": "Switch", "prominent": "Whole", "counts": "File",
    "line": "Places", "zone": "Places", "anchor": "Text", "track_high_thresh": "Number",
    "track_low_thresh": "Number", "new_track_thresh": "Number", "track_buffer": "Whole",
    "match_thresh": "Number", "coast": "Whole", "follow": "Numbers", "level": "Text",
    "confidence": "Number", "iou": "Number", "box_voting": "Number", "soft_suppression": "Number",
    "class_agnostic": "Switch", "max": "Whole", "only": "Texts", "scale": "Numbers",
    "bias": "Numbers", "color": "Text", "crop_and_scale": "Text", "padding": "Text",
    "roi": "Numbers", "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
TrackOptions = TypedDict("TrackOptions", {
    "detections": "File", "seqinfo": "File", "frame_rate": "Whole", "camera_motion": "File",
    "counts": "File", "track_high_thresh": "Number", "track_low_thresh": "Number",
    "new_track_thresh": "Number", "track_buffer": "Whole", "match_thresh": "Number",
    "coast": "Whole", "line": "Places", "zone": "Places", "anchor": "Text",
}, total=False)
ServeOptions = TypedDict("ServeOptions", {
    "listen": "Text", "token": "Text", "zmq": "Text", "queue": "Whole", "rename": "Pairs",
    "function": "Text", "size": "Size", "match_aspect": "Switch", "head": "Text", "boxes": "Text",
    "scores": "Text", "task": "Text", "backend": "Text", "weights": "Text", "calibrate": "File",
    "quality": "Number", "float_share": "Number", "int16_share": "Number", "threads": "Whole",
    "confidence": "Number", "iou": "Number", "box_voting": "Number", "soft_suppression": "Number",
    "class_agnostic": "Switch", "max": "Whole", "only": "Texts", "scale": "Numbers",
    "bias": "Numbers", "color": "Text", "crop_and_scale": "Text", "padding": "Text",
    "roi": "Numbers", "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
GetOptions = TypedDict("GetOptions", {
    "list": "Switch", "from_": "Text", "catalog": "File", "patience": "Number",
}, total=False)
TrainOptions = TypedDict("TrainOptions", {
    "starters": "File", "backgrounds": "File", "annotations": "File", "start_from": "Text",
    "minutes": "Whole", "steps": "Whole", "seed": "Whole", "size": "Text", "batch": "Whole",
    "threads": "Whole", "rate": "Number", "validation": "File", "validation_annotations": "File",
    "no_mirror": "Switch", "from_above": "Switch", "metadata": "Pairs", "half": "Switch",
    "int8": "Switch", "resume": "Text",
}, total=False)
DistillOptions = TypedDict("DistillOptions", {
    "teacher": "Text", "images": "File", "student": "Text", "only": "Texts", "teacher_size": "Text",
    "threshold": "Number", "doubt": "Number", "minutes": "Whole", "steps": "Whole", "seed": "Whole",
    "size": "Text", "batch": "Whole", "threads": "Whole", "rate": "Number", "validation": "File",
    "validation_annotations": "File", "no_mirror": "Switch", "from_above": "Switch",
    "metadata": "Pairs", "half": "Switch", "int8": "Switch", "resume": "Text",
}, total=False)
InspectOptions = TypedDict("InspectOptions", {
    "function": "Text", "size": "Size", "head": "Text", "boxes": "Text", "scores": "Text",
    "task": "Text", "input": "Text", "scale": "Numbers", "bias": "Numbers", "color": "Text",
    "profile": "Switch", "plan": "Switch", "plan_svg": "File", "runs": "Whole", "backend": "Text",
    "weights": "Text", "calibrate": "File", "quality": "Number", "float_share": "Number",
    "int16_share": "Number", "threads": "Whole",
}, total=False)
CompileOptions = TypedDict("CompileOptions", {
    "function": "Text", "size": "Size", "head": "Text", "boxes": "Text", "scores": "Text",
    "task": "Text", "input": "Text", "scale": "Numbers", "bias": "Numbers", "color": "Text",
    "backend": "Text", "calibrate": "File", "quality": "Number", "float_share": "Number",
    "int16_share": "Number", "max_loss": "Number", "weights": "Text", "stage": "Whole",
}, total=False)
ConvertOptions = TypedDict("ConvertOptions", {
    "function": "Text", "size": "Size", "input": "Text", "scale": "Numbers", "bias": "Numbers",
    "color": "Text", "shape": "Sizes", "metadata": "Pairs", "labels": "File", "only": "Texts",
    "head": "Text", "boxes": "Text", "scores": "Text", "task": "Text", "nms": "Switch",
    "iou": "Number", "confidence": "Number", "agnostic": "Switch", "float16": "Switch",
    "bits": "Whole",
}, total=False)
QuantizeOptions = TypedDict("QuantizeOptions", {
    "bits": "Whole", "kind": "Text", "grouped_bits": "Whole", "calibrate": "File", "size": "Whole",
    "per_tensor": "Switch", "biases": "Switch", "keep_scales": "Switch", "report": "File",
    "threads": "Whole",
}, total=False)
EvaluateOptions = TypedDict("EvaluateOptions", {
    "annotations": "File", "images": "File", "detections": "File", "function": "Text",
    "size": "Size", "match_aspect": "Switch", "head": "Text", "boxes": "Text", "scores": "Text",
    "task": "Text", "backend": "Text", "weights": "Text", "calibrate": "File", "threads": "Whole",
    "confidence": "Number", "iou": "Number", "max": "Whole", "multi_label": "Switch",
    "plot": "File", "plot_classes": "Texts", "report": "File", "levels_per_meter": "Whole",
    "scale": "Numbers", "bias": "Numbers", "color": "Text", "box_voting": "Number",
    "soft_suppression": "Number", "crop_and_scale": "Text", "padding": "Text", "roi": "Numbers",
    "orientation": "Whole", "filter": "Text", "decode_full": "Switch", "tracks": "FileList",
    "truth": "FileList", "seqinfo": "FileList", "rules": "Text",
}, total=False)
CompareOptions = TypedDict("CompareOptions", {
    "backends": "Texts", "images": "File", "layers": "Switch", "report": "File", "function": "Text",
    "size": "Size", "match_aspect": "Switch", "head": "Text", "boxes": "Text", "scores": "Text",
    "task": "Text", "calibrate": "File", "threads": "Whole", "confidence": "Number",
    "iou": "Number", "scale": "Numbers", "bias": "Numbers", "color": "Text", "box_voting": "Number",
    "soft_suppression": "Number", "crop_and_scale": "Text", "padding": "Text", "roi": "Numbers",
    "orientation": "Whole", "filter": "Text", "decode_full": "Switch",
}, total=False)
AnnotationsOptions = TypedDict("AnnotationsOptions", {
    "annotations": "File", "units": "Text", "origin": "Text", "anchor": "Text", "to": "Text",
    "side": "Whole", "validation": "Number", "seed": "Whole", "max": "Whole", "model": "File",
    "only": "Texts", "confidence": "Number", "box": "Places", "label": "TextList", "every": "Whole",
}, total=False)

COMMANDS = {
    "look": LookOptions,
    "codes": CodesOptions,
    "text": TextOptions,
    "rectangles": RectanglesOptions,
    "rectify": RectifyOptions,
    "faces": FacesOptions,
    "segment": SegmentOptions,
    "depth": DepthOptions,
    "transform": TransformOptions,
    "embed": EmbedOptions,
    "preview": PreviewOptions,
    "watch": WatchOptions,
    "track": TrackOptions,
    "serve": ServeOptions,
    "get": GetOptions,
    "train": TrainOptions,
    "distill": DistillOptions,
    "inspect": InspectOptions,
    "compile": CompileOptions,
    "convert": ConvertOptions,
    "quantize": QuantizeOptions,
    "evaluate": EvaluateOptions,
    "compare": CompareOptions,
    "annotations": AnnotationsOptions,
}

# Options whose keyword is not their name.
FLAGS = {
    "from_": "--from", "match_thresh": "--match_thresh", "new_track_thresh": "--new_track_thresh",
    "track_buffer": "--track_buffer", "track_high_thresh": "--track_high_thresh",
    "track_low_thresh": "--track_low_thresh",
}
