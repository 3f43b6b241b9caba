// Fovea - fovea run: arrays in, arrays out.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Runs a model on arrays.
enum RunCommand: Subcommand {
  static let description = CommandDescription(
    name: "run", synopsis: "MODEL --input NAME=FILE.npy ... --output-dir DIR [OPTIONS]",
    summary: "Runs a model on arrays and writes one NAME.npy for each output.",
    options: [
      .init(
        name: "--input", value: "NAME=FILE", help: "an array, or a number such as iouThreshold=0.5",
        isRepeatable: true),
      .init(name: "--output-dir", value: "DIR", help: "where to write; made if it is not there"),
      .init(
        name: "--stage", value: "N",
        help: "end a pipeline after its stage N (0 = the network before suppression)"),
      .backend, .weights, .calibrate, .floatShare, .int16Share, .threads,
    ],
    operandCount: 1...1,
    notes: """
      An image input takes uint8 of exactly its size: [height, width, 3] in the order red, green,
      blue, or [height, width] for gray. Outputs are float32.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = arguments.operands[0]
    let folder = try arguments.required("--output-dir", "name the folder to write to")
    let stage = try arguments.integer("--stage", in: 0...Int.max)
    let assignments = try arguments.values("--input").map { try Assignment($0) }
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(
      .file(path), arguments, lastStage: stage, decodesHead: false)
    let (arrays, numbers) = try read(assignments, for: model)
    let outputs: [String: Tensor]
    do throws(DetectionError) {
      outputs = try model.prediction(from: arrays, numbers: numbers, pool: pool)
    } catch {
      throw error.reported(file: path)
    }
    try write(outputs, to: folder)
    return 0
  }

  private static func read(
    _ assignments: [Assignment], for model: Model
  ) throws -> (arrays: [String: Tensor], numbers: [String: Double]) {
    var arrays: [String: Tensor] = [:]
    var numbers: [String: Double] = [:]
    for assignment in assignments {
      let (name, value) = (assignment.name, assignment.value)
      guard arrays[name] == nil, numbers[name] == nil else {
        throw UsageError("--input \(name) is given twice")
      }
      if model.numberInputs.contains(name) {
        guard let number = Double(value), (0...1).contains(number) else {
          throw UsageError("--input \(name) is '\(value)'; expected a number in 0...1")
        }
        numbers[name] = number
      } else {
        do {
          arrays[name] = try Tensor(contentsOf: value)
        } catch {
          throw CommandFailure(error, file: value)
        }
      }
    }
    return (arrays, numbers)
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

/// NAME=VALUE.
private struct Assignment {
  var name: String
  var value: String

  init(_ text: String) throws(UsageError) {
    let name = text.prefix { $0 != "=" }
    guard !name.isEmpty, name.count + 1 < text.count else {
      throw UsageError("--input is '\(text)'; expected NAME=FILE.npy or NAME=NUMBER")
    }
    self.name = String(name)
    value = String(text.dropFirst(name.count + 1))
  }
}
