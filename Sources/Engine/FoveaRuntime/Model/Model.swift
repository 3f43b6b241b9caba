// Fovea - a model that is ready to run.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore
internal import FoveaFiles
package import FoveaLowering
public import FoveaModelFormat

/// A model that is ready to run, read from a file of Core ML, ONNX, TensorFlow Lite or Darknet.
///
/// All network stages of a file become one graph, wired by the names of features; a last stage
/// of non-maximum suppression is described by `specification` and executed by whoever reads the
/// boxes. A model never changes: any number of threads and sessions may share it.
public final class Model: Sendable {
  /// What the file says. The weights in it keep their encodings and have lost their values, so
  /// that the bytes of the file do not stay in memory; to read values, read the file as a
  /// `ModelDescription`. Its type belongs to `FoveaModelFormat`.
  public let specification: ModelDescription
  /// The name of the model: that of its file, without folder and extension.
  public let name: String
  /// The size of the file in bytes.
  package let fileByteCount: Int
  /// The backend that was chosen; never `auto`.
  public let backend: Backend
  /// The inputs of a `Session`, in the order of the file. Images are uint8 [rows, columns, 3], red
  /// first whatever the order of the network, or [rows, columns] for gray. Arrays are float32.
  public let inputs: [Port]
  /// The outputs of a `Session`, in float32, including those that suppression reads. They have the
  /// declared shape if it has as many elements as are computed; otherwise the computed shape.
  public let outputs: [Port]
  /// The suppression stage at the end of the file; `nil` without one, or if the options stop before
  /// it.
  package let suppression: NonMaximumSuppression?
  /// The names of the classes, in the order of the scores; `nil` if the file has none. They are
  /// those of the suppression, else of a classifier, else of "classes" or "names" in the metadata.
  public let classLabels: [String]?
  /// How the outputs of a detector are read, if they are not scores and boxes themselves. The decoded
  /// ones are the last two outputs.
  package let head: RecognizedHead?
  /// Why outputs are not read as those of a head, in words; empty where they are, or where no head was
  /// looked for.
  package let headDoubts: [String]
  /// Whether the model comes from a compiled file. Its `specification` then has networks without layers.
  package let isCompiled: Bool
  /// The file of a model that allows several sizes or shapes of an input, or reads an array that can
  /// be a picture; `nil` for others, whose bytes need not stay in memory.
  let source: Source?
  /// How a picture takes the place of an array of the file; `nil` where none does.
  package let picture: PictureForm?
  /// The wish that the picture follows; `nil` where there is none.
  let pictures: PictureInput?
  /// Whether the file says what the codes of activations mean. `int8` then needs no ranges. `false` for a
  /// compiled file, which has codes already.
  let givesCodes: Bool
  let core: CoreModel
  /// The core's model; borrowed, valid while this object lives.
  package var corePointer: OpaquePointer { core.pointer }
  /// All that the core allocates for a session, in bytes.
  package var sessionByteCount: Int { Int(clamping: fov_model_memory(core.pointer).session_bytes) }

  /// The author's description of the model.
  package var metadata: ModelMetadata { specification.metadata }

  /// An input or output of a model.
  public typealias Port = ModelPort
  /// Options for loading a model.
  public typealias Options = ModelOptions

  /// Loads a model from the bytes of one file: `.mlmodel`, `.onnx`, `.tflite` or a compiled one. The
  /// bytes are copied. Models of several files are loaded by their path.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - name: The name of the model.
  ///   - options: Options for loading.
  /// - Throws: `FoveaError`. If the file is at fault, `formatError` is the error of the reader. If
  ///   a layer is not supported, the message has its name, index and type.
  /// - Complexity: Linear in the size of the file.
  public convenience init(
    bytes: [UInt8], name: String, options: Options = Options()
  ) throws(FoveaError) {
    if bytes.starts(with: FileKind.compiledStart) {
      let bytes = try ModelFile.copy(bytes)
      try self.init(compiled: bytes, name: name, options: options)
      return
    }
    try self.init(ModelFile(bytes), name: name, options: options)
  }

  /// Loads a model file, or a model that has files beside it.
  convenience init(
    _ file: ModelFile, name: String, options: Options
  ) throws(FoveaError) {
    try self.init(
      file: file.read(options), name: name,
      fileByteCount: file.byteCount, options: options,
      source: Source(file: file, options: options))
  }

