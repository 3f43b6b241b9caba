// Fovea - what a detector puts out, decoded on the spot or read from files.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// The arrays `confidence` and `coordinates` of a detector, decoded anew in every run or read
/// from files.
package final class DetectorArrays {
  /// Where the arrays are.
  private enum Place {
    case session(Session, decodingNodes: [Int])
    case memory(confidence: [Float], coordinates: [Float])
  }

  /// The rows of both.
  package let boxCount: Int
  /// The columns of `confidence`.
  package let classCount: Int
  private let place: Place

  /// Arrays that are decoded from heads.
  package init(_ heads: DetectorHeads, options: Model.Options) throws {
    let model = try Model(file: heads.network(), name: "heads", options: options)
    let decoding = model.nodes.indices.filter {
      model.nodes[$0].operation.hasPrefix("detection_")
    }
    guard decoding.count == 2 else {
      throw CommandFailure("the library did not see that the heads are those of a detector")
    }
    let session = try Session(model: model)
    for (name, values) in try heads.logits() { try session.setInput(name, to: values) }
    session.measuresTime = true
    (boxCount, classCount) = (heads.boxCount, heads.classes)
    place = .session(session, decodingNodes: decoding)
    _ = decode(floor: 0)
  }

  /// Arrays from .npy files; dimensions of size 1 before the last two do not matter.
  package init(confidence: String, coordinates: String) throws(CommandFailure) {
    let scores = try Self.matrix(confidence), boxes = try Self.matrix(coordinates)
    guard boxes.columns == 4, scores.rows == boxes.rows, scores.rows > 0, scores.columns > 0 else {
      throw CommandFailure(
        "\(confidence) has shape \(scores.shape) and \(coordinates) \(boxes.shape); "
          + "expected [boxes, classes] and [boxes, 4]")
    }
    (boxCount, classCount) = (scores.rows, scores.columns)
    place = .memory(confidence: scores.values, coordinates: boxes.values)
  }

  private static func matrix(
    _ path: String
  ) throws(CommandFailure) -> (shape: [Int], rows: Int, columns: Int, values: [Float]) {
    do throws(FoveaError) {
      let tensor = try Tensor(contentsOfNPY: path)
      let shape = tensor.shape
      let isMatrix = shape.count >= 2 && shape.dropLast(2).allSatisfy { $0 == 1 }
      let (rows, columns) = isMatrix ? (shape[shape.count - 2], shape[shape.count - 1]) : (0, 0)
      return (shape, rows, columns, tensor.floats())
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// Decodes; the milliseconds of the operations that do, or `nil` for arrays from files.
  ///
  /// - Parameter floor: Boxes that cannot have a score of that much need not be decoded.
  package func decode(floor: Double) -> Double? {
    guard case .session(let session, let nodes) = place else { return nil }
    session.confidenceFloor = Float(floor)
    session.run()
    let timings = session.nodeTimings()
    return nodes.reduce(0) { $0 + Double(timings[$1].total) / 1e6 }
  }

  /// Lends both arrays.
  package func withArrays<Result>(
    _ body: (_ confidence: Span<Float>, _ coordinates: Span<Float>) throws -> Result
  ) throws -> Result {
    switch place {
    case .memory(let confidence, let coordinates):
      return try body(confidence.span, coordinates.span)
    case .session(let session, _):
      return try session.withOutput("confidence") { confidence throws(FoveaError) in
        try session.withOutput("coordinates") { coordinates in
          Swift.Result { try body(confidence, coordinates) }
        }
      }.get()
    }
  }
}
