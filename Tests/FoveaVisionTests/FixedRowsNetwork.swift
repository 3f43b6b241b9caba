// Fovea - tests: networks that write the same rows for every picture.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport

/// ONNX networks of 64 x 96 pixels that write the same rows for every picture.
enum FixedRowsNetwork {
  /// A network whose outputs are these rows, plus or less nothing of the picture.
  static func make(
    _ outputs: [(name: String, rows: [[Float]])], subtracts: Bool = false
  ) -> ONNXWriter {
    var writer = ONNXWriter()
    writer.input("image", [1, 3, 96, 64])
    writer.floats("zero", [0])
    writer.add("Mul", ["image", "zero"], ["nothing"])
    writer.add("ReduceMean", ["nothing"], ["mean"], ["keepdims": .int(0)])
    for (name, rows) in outputs {
      writer.floats("\(name)-rows", rows.flatMap { $0 }, [1, rows.count, rows[0].count])
      writer.add(subtracts ? "Sub" : "Add", ["\(name)-rows", "mean"], [name])
      writer.output(name, [1, rows.count, rows[0].count])
    }
    return writer
  }

  /// Opens a network for pictures.
  ///
  /// - Parameter names: The names of the classes, as an entry of the metadata.
  static func open(
    _ network: ONNXWriter, names: String? = nil, key: String = "names"
  ) throws -> Model {
    var network = network
    if let names { network.metadata(key, names) }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var options = Model.Options(backend: .float)
    options.pictures = PictureInput()
    return try Model(contentsOf: try folder.write("network.onnx", network.bytes), options: options)
  }
}
