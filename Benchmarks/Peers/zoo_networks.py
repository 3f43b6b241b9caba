# Fovea - the networks of the zoo.
# SPDX-License-Identifier: Apache-2.0
"""Networks of today at their usual sizes, with random weights: detectors with 80 classes, then
networks of masks and key points, then small classifiers with 1000.

Each network computes what its project exports for Core ML without suppression.
"""
import dataclasses
import typing

import zoo_classifiers
import zoo_detr
import zoo_efficientdet
import zoo_nanodet
import zoo_ssdlite
import zoo_ultralytics
import zoo_yolox


@dataclasses.dataclass(frozen=True)
class Network:
    """One network: how it is built, and what it is given.

    build: gives the network, from pictures to settle its statistics with and a seed.
    side: rows and columns of the input.
    scale, bias: of the input from bytes; a bias for red, green and blue.
    box_axis: where one tensor holds boxes (the first four) and scores, the axis of both.
    is_ranked: whether outputs are the best of many. Small errors then change their order.
    is_transformer: whether quantizers are told so.
    core_ml_form, ncnn_form: change the network before it is converted for them.
    """
    build: typing.Callable
    side: int
    scale: float = 1 / 255
    bias: tuple = (0.0, 0.0, 0.0)
    box_axis: int | None = None
    is_ranked: bool = False
    is_transformer: bool = False
    core_ml_form: typing.Callable = lambda network: None
    ncnn_form: typing.Callable = lambda network: None


def yolo(name, side, **options):
    return Network(zoo_ultralytics.yolo(name), side, box_axis=1,
                   core_ml_form=zoo_ultralytics.core_ml_form, **options)


def classifier(build):
    """With the mean and deviation of ImageNet, one scale for all colors as Core ML has it."""
    return Network(build, 224, scale=1 / 57.4, bias=(-2.15, -2.03, -1.8))


# RT-DETR has 320 pixels: with its 640 it would be ten times as large as the others, 30 GMAC, and
# take most of the time. D-FINE-n has the 640 that it is published with.
NETWORKS = {
    "yolov5n-640": Network(zoo_ultralytics.yolov5n, 640, box_axis=2),
    "yolov8n-640": yolo("yolov8n", 640),
    "yolov8n-320": yolo("yolov8n", 320),
    "yolo11n-640": yolo("yolo11n", 640),
    "yolo11n-320": yolo("yolo11n", 320),
    "yolo26n-640": Network(zoo_ultralytics.yolo("yolo26n"), 640, is_ranked=True,
                           core_ml_form=zoo_ultralytics.core_ml_form,
                           ncnn_form=zoo_ultralytics.without_choice),
    "yolox-nano-416": Network(zoo_yolox.yolox_nano, 416, scale=1.0, box_axis=2,
                              ncnn_form=zoo_yolox.ncnn_form),
    "nanodet-like-320": Network(zoo_nanodet.nanodet_like, 320, scale=1 / 57.4,
                                bias=(-2.15, -2.03, -1.8)),
    "ssdlite-mobilenetv3-320": Network(zoo_ssdlite.ssdlite, 320, scale=2 / 255,
                                       bias=(-1.0, -1.0, -1.0)),
    "efficientdet-lite-like-320": Network(zoo_efficientdet.efficientdet_lite_like, 320,
                                          scale=1 / 128, bias=(-127 / 128,) * 3),
    "dfine-n-640": Network(zoo_detr.dfine_n, 640, is_ranked=True, is_transformer=True),
    "rtdetr-r18-320": Network(zoo_detr.rtdetr_r18, 320, is_ranked=True, is_transformer=True),
    "yolov8n-seg-640": yolo("yolov8n-seg", 640),
    "yolov8n-seg-320": yolo("yolov8n-seg", 320),
    "yolov8n-pose-640": yolo("yolov8n-pose", 640),
    "yolov8n-pose-320": yolo("yolov8n-pose", 320),
    "yolo11n-cls-224": Network(zoo_ultralytics.yolo11n_cls, 224),
    "mobilenetv3-small-224": classifier(zoo_classifiers.mobilenetv3_small),
    "efficientnet-lite0-224": Network(zoo_classifiers.efficientnet_lite0, 224, scale=1 / 128,
                                      bias=(-127 / 128,) * 3),
    "resnet18-224": classifier(zoo_classifiers.resnet18),
}


def multiply_accumulates(network, example):
    """Products of convolutions, dense layers and attention in one run, in millions."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        network(example)
    return counter.get_total_flops() / 2e6


def tensors(outputs):
    """The outputs of a network as a list."""
    return list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
