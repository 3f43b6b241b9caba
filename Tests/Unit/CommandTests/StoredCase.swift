// Fovea - stored ML Programs with inputs and outputs, as files.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

/// A stored ML Program with inputs and outputs, as files.
struct StoredCase {
  /// The path of the package or compiled folder.
  var model: String
  var examples: [Example] = []

  struct Example {
    var function: String?
    /// The files of the inputs by name.
    var inputs: [String: String] = [:]
    var outputs: [Output] = []
    /// Those of a classifier, by label.
    var probabilities: [String: Double] = [:]
  }

  struct Output {
    var name: String
    var file: String
    /// The greatest difference to accept.
    var tolerance: Double
  }

  init(_ name: String) throws {
    let folder = SharedData.url("mlprogram/\(name)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    model =
      folder.appendingPathComponent(
        try #require(names.first { $0.hasPrefix("model.") })
      ).path
    let info = try #require(try SharedData.json("mlprogram/\(name)/info.json") as? [String: Any])
    for stored in try #require(info["examples"] as? [[String: Any]]) {
      var example = Example(function: stored["function"] as? String)
      for (name, value) in stored["inputs"] as? [String: [String: Any]] ?? [:] {
        let file = try #require(value["file"] as? String)
        example.inputs[name] = folder.appendingPathComponent(file).path
      }
      for (name, value) in stored["outputs"] as? [String: [String: Any]] ?? [:] {
        if let values = value["value"] as? [String: Double] { example.probabilities = values }
        guard let file = value["file"] as? String else { continue }
        example.outputs.append(
          Output(
            name: name, file: folder.appendingPathComponent(file).path,
            tolerance: try #require(value["tolerance"] as? Double)))
      }
      examples.append(example)
    }
  }
}
