// Fovea - choices made when a model is loaded.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaModelValues

/// Options for loading a model; also known as `Model.Options`.
public struct ModelOptions: Sendable, Hashable {
  /// The arithmetic, with its own choices. By default `float`.
  public var backend: BackendOptions
  /// The last stage of a pipeline to run, counted from 0; `nil`, the default, runs all.
  public var lastStage: Int?
  /// Sizes of images in pixels, by the name of the input, where the file allows several. By
  /// default the file's own.
  public var imageSizes: [String: ImageSize]
  /// Shapes of arrays, by the name of the input, where the file allows several. By default the
  /// file's own.
  public var arrayShapes: [String: [Int]]
  /// The function of an ML Program to run; `nil`, the default, for the one that the file names.
  public var function: String?
  /// How the outputs of a detector without a suppression stage are read; an error if they cannot
  /// be. `nil`, the default: as shapes, names and metadata tell.
  public var head: DetectorHead?
  /// What the coordinates of boxes count, where a head is decoded; `nil`, the default: as the file,
  /// the graph and the numbers themselves tell.
  public var boxes: BoxUnits?
  /// What the scores are, where a head is decoded; `nil`, the default: as the file, the graph and
  /// the numbers themselves tell.
  public var scores: ScoreForm?
  /// What the detector finds, where a head is decoded; `nil`, the default: as the file says, else
  /// boxes alone.
  public var task: DetectorTask?
  /// The most bytes that a session may need, by default 4 GiB. A small file can describe any size:
  /// a model that plans for more is refused before the memory is asked for.
  public var maximumSessionBytes: Int
  /// How much a file may describe: layers, labels, sizes, elements. A file that asks for more is
  /// refused while it is read.
  public var readingLimits: ReadingLimits
  /// The instructions that `float` and `int8` use, by default the best that the processor has, or
  /// those that the environment variable `FOVEA_FORCE_ISA` names. One that the processor lacks is
  /// an error.
  public var instructionSet: InstructionSet
  /// Whether a model that reads an array is given a picture in its place, and how; `nil`, the
  /// default, leaves arrays as they are. A model without an array that can be a picture stays as it
  /// is, unless the numbers for pixels are named.
  package var pictures: PictureInput?
  /// Whether outputs of other forms are decoded to scores and boxes.
  package var decodesHead = true
  /// What the network writes for a synthetic picture; `nil` if it was not needed so far.
  package var outputSamples: OutputSamples?
  /// The size of the images that `imageSizes` does not name, for callers who do not know the
  /// names; `nil` for the file's own.
  package var imageSize: ImageSize?
  /// Whether `float` and `int8` compute 3x3 convolutions by Winograd's algorithm where that is
  /// faster. `int8` gives the same bits either way; `float` rounds more often: errors grow up to
  /// ten times, to some 1e-5 of the largest activation.
  package var usesWinograd = true
  /// Whether sessions keep the ranges of all activations, see `Session.activationRanges()`. For
  /// `float`, and for `int8` without calibration.
  package var recordsRanges = false
  /// Whether `int8` without calibration runs on synthetic images first, to round weights and to
  /// rescale channels by what they show. Without it loading takes a tenth of the time, and results
  /// are less exact.
  package var usesSyntheticImages = true
  /// Whether the operations of ML Programs are wanted that a model is lowered by.
  package var keepsTranslation = false
  /// Whether sessions show what operations write, see `Session.run(showing:to:)`. `int8` keeps the
  /// factors of its rescaled channels for it, 4 bytes each.
  package var observesNodes = false

  /// Creates options; the defaults load the whole file for speed.
  public init(
    backend: BackendOptions = .auto, lastStage: Int? = nil,
    imageSizes: [String: ImageSize] = [:], arrayShapes: [String: [Int]] = [:],
    function: String? = nil, head: DetectorHead? = nil, boxes: BoxUnits? = nil,
    scores: ScoreForm? = nil, task: DetectorTask? = nil,
    maximumSessionBytes: Int = Int(clamping: Int64(1) << 32),
    readingLimits: ReadingLimits = ReadingLimits(),
    instructionSet: InstructionSet = .automatic
  ) {
    self.backend = backend
    self.lastStage = lastStage
    self.imageSizes = imageSizes
    self.arrayShapes = arrayShapes
    self.function = function
    self.head = head
    self.boxes = boxes
    self.scores = scores
    self.task = task
    self.maximumSessionBytes = maximumSessionBytes
    self.readingLimits = readingLimits
    self.instructionSet = instructionSet
  }
}
