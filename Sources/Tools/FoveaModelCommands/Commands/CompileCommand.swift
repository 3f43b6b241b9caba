// Fovea - fovea compile: a model as a file that starts at once.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaQuantization

/// Writes a compiled model.
enum CompileCommand: Subcommand {
  static let description = CommandDescription(
    name: "compile", synopsis: "MODEL -o OUT.fovea [OPTIONS]",
    summary: "Writes a model as a file that is ready to run on any processor.",
    options: [
      .modelOperand,
      .init(name: "-o", value: "FILE", help: "the file to write, such as detector.fovea"),
      .function, .size, .head, .boxes, .scores, .task, ArrayInputOptions.input,
    ] + ArrayInputOptions.options + [
      .init(name: "--backend", value: "NAME", help: "float or int8 (default float)"),
      .calibrate, .quality, .floatShare, .int16Share, .maximumLoss, .weights,
      .init(
        name: "--stage", value: "N",
        help: "end a pipeline after its stage N (0 = the network before suppression)"),
    ],
    operandCount: 1...1,
    notes: """
      The file holds folded layers and packed weights, which are used where they lie in it: nothing
      is copied or converted when it is loaded. It takes the place of the model in detect, run and
      inspect. int8 without --calibrate measures the ranges of activations in every frame.
      --calibrate takes layers out of 8 bits until the outputs on the images are near those of float;
      --quality says how near, in decibels of the signal over the noise. --max-loss 0.05 compares
      objects with those that float finds in the images. It keeps first sums of bottlenecks and then
      layers in float, those that lose most first, and computes more of them in 16 bits, until at most
      5 % of both have no partner. Masks, key points and turned boxes that differ are lost in part.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let output = try arguments.required("-o", "name the file to write")
    var options = try ModelLoading.options(arguments)
    options.pictures = try ArrayInputOptions.choice(arguments)
    let backend = try Self.backend(arguments)
    options.backend = try ModelLoading.backend(arguments, backend)
    options.lastStage = try arguments.integer("--stage", in: 0...Int.max)
    for option in CalibrationImages.choices where arguments.has(option) {
      guard arguments.has("--calibrate") else { throw UsageError("\(option) needs --calibrate") }
    }
    if let images = arguments.value("--calibrate") {
      let layers = try CalibrationImages.calibrate(
        images, model: .file(path), options: &options, arguments)
      SystemInterface.writeOutput(report("kept in float", layers.float, of: layers.all))
      SystemInterface.writeOutput(report("in 16 bits", layers.int16, of: layers.all))
      if let decibels = layers.decibels {
        SystemInterface.writeOutput(
          "outputs are \(NumberText.fixed(decibels, digits: 1)) dB above their noise\n")
      }
    }
    do {
      let count = try Model.compile(contentsOf: path, to: output, options: options)
      let ranges =
        backend != .int8
        ? "" : arguments.has("--calibrate") ? ", calibrated" : ", measured in every frame"
      SystemInterface.writeOutput(
        "\(output)  \(count) bytes, backend \(backend.rawValue)\(ranges)\n")
    } catch {
      throw CommandFailure(error, file: path)
    }
    return 0
  }

  /// Which layers are not computed in 8 bits and why; nothing where there are none.
  private static func report(
    _ title: String, _ kept: [LayerSensitivity], of all: [LayerSensitivity]
  ) -> String {
    guard !kept.isEmpty else { return "" }
    let products = all.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
    let noise = all.reduce(0) { $0 + $1.noise }
    var table = TextTable([
      .left(title), .right("of the products"), .right("of the loss"),
    ])
    for layer in kept {
      table.rows.append([
        layer.layer, NumberText.percent(Double(layer.multiplyAccumulates) / products),
        NumberText.percent(layer.noise / noise),
      ])
    }
    let spent = kept.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
    table.rows.append([
      "all of them", NumberText.percent(spent / products),
      NumberText.percent(kept.reduce(0) { $0 + $1.noise } / noise),
    ])
    return table.text() + "\n"
  }

  /// Calibration is for `int8`, and chooses it.
  private static func backend(_ arguments: ArgumentList) throws(UsageError) -> Backend {
    let calibrates = arguments.has("--calibrate")
    switch try arguments.choice("--backend", Backend.self) {
    case nil, .auto: return calibrates ? .int8 : .float
    case .int8: return .int8
    case .float where !calibrates: return .float
    case .float: throw UsageError("--calibrate is for int8; leave --backend float out")
    case .reference, .blas: throw UsageError("only float and int8 are compiled")
    }
  }
}
