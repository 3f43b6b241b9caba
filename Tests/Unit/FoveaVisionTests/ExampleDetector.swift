// Fovea - the example's model and image, for tests.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel

/// The example's model and image.
enum ExampleDetector {
  static func request(
    backend: Backend = .auto, threads: Int = 2
  ) throws -> DetectObjectsRequest {
    var options = Model.Options()
    options.backend = BackendOptions(backend)
    let model = try Model(
      bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel", options: options)
    return try DetectObjectsRequest(model: model, pool: try ThreadPool(threadCount: threads))
  }

  static func image(_ shapes: ShapesImage = ShapesImage()) throws -> Image {
    try Image(width: ShapesImage.width, height: ShapesImage.height, rgb: shapes.pixels)
  }

  /// Where an object stands, as observations say it.
  static func box(_ object: ShapesImage.Object) -> NormalizedRect {
    let side = Double(object.side)
    return NormalizedRect(
      imageRect: ImageRect(
        x: Double(object.x), y: Double(object.y), width: side, height: side, origin: .upperLeft),
      in: ImageSize(width: ShapesImage.width, height: ShapesImage.height))
  }

  /// The objects that have no observation of their label with an overlap above 0.5, and the
  /// observations that have no object.
  static func mismatches(
    _ found: [RecognizedObjectObservation], _ drawn: [ShapesImage.Object]
  ) -> [String] {
    var rest = found
    var wrong: [String] = []
    for object in drawn {
      let match = rest.firstIndex {
        $0.bestLabel?.identifier == object.label
          && $0.boundingBox.intersectionOverUnion(with: box(object)) > 0.5
      }
      if let match { rest.remove(at: match) } else { wrong.append("missed \(object)") }
    }
    return wrong + rest.map { "invented \($0)" }
  }
}
