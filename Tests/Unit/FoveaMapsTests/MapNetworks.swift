// Fovea - tests: networks whose maps are known without running them.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport

/// Networks of a few operations on a picture of 16 x 12 pixels "x", whose levels they read as they
/// are.
enum MapNetworks {
  static let (rows, columns) = (12, 16)

  /// A network that writes what `add` adds as "y" of `shape`.
  static func model(
    _ shape: [Int], metadata: [String: String] = [:], type: Int = 1, output: String = "y",
    _ add: (inout ONNXWriter) -> Void
  ) throws -> Model {
    try Model(
      bytes: bytes(shape, metadata: metadata, type: type, output: output, add), name: "map")
  }

  static func bytes(
    _ shape: [Int], metadata: [String: String] = [:], type: Int = 1, output: String = "y",
    _ add: (inout ONNXWriter) -> Void
  ) -> [UInt8] {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, rows, columns])
    add(&writer)
    writer.output(output, shape, type: type)
    writer.metadata("fovea.picture.scale", "1")
    for (key, value) in metadata { writer.metadata(key, value) }
    return writer.bytes
  }

  /// The picture itself: scores of the classes red, green and blue.
  static func colors(_ metadata: [String: String] = ["task": "semantic"]) throws -> Model {
    try model([1, 3, rows, columns], metadata: metadata) { $0.add("Identity", ["x"]) }
  }

  /// The picture itself, kept in 0...255.
  static func clipped() throws -> Model {
    try model([1, 3, rows, columns]) { writer in
      writer.floats("low", [0], [])
      writer.floats("high", [255], [])
      writer.add("Clip", ["x", "low", "high"])
    }
  }

  /// The mean of the colors.
  static func gray(_ metadata: [String: String] = [:], ending: String? = nil) throws -> Model {
    try model([1, 1, rows, columns], metadata: metadata) { writer in
      writer.integers("axes", [1])
      writer.add(
        "ReduceMean", ["x", "axes"], [ending == nil ? "y" : "mean"], ["keepdims": .int(1)])
      if let ending { writer.add(ending, ["mean"]) }
    }
  }

  /// The means of red, green and blue, as a row.
  static func means(_ last: String?, output: String = "y") throws -> Model {
    try model([1, 3], output: output) { writer in
      writer.integers("axes", [2, 3])
      writer.add(
        "ReduceMean", ["x", "axes"], [last == nil ? output : "means"], ["keepdims": .int(0)])
      if last == "length" {
        writer.integers("row", [1])
        writer.add("ReduceL2", ["means", "row"], ["length"], ["keepdims": .int(1)])
        writer.add("Div", ["means", "length"], [output])
      } else if let last {
        writer.add(last, ["means"], [output])
      }
    }
  }

  /// Strong colors without a symmetry: no two turns of the picture are the same.
  static func picture(width: Int = columns, height: Int = rows) throws -> Image {
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let strongest = (x / 3 + y / 2 + (x * y > 40 ? 1 : 0)) % 3
        rgb += (0..<3).map { $0 == strongest ? 250 : UInt8(20 + 5 * $0 + x) }
      }
    }
    return try Image(width: width, height: height, rgb: rgb)
  }

  /// The place of the greatest of the three levels of each pixel.
  static func strongest(_ image: Image) -> [UInt16] {
    (0..<image.width * image.height).map { pixel in
      let levels = image.rgb[pixel * 3..<pixel * 3 + 3]
      return UInt16((levels.firstIndex(of: levels.max() ?? 0) ?? 0) - pixel * 3)
    }
  }
}

extension Image {
  /// The picture as a camera stores it that is held so that `orientation` turns it upright.
  func stored(_ orientation: ImageOrientation) throws -> Image {
    let size = orientation.inverse.uprightSize(of: ImageSize(width: width, height: height))
    let map = orientation.uprightMap(storedSize: size)
    var bytes = [UInt8](repeating: 0, count: rgb.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (u, v) = map(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let source = (Int(v) * width + Int(u)) * 3
        for channel in 0..<3 { bytes[(y * size.width + x) * 3 + channel] = rgb[source + channel] }
      }
    }
    return try Image(
      width: size.width, height: size.height, rgb: bytes, storedOrientation: orientation.rawValue)
  }
}
