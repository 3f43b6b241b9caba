# Fovea - the rest of the program, as functions.
# SPDX-License-Identifier: Apache-2.0
"""The rest of the program, as functions with the words of the command.

The option ``--box-voting`` is the keyword ``box_voting``; ``fovea COMMAND --help`` lists all.
Switches are ``True``, points and sizes are tuples, and what may be repeated is a list. Functions
return what the command prints with ``--json``. Each runs the program, and raises ``fovea.Error``
with its words. What it says besides goes to the logger "fovea".
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _command_table as table
from . import _sources
from ._command_files import PictureFiles
from ._errors import ArgumentError, OptionError
from ._program import output_of, reason

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._picture import Picture

Path = Union[str, "os.PathLike[str]"]
Document = dict[str, Any]
Several = Union[list[Any], tuple[Any, ...]]


def _looked(command: str, source: Any, options: Any, *own: str, model: Any = None) -> Any:
    """The documents of pictures: of one, or a list."""
    if _sources.is_video(source):
        raise ArgumentError(f"{source}: is a video; {command}() looks at pictures")
    is_several = _sources.is_several(source)
    with PictureFiles(_sources.pictures(source)) as files:
        if not files.paths:
            return []
        paths = files.paths if model is None else [os.fsdecode(model), *files.paths]
        found = json.loads(output_of(command, paths, options, "--json", *own))
        for error in found.get("errors", []):
            raise reason(error["message"])
        documents = found["images"]
        for document, name in zip(documents, files.names):
            document["image"] = name
    return documents if is_several else documents[0]


def _written(
    command: str, image: Any, output: Optional[Path], options: Any, *, model: Any = None
) -> Any:
    """A picture that a command writes, or its path where the caller names it."""
    from ._picture import Picture

    with PictureFiles([image]) as files:
        path = files.place("written.png") if output is None else os.fsdecode(output)
        paths = files.paths if model is None else [os.fsdecode(model), *files.paths]
        output_of(command, paths, options, "-o", path)
        return Picture.open(path) if output is None else path


def _document(command: str, operands: list[Any], options: Any, *own: str) -> Document:
    """The document of a command about models."""
    paths = [os.fsdecode(one) for one in operands if one is not None]
    found: Document = json.loads(output_of(command, paths, options, "--json", *own))
    return found


def _with(name: str, value: Optional[Path], options: Any) -> Any:
    """Options with one that may also be given by its place."""
    if value is None:
        return options
    if name in options:
        raise OptionError(f"{name} was given twice, by its place and by its name")
    return {**options, name: value}


# MARK: Maps, pictures and embeddings of networks


def segment(
    model: Path, source: Any, /, output: Optional[Path] = None,
    **options: Unpack[table.SegmentOptions]
) -> Any:
    """Which classes a picture shows, and where, by a network that says it of every pixel.

        found = fovea.segment("deeplab.mlpackage", "street.jpg", "classes.png")
        print([(one["label"], one["share"]) for one in found["classes"]])

    Args:
        model: The network.
        source: A picture, or several: a list, a folder or a pattern.
        output: The file of the map: .png with a palette, or .npy; ``{}`` for a picture's name.
        **options: Those of the command.

    Returns:
        The document of the picture, or a list of them.
    """
    return _looked("segment", source, options, *_output(output), model=model)


def depth(
    model: Path, source: Any, /, output: Optional[Path] = None,
    **options: Unpack[table.DepthOptions]
) -> Any:
    """How far the pixels of a picture are, by a network that estimates it.

        found = fovea.depth("depth.onnx", "street.jpg", "depth.npy")
        print(found["least"], found["greatest"], found["unit"])

    Args:
        model: The network.
        source: A picture, or several.
        output: The file of the map: .npy, or .png of 16 bits; ``{}`` for a picture's name.
        **options: Those of the command.

    Returns:
        The document of the picture, or a list of them.
    """
    return _looked("depth", source, options, *_output(output), model=model)


def embed(
    model: Path, source: Any, /, output: Optional[Path] = None,
    **options: Unpack[table.EmbedOptions]
) -> Any:
    """The numbers by which a network compares pictures.

        one, other = fovea.embed("features.onnx", ["one.jpg", "other.jpg"])
        print(other["distanceToFirst"], len(one["values"]))

    Args:
        model: The network.
        source: A picture, or several.
        output: A .npy file: a row for each picture.
        **options: Those of the command.

    Returns:
        The document of the picture, or a list of them.
    """
    return _looked("embed", source, options, *_output(output), model=model)


@overload
def transform(
    model: Path, image: Any, /, output: None = None, **options: Unpack[table.TransformOptions]
) -> Picture: ...
@overload
def transform(
    model: Path, image: Any, /, output: Path, **options: Unpack[table.TransformOptions]
) -> str: ...
def transform(
    model: Path, image: Any, /, output: Optional[Path] = None,
    **options: Unpack[table.TransformOptions]
) -> Any:
    """Another picture of a picture, by a network: painted in a style, sharpened or enlarged.

        fovea.transform("style.mlpackage", "street.jpg").save("painted.png")
        fovea.transform("style.mlpackage", "street.jpg", "painted.jpg", resize=True)
    """
    return _written("transform", image, output, options, model=model)


def _output(path: Optional[Path]) -> list[str]:
    """The option for a file that is written."""
    return [] if path is None else ["-o", os.fsdecode(path)]


# MARK: Pictures


@overload
def look(source: Several, /, **options: Unpack[table.LookOptions]) -> list[Document]: ...
@overload
def look(source: Any, /, **options: Unpack[table.LookOptions]) -> Document: ...
def look(source: Any, /, **options: Unpack[table.LookOptions]) -> Any:
    """Codes, text, rectangles and faces in a picture, or in several.

    >>> import fovea
    >>> sorted(fovea.look("shapes.png", only=["rectangles", "codes"]))
    ['codes', 'image', 'rectangles']
    """
    return _looked("look", source, options)


@overload
def codes(source: Several, /, **options: Unpack[table.CodesOptions]) -> list[Document]: ...
@overload
def codes(source: Any, /, **options: Unpack[table.CodesOptions]) -> Document: ...
def codes(source: Any, /, **options: Unpack[table.CodesOptions]) -> Any:
    """The codes in a picture, or in several: kinds, corners, and what they say.

    >>> import fovea
    >>> fovea.codes("shapes.png", symbology=["qr", "ean13"])["codes"]
    []
    """
    return _looked("codes", source, options)


@overload
def text(source: Several, /, **options: Unpack[table.TextOptions]) -> list[Document]: ...
@overload
def text(source: Any, /, **options: Unpack[table.TextOptions]) -> Document: ...
def text(source: Any, /, **options: Unpack[table.TextOptions]) -> Any:
    """The lines of text in a picture, or in several. They are read by Tesseract or by a network.

        for line in fovea.text("page.jpg", language="eng+deu")["lines"]:
            print(line["text"])
    """
    return _looked("text", source, options)


@overload
def rectangles(
    source: Several, /, **options: Unpack[table.RectanglesOptions]
) -> list[Document]: ...
@overload
def rectangles(source: Any, /, **options: Unpack[table.RectanglesOptions]) -> Document: ...
def rectangles(source: Any, /, **options: Unpack[table.RectanglesOptions]) -> Any:
    """Rectangles in a picture, or in several, such as sheets, cards and screens.

    >>> import fovea
    >>> len(fovea.rectangles("shapes.png", maximum=1)["rectangles"])
    1
    """
    return _looked("rectangles", source, options)


@overload
def faces(source: Several, /, **options: Unpack[table.FacesOptions]) -> list[Document]: ...
@overload
def faces(source: Any, /, **options: Unpack[table.FacesOptions]) -> Document: ...
def faces(source: Any, /, **options: Unpack[table.FacesOptions]) -> Any:
    """Faces in a picture, or in several, and their landmarks, with networks that you name.

        fovea.faces("group.jpg", model="face_detection_yunet.onnx")["faces"]
    """
    return _looked("faces", source, options)


@overload
def rectify(
    image: Any, output: None = None, **options: Unpack[table.RectifyOptions]
) -> Picture: ...
@overload
def rectify(image: Any, output: Path, **options: Unpack[table.RectifyOptions]) -> str: ...
def rectify(
    image: Any, output: Optional[Path] = None, **options: Unpack[table.RectifyOptions]
) -> Any:
    """A page, a card or any four corners as if seen from the front: a picture, or the path of the
    file where one is named.

    >>> import fovea
    >>> fovea.rectify("shapes.png", corners=[0, 0, 80, 0, 80, 40, 0, 40])
    <fovea.Picture of 80 x 40>
    """
    return _written("rectify", image, output, options)


@overload
def preview(
    image: Any, output: None = None, **options: Unpack[table.PreviewOptions]
) -> Picture: ...
@overload
def preview(image: Any, output: Path, **options: Unpack[table.PreviewOptions]) -> str: ...
def preview(
    image: Any, output: Optional[Path] = None, **options: Unpack[table.PreviewOptions]
) -> Any:
    """Exactly the pixels that a network is given of a picture: a picture, or the path of the file
    where one is named.

    >>> import fovea
    >>> fovea.preview("shapes.png", model="shapes.mlmodel")
    <fovea.Picture of 160 x 160>
    """
    return _written("preview", image, output, options)


# MARK: Videos


def watch(source: Union[Path, int], /, **options: Unpack[table.WatchOptions]) -> list[Document]:
    """The rows that ``fovea watch --jsonl`` writes about a video, to its end or for ``frames``
    pictures: with ``draw`` a video of boxes is written, with ``line`` and ``zone`` rows count.

        rows = fovea.watch("street.mp4", model="yolo.mlmodel", track=True, draw="boxes.mp4",
                           line={"door": (0, 300, 640, 300)})
        print(rows[-1]["lines"])

    ``Model.watch`` gives results one after the other, with pictures, while the video runs.
    """
    name = f"camera:{source}" if isinstance(source, int) else os.fsdecode(source)
    own = () if options.get("frames_info") else ("--jsonl", "-")
    return [json.loads(line) for line in output_of("watch", [name], options, *own).splitlines()
            if line.startswith("{")]


def track(output: Optional[Path] = None, **options: Unpack[table.TrackOptions]) -> str:
    """Gives objects of MOTChallenge's text identifiers: the path of the file that is written, or
    the text where no file is named.

        fovea.track("tracks.txt", detections="det.txt", seqinfo="seqinfo.ini")
    """
    found = output_of("track", [], options, "-o", "-" if output is None else os.fsdecode(output))
    return found if output is None else os.fsdecode(output)


# MARK: Models


def get(name: Optional[str] = None, /, **options: Unpack[table.GetOptions]) -> Any:
    """Fetches a detector that its makers publish: what is known of it, with the ``path`` of the file
    to open. Without a name: a list of all that there are.

        fovea.get("yolo-fastest-1.1-xl")
        model = fovea.Model("yolo-fastest-1.1-xl")
    """
    chosen: Any = {**options, "list": True} if name is None else options
    found = _document("get", [name], chosen)["models"]
    return found if name is None else found[0]


def inspect(model: Path, /, **options: Unpack[table.InspectOptions]) -> Document:
    """A model's interface, operations, layers, weights, work and memory.

    >>> import fovea
    >>> fovea.inspect("shapes.mlmodel")["backend"]
    'float'
    """
    return _document("inspect", [model], options)


def compile(model: Path, output: Path, **options: Unpack[table.CompileOptions]) -> str:
    """Writes a model as a file that is ready to run on any processor; returns its path.

        fovea.compile("yolo.mlmodel", "yolo.fovea", backend="int8", calibrate="pictures/")
    """
    path = os.fsdecode(output)
    output_of("compile", [os.fsdecode(model)], options, "-o", path)
    return path


def convert(model: Path, output: Path, **options: Unpack[table.ConvertOptions]) -> Document:
    """Writes a model of any format as a Core ML model; returns what became of it.

        fovea.convert("yolo11n.onnx", "yolo11n.mlpackage", metadata={"author": "me"})
    """
    return _document("convert", [model], options, "-o", os.fsdecode(output))


def quantize(model: Path, output: Path, **options: Unpack[table.QuantizeOptions]) -> Document:
    """Writes a Core ML model with fewer bits for its weights; returns what became of it.

        fovea.quantize("yolo.mlmodel", "small.mlmodel", bits=6)["byteCount"]
    """
    return _document("quantize", [model], options, "-o", os.fsdecode(output))


def train(
    pictures: Optional[Path] = None, output: Optional[Path] = None, /,
    **options: Unpack[table.TrainOptions]
) -> Document:
    """Trains a detector on labeled pictures, or on one picture of each thing, and writes a Core ML
    model; returns what came out.

        fovea.train("pictures/", "Mine.mlmodel", annotations="labels.json", minutes=20)
        fovea.train(None, "Cards.mlmodel", starters="cards/", backgrounds="table/")
        fovea.train(resume="Mine-run", minutes=40)

    ``file`` is the path of the model, ``report`` that of a page about the run, and ``suspects``
    lists files of labels to look at.
    """
    own = [] if output is None else ["-o", os.fsdecode(output)]
    return _document("train", [pictures], options, *own)


def distill(
    teacher: Optional[Path] = None, images: Optional[Path] = None,
    output: Optional[Path] = None, /, **options: Unpack[table.DistillOptions]
) -> Document:
    """Trains a small detector on what a large one finds, without labels; returns what came out.

        fovea.distill("yolo.mlmodel", "frames/", "Tiny.mlmodel", only=["person"], minutes=3)
        fovea.distill(resume="Tiny-run", minutes=6)
    """
    own = [] if output is None else ["-o", os.fsdecode(output)]
    named = _with("images", images, _with("teacher", teacher, options))
    return _document("distill", [], named, *own)


def evaluate(
    model: Optional[Path] = None, images: Optional[Path] = None, /,
    **options: Unpack[table.EvaluateOptions]
) -> Document:
    """Average precision of a model on annotated images, or how well tracks follow objects.

        fovea.evaluate("yolo.mlmodel", "images/", annotations="instances.json")
        fovea.evaluate(tracks=["tracks.txt"], truth=["gt.txt"])
    """
    return _document("evaluate", [model], _with("images", images, options))


def compare(
    model: Path, other: Optional[Path] = None, /, **options: Unpack[table.CompareOptions]
) -> Document:
    """What two models, or two backends of one, find in images.

        fovea.compare("yolo.mlmodel", backends=["float", "int8"], images="pictures/")
    """
    return _document("compare", [model, other], options)
