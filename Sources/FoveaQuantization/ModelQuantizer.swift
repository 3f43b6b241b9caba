// Fovea - a Core ML model with fewer bits for its weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
public import FoveaRuntime

/// Quantizes the weights of a Core ML model.
///
/// ```swift
/// let quantizer = try ModelQuantizer(contentsOf: "detector.mlmodel")
/// let small = try quantizer.quantize(QuantizationOptions(bits: 6))
/// ```
///
/// Weights of convolutions, deconvolutions, dense layers and products with stored matrices become
/// codes where codes take fewer bytes. The rest of the file keeps its bytes, except for what the
/// options change and for the specification version, which becomes at least 3 (iOS 12). The same
/// input gives the same file.
///
/// With calibration, codes minimize the error of the layer's output, with error feedback (GPTQ,
/// Frantar et al., 2022). The mean of the remaining error moves into the bias or the normalization
/// that follows.
public struct ModelQuantizer {
  let bytes: [UInt8]
  let layers: [QuantizableLayer]

  /// The size of the model file in bytes.
  public var byteCount: Int { bytes.count }

  /// Reads a model.
  ///
  /// - Parameter bytes: The content of an `.mlmodel` file with weights in float32 or float16.
  /// - Throws: `.unreadable`, `.alreadyQuantized` or `.notFinite`.
  public init(bytes: [UInt8]) throws(QuantizationError) {
    self.bytes = bytes
    let model = try Self.model(bytes)
    // Without this a program would come back as it was.
    guard !model.stages.contains(where: \.model.isProgram) else {
      throw .invalidOptions(Self.isProgram)
    }
    layers = try NetworkWeights(model).layers
  }

  private static let isProgram =
    "is an ML Program; weights of neural networks (.mlmodel) become codes here. Quantize a program"
    + " with coremltools"

  /// Reads the model in the `.mlmodel` file at `path`.
  ///
  /// - Throws: `.file`, or as `init(bytes:)`.
  public init(contentsOf path: String) throws(QuantizationError) {
    guard !ModelFile.isFolder(path) else { throw .invalidOptions(Self.isProgram) }
    let bytes: [UInt8]
    do throws(FoveaError) { bytes = try ModelFile.read(path) } catch { throw .file(error) }
    try self.init(bytes: bytes)
  }

  /// Creates a calibrator, which measures the inputs of the layers of this model over images.
  ///
  /// - Parameter pool: Threads to share the work; `nil` makes one.
  /// - Throws: `.calibration` for a model that cannot run, or that has more than one image input.
  public func makeCalibrator(
    pool: ThreadPool? = nil
  ) throws(QuantizationError) -> QuantizationCalibrator {
    try QuantizationCalibrator(bytes: bytes, pool: pool)
  }

  static func model(_ bytes: [UInt8]) throws(QuantizationError) -> CoreMLModel {
    do throws(ModelFormatError) { return try CoreMLModel(bytes: bytes) } catch {
      throw .unreadable(error)
    }
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

  /// A quantized model.
  public struct Result: Sendable {
    /// The content of the new file.
    public var bytes: [UInt8]
    /// The result for each layer with weights, in the order of the file.
    public var layers: [Layer]

    /// Creates or replaces the `.mlmodel` file at `path`.
    ///
    /// - Throws: `.file`. An existing file is then unchanged.
    public func write(to path: String) throws(QuantizationError) {
      do throws(FoveaError) { try ModelFile.replace(path, with: bytes) } catch {
        throw .file(error)
      }
    }
  }

  /// Quantizes the weights.
  ///
  /// - Parameters:
  ///   - options: The form and the number of the bits.
  ///   - calibrator: The measured inputs of the layers; `nil` weighs all weights of a layer alike.
  /// - Throws: `.invalidOptions`; `.tooLarge` if no choice of bits fits the budget; `.calibration`
  ///   for a calibrator of another model; `.unreadable` for weights that can be trained on the
  ///   device.
  /// - Complexity: With calibration, O(w n + n^3) for a layer of w weights and n inputs for each
  ///   output.
  public func quantize(
    _ options: QuantizationOptions, calibrator: QuantizationCalibrator? = nil
  ) throws(QuantizationError) -> Result {
    try options.validate()
    if let calibrator, calibrator.bytes != bytes {
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
    // Lengths before messages take a byte more or less; what an estimate missed is taken off.
    var target = budget - bytes.count
    while let bits = allocation.bits(forChange: target) {
      let result = try write(bits, problems, options)
      if result.bytes.count <= budget { return result }
      target -= result.bytes.count - budget
    }
    throw .tooLarge(smallest: bytes.count + allocation.leastChange, budget: budget)
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
      let coded = CodedLayer(
        layer, problem, kind: options.kind, bits: min(Self.probeBits, options.bits))
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
      if let bits = bits[index], layer.codedByteCount(options.kind, bits) < layer.storedByteCount {
        let coded = CodedLayer(layer, problems[index], kind: options.kind, bits: bits)
        replacements.merge(coded.replacements) { $1 }
        entry.bits = bits
        entry.byteCount = layer.codedByteCount(options.kind, bits)
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
    do throws(ModelFormatError) {
      let output = try WeightRewriter.rewrite(bytes, replacements)
      // What was written must be a model to every reader.
      _ = try CoreMLModel(bytes: output)
      return Result(bytes: output, layers: report)
    } catch {
      throw .unreadable(error)
    }
  }
}

extension QuantizableLayer {
  /// Bytes of the weights in the file.
  var storedByteCount: Int { layout.count * storedBits / 8 }

  /// Bytes of the weights as codes, with what describes them.
  func codedByteCount(_ kind: QuantizationOptions.Kind, _ bits: Int) -> Int {
    let description = kind == .linear ? 8 * layout.channelCount : 4 << bits
    return (layout.count * bits + 7) / 8 + description + 16
  }
}
