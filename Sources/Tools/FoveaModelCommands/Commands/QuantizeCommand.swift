// Fovea - fovea quantize: a Core ML model with fewer bits for its weights.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaQuantization
internal import FoveaReports

/// Writes a Core ML model with codes for weights.
enum QuantizeCommand: Subcommand {
  static let description = CommandDescription(
    name: "quantize", synopsis: "MODEL -o OUT [OPTIONS]",
    summary: "Writes a Core ML model with fewer bits for its weights.",
    options: [
      .modelOperand,
      .init(name: "-o", value: "FILE", help: "the file or package to write, such as small.mlmodel"),
      .init(name: "--bits", value: "N", help: "bits of a weight, 1 to 8 (default 8)"),
      .init(
        name: "--kind", value: "NAME",
        help: "table (least squared error), linear-table, linear or float16 (default table)"),
      .init(
        name: "--grouped-bits", value: "N",
        help: "bits for depthwise and other grouped convolutions (default 8)"),
      .init(
        name: "--calibrate", value: "IMAGES",
        help: "choose codes by what they do on a folder of images, or a list of paths"),
      .init(
        name: "--size", value: "BYTES",
        help: "choose bits for each layer, 2 to --bits, so that all has at most so many bytes"),
      .init(
        name: "--per-tensor", help: "with --kind linear: one scale for a layer, not for a channel"),
      .init(name: "--biases", help: "biases as tables of 8 bits, where smaller; networks only"),
      .init(
        name: "--keep-scales",
        help: "leave batch normalizations alone; without it they take up the scales of channels"),
      ReportOption.option, .threads, .json,
    ],
    operandCount: 1...1,
    notes: """
      The model is a neural network, an ML Program, or a pipeline of them. Everything but weights
      stays, except that scales of channels and mean errors move into the normalization or bias behind.
      Calibration chooses codes with error feedback (GPTQ); some dozens of images like those of the task
      are enough. A layer stays as it is where codes would take as many bytes.

      A neural network (.mlmodel) has weights in float32 or float16; the new file needs iOS 12 or later.
      float16 stores all weights in half the bytes, for iOS 11.2 or later.

      An ML Program is a package (.mlpackage); the new one needs iOS 16 or later. Tables have 1, 2, 4, 6
      or 8 bits, linear codes 8; programs for iOS 18 also have tables of 3 bits and linear codes of 4.
      Weights that are codes already are decoded first. Biases stay numbers, and normalizations stay
      alone: --biases is refused, and --keep-scales changes nothing. float16 stores the weights of
      layers in half the bytes.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let output = try arguments.required("-o", "name the file to write")
    let options = try options(arguments)
    let pool = try arguments.has("--calibrate") ? ModelLoading.threads(arguments) : nil
    do {
      let quantizer = try ModelQuantizer(contentsOf: path)
      let result =
        if let options {
          try quantizer.quantize(
            options, calibrator: try calibrator(quantizer, arguments, pool))
        } else {
          try quantizer.inHalfPrecision()
        }
      try result.write(to: output)
      try ReportOption(arguments)?.write {
        try result.page(of: path, byteCountBefore: quantizer.byteCount).write(to: $0)
      }
      try report(
        result, from: quantizer.byteCount, to: output, asJSON: arguments.has("--json"))
    } catch let failure as CommandFailure {
      throw failure
    } catch QuantizationError.file(let error) {
      throw CommandFailure("\(error)")
    } catch {
      throw CommandFailure(error, file: path)
    }
    return 0
  }

  private static func calibrator(
    _ quantizer: ModelQuantizer, _ arguments: ArgumentList, _ pool: ThreadPool?
  ) throws -> QuantizationCalibrator? {
    guard let images = arguments.value("--calibrate") else { return nil }
    let calibrator = try quantizer.makeCalibrator(pool: pool)
    try CalibrationImages.forEach(in: images) { try calibrator.add($0) }
    return calibrator
  }

  /// What `--kind` names.
  private enum Kind: String, CaseIterable {
    case table
    case linearTable = "linear-table"
    case linear, float16
  }

  /// How weights become codes; `nil` for halves.
  private static func options(_ arguments: ArgumentList) throws -> QuantizationOptions? {
    var options = QuantizationOptions()
    switch try arguments.choice("--kind", Kind.self) ?? .table {
    case .table: options.kind = .table
    case .linearTable: options.kind = .linearTable
    case .linear: options.kind = .linear
    case .float16:
      let others = [
        "--bits", "--grouped-bits", "--calibrate", "--size", "--per-tensor", "--biases",
        "--keep-scales",
      ]
      if let other = others.first(where: arguments.has) {
        throw UsageError("--kind float16 makes no codes; leave \(other) out")
      }
      return nil
    }
    options.bits = try arguments.integer("--bits", in: 1...8) ?? 8
    options.groupedBits = try arguments.integer("--grouped-bits", in: 1...8)
    options.byteBudget = try arguments.integer("--size", in: 1...Int.max)
    options.sharesScale = arguments.has("--per-tensor")
    if options.sharesScale, options.kind != .linear {
      throw UsageError("tables have no scales; --per-tensor is for --kind linear")
    }
    options.quantizesBiases = arguments.has("--biases")
    options.movesScales = !arguments.has("--keep-scales")
    if options.byteBudget != nil, options.groupedBits != nil {
      throw UsageError("--size chooses the bits of every layer; leave --grouped-bits out")
    }
    return options
  }

  private static func report(
    _ result: ModelQuantizer.Result, from before: Int, to path: String, asJSON: Bool
  ) throws {
    if asJSON {
      try JSONOutput.write(
        QuantizationDocument(
          file: path, byteCount: result.byteCount, originalByteCount: before,
          layers: result.layers))
      return
    }
    var table = TextTable([
      .left("layer"), .left("type"), .right("weights"), .right("bits"), .right("bytes"),
      .right("noise"),
    ])
    for layer in result.layers {
      table.rows.append([
        layer.name, layer.type, "\(layer.weightCount)", layer.bits.map { "\($0)" } ?? "kept",
        "\(layer.byteCount)", NumberText.fixed(100 * layer.noise, digits: 3) + " %",
      ])
    }
    SystemInterface.writeOutput(table.text())
    SystemInterface.writeOutput("\(path)  \(result.byteCount) bytes, from \(before)\n")
  }
}

/// The JSON document of `fovea quantize`.
private struct QuantizationDocument: Encodable {
  var file: String
  var byteCount: Int
  var originalByteCount: Int
  var layers: [ModelQuantizer.Layer]
}