  /// Loads a model from its description.
  package convenience init(
    file: ModelDescription, name: String, fileByteCount: Int = 0, options: Options = Options(),
    source: Source? = nil
  ) throws(FoveaError) {
    let file = try ModelStages.choosing(options.function, in: file)
    var options = options
    if options.pictures == nil {
      options.pictures = options.backend.int8?.calibration?.pictures
      // Heads say where things are in a picture.
      if options.head != nil { options.pictures = options.pictures ?? PictureInput() }
    }
    let int8 = options.backend.int8
    var ranges = int8?.calibration
    let usesDynamicRanges = int8 != nil && ranges == nil && !options.recordsRanges
    // First, so that the weights are never in memory for two models at once.
    if usesDynamicRanges, options.usesSyntheticImages {
      options.outputSamples = try HeadProbe.lower(file, name: name, options: options).samples
      ranges = try SyntheticCalibration.ranges(file, name: name, options: options)
    }
    let (lowered, _) = try HeadProbe.lower(file, name: name, options: options)
    try self.init(
      lowered, name: name, fileByteCount: fileByteCount, options: options,
      ranges: ranges, usesDynamicRanges: usesDynamicRanges, source: source?.kept(for: file))
  }

  /// Makes a model of what was lowered.
  init(
    _ lowered: LoweredModel, name: String, fileByteCount: Int = 0, options: Options,
    ranges: ActivationRanges? = nil, usesDynamicRanges: Bool = false, source: Source? = nil
  ) throws(FoveaError) {
    self.name = name
    self.fileByteCount = fileByteCount
    backend = options.backend.backend.resolved
    inputs = lowered.inputs
    self.source = source
    picture = lowered.picture
    pictures = lowered.picture == nil ? nil : options.pictures
    outputs = lowered.outputs
    suppression = lowered.suppression
    classLabels = lowered.classLabels
    head = lowered.head
    headDoubts = lowered.doubts
    givesCodes = !lowered.graph.codedValues.isEmpty
    var specification = lowered.file.releasingWeights()
    if let name = lowered.probabilities { specification.predictedProbabilitiesName = name }
    if let head {
      specification.metadata.userDefined[DetectorHead.metadataKey] = head.head.rawValue
    }
    self.specification = specification
    core = try CoreModel(
      lowered.graph, options: options, ranges: ranges, usesDynamicRanges: usesDynamicRanges)
    isCompiled = false
    if let int8 = options.backend.int8 {
      try checkFloatLayers(int8.floatLayers)
      try checkInt16Layers(int8.int16Layers)
    }
    try checkSessionBytes(options)
  }

  /// Loads a model from the bytes of a compiled file, which it keeps.
  init(compiled bytes: MappedBytes, name: String, options: Options) throws(FoveaError) {
    let compiled = try CompiledModel(bytes, options: options)
    specification = compiled.file
    self.name = name
    fileByteCount = bytes.count
    backend = compiled.core.backend
    inputs = compiled.inputs
    source = nil
    picture = nil
    pictures = nil
    outputs = compiled.outputs
    suppression = compiled.suppression
    classLabels = compiled.classLabels
    head = compiled.head
    headDoubts = []
    givesCodes = false
    core = compiled.core
    isCompiled = true
    try checkSessionBytes(options)
  }

  /// Loads a model: Core ML's (`.mlmodel`, `.mlpackage`, `.mlmodelc`), `.onnx`, `.tflite`, Darknet's
  /// (`.cfg` or `.weights`, which lie side by side) or a compiled one (`.fovea`). The weights of a
  /// compiled file are used where they are mapped: replace it, but never write into it while the
  /// model exists. Errors name the file; otherwise as `init(bytes:name:options:)`.
  public convenience init(
    contentsOf path: String, options: Options = Options()
  ) throws(FoveaError) {
    let content = try ModelFile.content(of: path)
    do throws(FoveaError) {
      let name = ModelFile.name(of: path)
      switch content {
      case .compiled(let bytes): try self.init(compiled: bytes, name: name, options: options)
      case .model(let file): try self.init(file, name: name, options: options)
      }
    } catch {
      throw error.prefixed(by: path)
    }
  }

  private func checkSessionBytes(_ options: Options) throws(FoveaError) {
    guard sessionByteCount <= options.maximumSessionBytes else {
      throw FoveaError(
        .outOfMemory,
        "a session would need \(sessionByteCount) bytes, and \(options.maximumSessionBytes) are"
          + " allowed; if the file is sound, raise maximumSessionBytes")
    }
  }
}
