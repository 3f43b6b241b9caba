// Fovea - stored ML Programs with inputs, outputs and tolerances.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

/// A stored model with the outputs that an independent evaluator computed.
struct ProgramCase: CustomTestStringConvertible, Sendable {
  let name: String
  /// The folder of the model below the shared data.
  let model: String
  let examples: [Example]

  var testDescription: String { name }

  /// What goes in and what comes out.
  struct Example: Sendable {
    var function: String?
    var inputs: [String: String] = [:]
    var outputs: [Output] = []
    /// Those of a classifier, by label.
    var probabilities: [String: Double] = [:]
  }

  /// An output and how far from it a result may be.
  struct Output: Sendable {
    var name: String
    var path: String
    var tolerance: Double
    var meanSquareTolerance: Double?

    /// The stored elements. Truth values are read as bytes.
    func values() throws -> [Float] {
      var bytes = try SharedData.bytes(path)
      let type = Array("'|b1'".utf8)
      if let place = bytes.prefix(128).indices.first(where: { bytes[$0...].starts(with: type) }) {
        bytes[place + 2] = UInt8(ascii: "u")
      }
      return try Tensor(npy: bytes).floats()
    }
  }

  /// All cases whose model is a folder of an extension, without pipelines.
  static func all(extension suffix: String) -> [ProgramCase] {
    guard SharedData.isPresent, let names = try? SharedData.files(in: "mlprogram") else {
      return []
    }
    return names.compactMap { try? ProgramCase(name: $0, suffix: suffix) }
  }

  /// Programs that cannot be run: one keeps a state.
  static let refused: Set<String> = ["stateful"]
  /// Programs that end in front of their suppression; see SuppressedHeadTests.
  static let cut: Set<String> = ["yolo11-pose-nms-fp16"]

  private init?(name: String, suffix: String) throws {
    let folder = "mlprogram/\(name)"
    model = "\(folder)/model.\(suffix)"
    guard FileManager.default.fileExists(atPath: SharedData.url(model).path),
      let info = try SharedData.json("\(folder)/info.json") as? [String: Any],
      info["container"] as? String != "pipeline", !Self.refused.union(Self.cut).contains(name),
      let stored = info["examples"] as? [[String: Any]]
    else { return nil }
    self.name = name
    examples = stored.map { example in
      var result = Example(function: example["function"] as? String)
      for (name, value) in example["inputs"] as? [String: [String: Any]] ?? [:] {
        result.inputs[name] = "\(folder)/\(value["file"] as? String ?? "")"
      }
      for (name, value) in example["outputs"] as? [String: [String: Any]] ?? [:] {
        if let probabilities = value["value"] as? [String: Double] {
          result.probabilities = probabilities
        }
        guard value["file"] != nil else { continue }
        result.outputs.append(
          Output(
            name: name, path: "\(folder)/\(value["file"] as? String ?? "")",
            tolerance: value["tolerance"] as? Double ?? 0,
            meanSquareTolerance: value["rms_tolerance"] as? Double))
      }
      return result
    }
  }
}

extension ProgramCase.Example {
  /// Runs the model on the inputs and returns its outputs by name.
  func run(_ path: String, backend: BackendOptions) throws -> [String: Tensor] {
    try run(path, options: Model.Options(backend: backend))
  }

  /// The options that the inputs ask for, beside others.
  func options(_ others: Model.Options = Model.Options()) throws -> Model.Options {
    var options = others
    options.function = function
    for (name, file) in inputs {
      let tensor = try Tensor(contentsOf: SharedData.url(file).path)
      if tensor.dataType == .uint8, tensor.shape.count == 3 {
        options.imageSizes[name] = ImageSize(width: tensor.shape[1], height: tensor.shape[0])
      } else if !tensor.shape.isEmpty {
        options.arrayShapes[name] = tensor.shape
      }
    }
    return options
  }

  /// The same with other names of inputs.
  func renamed(_ names: [String: String]) -> ProgramCase.Example {
    var example = self
    example.inputs = [:]
    for (name, file) in inputs { example.inputs[names[name] ?? name] = file }
    return example
  }

  /// Runs the model with options; those that the inputs ask for are added.
  func run(_ path: String, options: Model.Options) throws -> [String: Tensor] {
    let tensors = try inputs.mapValues { try Tensor(contentsOf: SharedData.url($0).path) }
    let model = try Model(contentsOf: path, options: try self.options(options))
    let session = try Session(model: model)
    for (name, tensor) in tensors {
      let port = model.inputs.first { $0.name == name }
      try session.setInput(
        name,
        to: tensor.dataType == .uint8
          ? tensor : Tensor(shape: port?.shape ?? tensor.shape, floats: tensor.floats()))
    }
    session.run()
    var results: [String: Tensor] = [:]
    for output in model.outputs { results[output.name] = try session.output(output.name) }
    return results
  }
}

extension ProgramCase {
  /// Runs all examples and compares the outputs with the stored ones.
  ///
  /// - Parameters:
  ///   - path: Where the model is, if not among the shared data.
  ///   - left: The name of an output that the model there lacks.
  func check(
    _ backend: BackendOptions, at path: String? = nil, without left: String? = nil
  ) throws {
    for (index, example) in examples.enumerated() {
      let results = try example.run(path ?? SharedData.url(model).path, backend: backend)
      for output in example.outputs where output.name != left {
        let expected = try output.values()
        let found = try #require(results[output.name], "\(name) \(output.name)").floats()
        let difference = Difference(found, expected)
        let (error, limit) =
          output.meanSquareTolerance.map { (difference.meanSquare.squareRoot(), $0) }
          ?? (difference.largest, output.tolerance)
        if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
          print("ERROR", name, index, output.name, backend.backend.rawValue, error, limit)
        }
        #expect(
          found.count == expected.count && error <= limit,
          "\(name), example \(index), \(output.name), \(backend.backend): \(error) > \(limit)")
      }
    }
  }
}
