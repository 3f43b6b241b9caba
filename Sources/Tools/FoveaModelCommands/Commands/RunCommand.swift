// Fovea - fovea run: arrays or pictures in, arrays out.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Runs a model on arrays or pictures.
enum RunCommand: Subcommand {
  static let description = CommandDescription(
    name: "run", synopsis: "MODEL --input NAME=FILE ... --output-dir DIR [OPTIONS]",
    summary: "Runs a model on arrays or pictures and writes one NAME.npy for each output.",
    options: [
      .modelOperand,
      .init(
        name: "--input", value: "NAME=FILE",
        help: "an array (.npy), a picture, or a number such as iouThreshold=0.5",
        isRepeatable: true),
      .init(name: "--output-dir", value: "DIR", help: "where to write; made if it is not there"),
      .init(
        name: "--stage", value: "N",
        help: "end a pipeline after its stage N (0 = the network before suppression)"),
      .function, .size,
      .init(
        name: "--confidence", value: "0...1",
        help: "least confidence of boxes that suppression leaves (default: the model's own)"),
      .init(
        name: "--iou", value: "0...1",
        help: "greatest overlap of boxes that suppression leaves (default: the model's own)"),
      .backend, .weights, .calibrate, .quality, .floatShare, .int16Share, .threads,
    ] + ArrayInputOptions.options,
    operandCount: 1...1,
    notes: """
      An image input takes a picture, and so does an array of 1 or 3 channels, rows and columns. An
      image input also takes uint8 [height, width, 3] in the order red, green, blue, or
      [height, width] for gray. Where the model allows several sizes or shapes, it is run at those of
      the files. With --size pictures are scaled to that size, as detect scales them.
      A pipeline runs through its suppression unless --stage ends it before. Outputs are float32.
      """,
    leading: .model)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let folder = try arguments.required("--output-dir", "name the folder to write to")
    let stage = try arguments.integer("--stage", in: 0...Int.max)
    let assignments = try arguments.values("--input").map { try Assignment($0) }
    let thresholds = try SuppressionThresholds(
      iou: arguments.fraction("--iou"), confidence: arguments.fraction("--confidence"))
    let pool = try ModelLoading.threads(arguments)
    var wish = try ArrayInputOptions.wish(arguments)
    wish.keepsOtherInputs = true
    let pictures = wish.isSpecific || assignments.contains(where: \.isPicture) ? wish : nil
    var model = try ModelLoading.load(
      .file(path), arguments, lastStage: stage, pictures: pictures, decodesHead: false)
    try check(thresholds, for: model)
    let inputs = try RunInputs(assignments, for: model)
    if let sizes = inputs.sizes(otherThan: model, scalesPictures: arguments.has("--size")) {
      model = try ModelLoading.load(
        .file(path), arguments, lastStage: stage, sizes: sizes, pictures: pictures,
        decodesHead: false)
    }
    let outputs: [String: Tensor]
    do {
      outputs = try model.prediction(
        from: inputs.arrays(for: model), numbers: inputs.numbers, thresholds: thresholds, pool: pool
      )
    } catch let error as DetectionError {
      throw error.reported(file: path)
    } catch {
      throw CommandFailure(error, file: path)
    }
    try write(outputs, to: folder)
    return 0
  }

  private static func check(
    _ thresholds: SuppressionThresholds, for model: Model
  ) throws(UsageError) {
    guard model.suppression == nil, thresholds.iou != nil || thresholds.confidence != nil else {
      return
    }
    throw UsageError(
      "--iou and --confidence are for a pipeline that is run through its suppression")
  }

  private static func write(_ outputs: [String: Tensor], to folder: String) throws {
    try SystemInterface.makeFolder(folder)
    var table = TextTable([.left("output"), .left("shape"), .left("file")])
    var taken: Set<String> = []
    for (name, tensor) in outputs.sorted(by: { $0.key < $1.key }) {
      var file = fileName(for: name)
      while !taken.insert(file).inserted { file = "_" + file }
      let path = "\(folder)/\(file)"
      do {
        try tensor.write(to: path)
      } catch {
        throw CommandFailure(error, file: path)
      }
      table.rows.append([name, NumberText.shape(tensor.shape), path])
    }
    SystemInterface.writeOutput(table.text())
  }

  /// The name of an output as the name of a file inside the folder, whatever the model calls it.
  static func fileName(for output: String) -> String {
    let safe = String(
      output.unicodeScalars.map { scalar -> Character in
        scalar == "/" || scalar == "\\" || scalar.value < 32 ? "_" : Character(scalar)
      })
    return (safe.isEmpty || safe.hasPrefix(".") ? "_" + safe : safe) + ".npy"
  }
}
