// Fovea - tests: small Darknet networks.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat

/// A Darknet network in memory.
struct DarknetExample {
  /// Layers before the head.
  var layers: String
  var net = "[net]\nwidth=64\nheight=32\nchannels=3\n"
  var head = "[yolo]\nmask=0,1\nanchors=8,16, 16,8, 4,4\nclasses=2\nnum=3\n"
  /// The bytes before the arrays.
  var header = Self.header(0, 2, 5, imagesBytes: 8)
  /// The number of floats in the arrays.
  var floats: Int
  var otherFiles: [String: [UInt8]] = [:]

  /// The convolution that heads read: 3 channels of one pixel each to 14 of two anchors.
  static let toHead = "[convolutional]\nfilters=14\nactivation=linear\n"
  /// What it takes from the weights where its input has some channels.
  static func headFloats(_ channels: Int = 3) -> Int { 14 * (1 + channels) }

  static func header(_ version: Int..., imagesBytes: Int) -> [UInt8] {
    version.flatMap { [UInt8($0), 0, 0, 0] } + Array(repeating: 7, count: imagesBytes)
  }

  var text: String { net + layers + head }

  /// Arrays of small numbers, each different.
  var weights: [UInt8] {
    header
      + (0..<floats).flatMap { index in
        withUnsafeBytes(of: (Float(index % 97) / 97 + 0.01).bitPattern.littleEndian, Array.init)
      }
  }

  /// Reads it by the name of one of its files.
  func model(
    _ name: String = "tiny.cfg", size: ImageFeature.Size? = nil,
    limits: ReadingLimits = ReadingLimits()
  ) throws -> ModelDescription {
    let files = ["tiny.cfg": Array(text.utf8), "tiny.weights": weights]
    let folder = FolderInMemory(files.merging(otherFiles) { $1 })
    return try ModelDescription(
      anyFormat: files[name] ?? [], fileName: name, folder: folder, imageSize: size,
      limits: limits)
  }

  /// The operations of the network.
  func operations() throws -> [TensorProgram.Operation] {
    try model().network.operations
  }

  /// The shapes of all results by name.
  func shapes() throws -> [String: [Int]] {
    var shapes: [String: [Int]] = [:]
    for result in try operations().flatMap(\.results) {
      guard case .tensor(let type) = result.type else { continue }
      shapes[result.name] = type.knownShape
    }
    return shapes
  }
}

extension ModelDescription {
  /// The program of the first stage.
  var network: TensorProgram.Function {
    get throws {
      guard case .pipeline(let pipeline) = body,
        case .program(let program) = pipeline.stages[0].model.body,
        let function = program.functions["main"]
      else { throw Missing(what: "a network") }
      return function
    }
  }

  /// The second stage.
  var suppression: NonMaximumSuppression {
    get throws {
      guard case .pipeline(let pipeline) = body, pipeline.stages.count == 2,
        case .nonMaximumSuppression(let stage) = pipeline.stages[1].model.body
      else { throw Missing(what: "a suppression") }
      return stage
    }
  }
}
