// Fovea - tests: packages on a disk, and what models in them compute.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaQuantization
import FoveaTestSupport

/// A folder for packages that goes when it is told to.
struct PackageFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "fovea-packages-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func remove() { try? FileManager.default.removeItem(at: url) }

  /// A package of a model file and its constants, as other tools write it.
  func package(
    _ name: String, _ files: (model: [UInt8], constants: [UInt8])
  ) throws -> String {
    let folder = url.appendingPathComponent(name)
    let data = folder.appendingPathComponent("Data/com.apple.CoreML")
    try FileManager.default.createDirectory(
      at: data.appendingPathComponent("weights"), withIntermediateDirectories: true)
    try Data(files.model).write(to: data.appendingPathComponent("model.mlmodel"))
    try Data(files.constants).write(to: data.appendingPathComponent("weights/weight.bin"))
    let manifest = """
      {"fileFormatVersion": "1.0.0", "rootModelIdentifier": "A",
       "itemInfoEntries": {"A": {"path": "com.apple.CoreML/model.mlmodel"}}}
      """
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("Manifest.json"))
    return folder.path
  }

  /// The bytes of all files below a path.
  static func byteCount(_ path: String) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: path).reduce(0) { sum, name in
      var isFolder: ObjCBool = false
      let file = "\(path)/\(name)"
      _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
      if isFolder.boolValue { return sum }
      return sum + (try Data(contentsOf: URL(fileURLWithPath: file))).count
    }
  }
}

/// What models compute on noise.
enum ProgramRun {
  static let backends: [BackendOptions] = [.reference, .float, .blas, .int8]

  /// All outputs of a model on an image of noise.
  static func outputs(
    _ path: String, _ backend: BackendOptions, function: String? = nil, seed: UInt64 = 4
  ) throws -> [[Float]] {
    var options = Model.Options(backend: backend, function: function)
    options.decodesHead = false
    let model = try Model(contentsOf: path, options: options)
    let session = try Session(model: model)
    var random = SplitMix(seed: seed)
    for input in model.inputs {
      let values = (0..<input.count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if input.type == .uint8 {
        try session.setInput(input.name, to: Tensor(shape: input.shape, uint8s: values))
      } else {
        try session.setInput(
          input.name, to: Tensor(shape: input.shape, floats: values.map { Float($0) / 255 }))
      }
    }
    session.run()
    return try model.outputs.map { output in
      try session.withOutput(output.name) { span in span.indices.map { span[$0] } }
    }
  }

  /// Power of the difference over power of the values, the largest of all outputs.
  static func noise(_ found: [[Float]], _ expected: [[Float]]) -> Double {
    guard found.map(\.count) == expected.map(\.count) else { return .infinity }
    return zip(found, expected).map { found, expected in
      var (error, power) = (0.0, 0.0)
      for (a, b) in zip(found, expected) {
        error += Double(a - b) * Double(a - b)
        power += Double(b) * Double(b)
      }
      return error == 0 ? 0 : error / power
    }.max() ?? 0
  }
}
