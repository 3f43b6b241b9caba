// Fovea - a Core ML model with fewer bits for its weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
public import FoveaRuntime

/// Quantizes the weights of a Core ML model.
///
/// ```swift
/// let quantizer = try ModelQuantizer(contentsOf: "detector.mlpackage")
/// let small = try quantizer.quantize(QuantizationOptions(bits: 6))
/// ```
///
/// Weights of convolutions, deconvolutions, dense layers and products with stored matrices become
/// codes where codes take fewer bytes. The rest of the file keeps its bytes, except for what the
/// options change and for the specification version, which becomes at least 3 (iOS 12). The same
/// input gives the same file.
///
/// Models are neural networks, ML Programs, and pipelines of them. Programs become packages for iOS 16
/// or later. Their constants are shared where they are equal, weights that are codes already are
/// decoded first, and biases never become codes.
///
/// With calibration, codes minimize the error of the layer's output, with error feedback (GPTQ,
/// Frantar et al., 2022). The mean of the remaining error moves into the bias or the normalization
/// that follows.
public struct ModelQuantizer {
  let source: QuantizableModel
  var layers: [QuantizableLayer] { source.layers }

  /// The size of the model in bytes; of a package that of all its files.
  public var byteCount: Int { source.byteCount }

  /// Reads a model.
  ///
  /// - Parameter bytes: The content of an `.mlmodel` file with weights in float32 or float16.
  /// - Throws: `.unreadable`, `.alreadyQuantized` or `.notFinite`.
  public init(bytes: [UInt8]) throws(QuantizationError) {
    source = try QuantizableModel(bytes, byteCount: bytes.count)
  }

  /// Reads the model at `path`: a file (`.mlmodel`) or a package (`.mlpackage`).
  ///
  /// - Throws: `.file`, or as `init(bytes:)`.
  public init(contentsOf path: String) throws(QuantizationError) {
    source = try QuantizableModel(contentsOf: path)
  }

  /// Takes a model that is not on a disk yet.
  ///
  /// - Throws: As `init(bytes:)`.
  package init(_ files: PackageFiles) throws(QuantizationError) {
    source = try QuantizableModel(
      files.model, folder: WrittenFolder(files.constants), byteCount: files.byteCount)
  }

  /// Creates a calibrator, which measures the inputs of the layers of this model over images.
  ///
  /// - Parameter pool: Threads to share the work; `nil` makes one.
  /// - Throws: `.calibration` for a model that cannot run, or that has more than one image input.
  public func makeCalibrator(
    pool: ThreadPool? = nil
  ) throws(QuantizationError) -> QuantizationCalibrator {
    try QuantizationCalibrator(source, pool: pool)
  }

  /// The result for one layer.
  public struct Layer: Sendable, Hashable, Codable {
    /// The name of the layer, or its index if it has none.
    public var name: String
    /// The type, spelled as in the specification.
    public var type: String
    /// The number of weights.
    public var weightCount: Int
    /// The bits of a code, or 16 for a half; `nil` if the weights are unchanged.
    public var bits: Int?
    /// The bytes of the weights in the file, with tables and scales.
    public var byteCount: Int
    /// The power of the error divided by that of the layer's output. Without calibration, both are
    /// those of the weights.
    public var noise: Double
  }

  /// Quantizes the weights.
  ///
  /// - Parameters:
  ///   - options: The form and the number of the bits.
  ///   - calibrator: The measured inputs of the layers; `nil` weighs all weights of a layer alike.
  /// - Throws: `.invalidOptions`, also for codes that the model cannot have; `.tooLarge` if no choice
  ///   of bits fits the budget; `.calibration` for a calibrator of another model; `.unreadable` for
  ///   weights that can be trained on the device.
  /// - Complexity: With calibration, O(w n + n^3) for a layer of w weights and n inputs for each
  ///   output.
  public func quantize(
    _ options: QuantizationOptions, calibrator: QuantizationCalibrator? = nil
  ) throws(QuantizationError) -> Result {
    try options.validate()
    try options.validate(for: source)
    if let calibrator, !calibrator.source.isSame(as: source) {
      throw .calibration("the images were seen by another model; calibrate this one")
    }
    let problems = layers.map { layer in
      LayerProblem(
        layer, statistics: calibrator?.statistics[layer.address],
        scalesRows: options.movesScales && options.kind != .linear)
    }
    guard let budget = options.byteBudget else {
      return try write(layers.map { options.bits(isGrouped: $0.isGrouped) }, problems, options)
    }
    let allocation = BitAllocation(
      layers: layers, problems: problems, options: options,
      gains: try outputGains(problems, options, calibrator))
    return try fitting(budget, allocation, problems, options)
  }

