// Fovea - what a compiled file says beside the core's graph.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaFiles
internal import FoveaGeometry
internal import FoveaLowering
internal import FoveaModelFormat

/// A compiled file taken apart: the core's model, and the interface of the file it was made from.
struct CompiledModel {
  let core: CoreModel
  let file: ModelDescription
  var inputs: [Model.Port] = []
  var outputs: [Model.Port] = []
  let suppression: NonMaximumSuppression?
  let classLabels: [String]?
  let head: RecognizedHead?

  /// Reads a compiled file. Its ports are those of the core's graph; the outline of the original
  /// says which of them are images, and what their shapes are declared to be.
  ///
  /// - Throws: `invalidModel` for a file that is damaged or contradicts itself, `unsupported` for
  ///   options that were settled when it was compiled.
  init(_ bytes: MappedBytes, options: Model.Options) throws(FoveaError) {
    let description = try CompiledDescription(of: bytes)
    core = try CoreModel(compiled: bytes, options: options)
    do throws(ModelFormatError) {
      file = try ModelDescription(outline: description.outline, limits: options.readingLimits)
    } catch {
      throw FoveaError(error).prefixed(by: "its description")
    }
    let stages = try ModelStages(file, lastStage: description.lastStage)
    suppression = stages.suppression
    classLabels = ClassNames.find(
      in: file, stages, recorded: DetectorRecord.labels(in: description.outline))
    head = file.metadata.userDefined[DetectorHead.metadataKey].flatMap(DetectorHead.init)
      .map { RecognizedHead($0, reason: "the compiled file says so") }
    inputs = try Self.inputPorts(core, stages)
    outputs = try Self.outputPorts(core, stages)
    if let suppression { try SuppressionInputs.check(suppression, outputs: outputs) }
    try check(options, lastStage: description.lastStage)
  }

  private static func inputPorts(
    _ core: CoreModel, _ stages: ModelStages
  ) throws(FoveaError) -> [Model.Port] {
    let features = stages.networks.flatMap(\.inputs)
    var ports: [Model.Port] = []
    for port in try core.inputPorts() {
      guard port.type == .uint8 else {
        ports.append(port)
        continue
      }
      let images = features.lazy.filter { $0.name == port.name }.compactMap { feature in
        if case .image(let image) = feature.type { image } else { nil }
      }
      guard var feature = images.first, port.shape.count >= 2 else {
        throw contradiction(port.name)
      }
      (feature.height, feature.width) = (port.shape[0], port.shape[1])
      let image = ModelLowering.imageInputPort(port.name, feature)
      guard image.shape == port.shape else { throw contradiction(port.name) }
      ports.append(image)
    }
    return ports
  }

  private static func outputPorts(
    _ core: CoreModel, _ stages: ModelStages
  ) throws(FoveaError) -> [Model.Port] {
    let types = ModelLowering.outputTypes(stages)
    return try core.outputPorts().map { port in
      ModelLowering.outputPort(port.name, types[port.name] ?? .unspecified, computed: port.shape)
    }
  }

  private static func contradiction(_ port: String) -> FoveaError {
    FoveaError(
      .invalidModel,
      "its description does not fit its graph at \"\(port)\"; compile the model again")
  }

  // MARK: Options

  private func check(_ options: Model.Options, lastStage: Int?) throws(FoveaError) {
    let backend = core.backend
    let wanted = options.backend.backend
    if wanted != .auto, wanted != backend {
      throw FoveaError(
        .unsupported,
        "the file was compiled for the backend \(backend.rawValue); for \(wanted.rawValue)"
          + " load \(Self.original), or compile that again")
    }
    if options.lastStage != nil, options.lastStage != lastStage { throw settled("stages") }
    if let function = options.function, function != file.functionName {
      throw FoveaError(
        .unsupported,
        "the file was compiled from the function \"\(ModelText.readable(file.functionName))\";"
          + " for \"\(function)\" compile \(Self.original) again with that function")
    }
    if let wanted = options.head, wanted != head?.head { throw settled("heads") }
    try checkSizes(options)
    if options.backend.weights != .expanded { throw settled("forms of weights") }
    if options.recordsRanges || options.backend.int8?.calibration != nil {
      throw settled("ranges of activations")
    }
    if options.observesNodes { throw settled("layers that can be looked at") }
    if options.backend.int8?.floatLayers.isEmpty == false { throw settled("layers in float") }
  }

  /// Sizes are settled, too: what is asked for has to be what the file has.
  private func checkSizes(_ options: Model.Options) throws(FoveaError) {
    let images = inputs.filter { $0.image != nil }
    var wanted: [String: [Int]] = options.arrayShapes
    for port in images {
      guard let size = options.imageSizes[port.name] ?? options.imageSize else { continue }
      wanted[port.name] = [size.height, size.width] + port.shape.dropFirst(2)
    }
    let names = Set(inputs.map(\.name))
    guard names.isSuperset(of: options.imageSizes.keys), names.isSuperset(of: wanted.keys),
      options.imageSize == nil || !images.isEmpty
    else { throw settled("sizes of inputs") }
    for port in inputs {
      guard let shape = wanted[port.name], shape != port.shape else { continue }
      throw FoveaError(
        .unsupported,
        "input \"\(port.name)\": a shape of \(shape) is asked for; the file was compiled for"
          + " \(port.shape). Compile \(Self.original) again for that size")
    }
  }

  private func settled(_ what: String) -> FoveaError {
    FoveaError(
      .unsupported,
      "\(what) are settled in a compiled file; load \(Self.original), or compile that again")
  }

  private static let original = "the model it was made from"
}

/// The description section of a compiled file:
///
///     last stage u32     0: all stages; else one more than the number of the last
///     outline            to the end; see `ModelOutline`. Its first field is a `DetectorRecord`.
struct CompiledDescription {
  var outline: [UInt8]
  var lastStage: Int?

  /// The section's bytes.
  var bytes: [UInt8] {
    let stage = UInt32(clamping: lastStage.map { $0 + 1 } ?? 0)
    return (0..<4).map { UInt8(truncatingIfNeeded: stage >> (8 * $0)) } + outline
  }

  init(outline: [UInt8], lastStage: Int?) {
    self.outline = outline
    self.lastStage = lastStage
  }

  /// Copies the description out of a file.
  init(of file: MappedBytes) throws(FoveaError) {
    let bytes = try file.withBytes { file throws(FoveaError) in
      var start: UnsafeRawPointer?
      var count = 0
      guard let base = file.baseAddress else { return [UInt8]() }
      try FoveaError.check { fov_compiled_description(base, file.count, &start, &count, $0) }
      return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
    guard bytes.count >= 4 else {
      throw FoveaError(.invalidModel, "the compiled model has no description of its original")
    }
    let stage = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << (8 * $1) }
    outline = Array(bytes[4...])
    lastStage = stage == 0 ? nil : Int(stage) - 1
  }
}
