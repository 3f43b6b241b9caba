// Fovea - tests: networks that write the same rows for every picture.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

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

  /// A picture of the networks' size.
  static var picture: Image {
    get throws { try Image(width: 64, height: 96, rgb: Array(repeating: 9, count: 64 * 96 * 3)) }
  }

  /// Expects one object.
  ///
  /// - Parameter box: Its center and size in fractions of the image.
  static func expectOne(
    _ model: Model, _ head: DetectorHead, label: String, confidence: Float, box: [Double],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      model.head?.head == head, "\(model.head?.reason ?? "no head")", sourceLocation: sourceLocation
    )
    let found = try DetectObjectsRequest(model: model).perform(on: try picture)
    let object = try #require(found.count == 1 ? found[0] : nil, sourceLocation: sourceLocation)
    #expect(object.bestLabel?.identifier == label, sourceLocation: sourceLocation)
    #expect(object.topConfidence == confidence, sourceLocation: sourceLocation)
    let difference = ProgramDetectionTests.difference(
      object.boundingBox.verticallyFlipped(), box)
    #expect(difference < 1e-5, "\(object.boundingBox)", sourceLocation: sourceLocation)
  }
}