  /// The best choice of bits whose files have at most `budget` bytes.
  private func fitting(
    _ budget: Int, _ allocation: BitAllocation, _ problems: [LayerProblem],
    _ options: QuantizationOptions
  ) throws(QuantizationError) -> Result {
    var target = budget - byteCount
    var least: Result?
    if source.hasPrograms, let bits = allocation.bits(forChange: allocation.leastChange) {
      // Operations that decode take some bytes each, wherever bits are spent.
      let result = try write(bits, problems, options)
      guard result.byteCount <= budget else {
        throw .tooLarge(smallest: result.byteCount, budget: budget)
      }
      target -= result.byteCount - byteCount - allocation.leastChange
      least = result
    }
    // Lengths before messages take a byte more or less; what an estimate missed is taken off.
    while let bits = allocation.bits(forChange: target) {
      let result = try write(bits, problems, options)
      if result.byteCount <= budget { return result }
      target -= result.byteCount - budget
    }
    guard let least else {
      throw .tooLarge(smallest: byteCount + allocation.leastChange, budget: budget)
    }
    return least
  }

  /// How much of each layer's noise arrives in the model's outputs, seen with one layer coded at a time;
  /// 1 for all without images.
  private func outputGains(
    _ problems: [LayerProblem], _ options: QuantizationOptions,
    _ calibrator: QuantizationCalibrator?
  ) throws(QuantizationError) -> [Double] {
    guard let calibrator, calibrator.imageCount > 0 else { return layers.map { _ in 1 } }
    let sensitivity = try calibrator.sensitivity()
    var gains: [Double] = []
    for (layer, problem) in zip(layers, problems) {
      let possible = layer.storage.bits(options.kind)
      let bits = possible.last { $0 <= min(Self.probeBits, options.bits) } ?? possible[0]
      let coded = CodedLayer(layer, problem, options.form(bits: bits))
      let change = try sensitivity.change(coded.replacements)
      gains.append(coded.noise > 0 ? change / coded.noise : 0)
    }
    return gains
  }

  /// Codes so coarse that their noise is far above rounding, and so fine that outputs move in proportion.
  private static let probeBits = 4

  private func write(
    _ bits: [Int?], _ problems: [LayerProblem], _ options: QuantizationOptions
  ) throws(QuantizationError) -> Result {
    var replacements: [WeightAddress: WrittenWeights] = [:]
    var report: [Layer] = []
    for (index, layer) in layers.enumerated() {
      var entry = Layer(
        name: layer.name, type: layer.typeName, weightCount: layer.layout.count, bits: nil,
        byteCount: layer.storedByteCount, noise: 0)
      let form = bits[index].map(options.form)
      if let form, layer.isSmaller(form) {
        let coded = CodedLayer(layer, problems[index], form)
        replacements.merge(coded.replacements) { $1 }
        entry.bits = form.bits
        entry.byteCount = layer.codedByteCount(form)
        entry.noise = coded.noise
      }
      if options.quantizesBiases, let bias = layer.bias {
        let values =
          replacements[bias.address].map(\.floats) ?? bias.values
        if let coded = CodedLayer.codedBias(values, isHalf: bias.isHalf) {
          replacements[bias.address] = coded
        }
      }
      report.append(entry)
    }
    return try Result(source, replacements, layers: report)
  }
}
