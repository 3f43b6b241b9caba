// Fovea - boxes that a C program wants to see drawn.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaShapes

extension CallerMemory {
  /// The boxes of a caller, who may be older than masks and points.
  static func boxes(
    _ boxes: UnsafePointer<fovea_box>?, count: Int
  ) throws(CallFailure) -> [fovea_box] {
    try structures(
      boxes, count: count, "fovea_box", oldest: MemoryLayout<fovea_box>.offset(of: \.corners))
  }
}

extension LabeledBox {
  /// A box in an upright picture, with what is drawn besides.
  init(_ box: fovea_box, number: Int, in size: ImageSize) throws(CallFailure) {
    let places = [box.x, box.y, box.width, box.height]
    let corners = box.corners.map { UnsafeBufferPointer(start: $0, count: 8) }.map(Array.init) ?? []
    guard (places + corners).allSatisfy({ $0.magnitude <= 1e9 }) else {
      throw .invalid("box \(number) has a side or a place that is no number of pixels")
    }
    let rect = ImageRect(
      x: box.x, y: box.y, width: box.width, height: box.height, origin: .upperLeft)
    self.init(
      label: box.label.map { String(cString: $0) } ?? "",
      classIndex: box.class_index < 0 ? nil : Int(box.class_index),
      confidence: box.confidence.isNaN ? nil : box.confidence,
      boundingBox: NormalizedRect(imageRect: rect, in: size))
    self.corners = stride(from: 0, to: corners.count, by: 2).map {
      Self.point(corners[$0], corners[$0 + 1], in: size)
    }
    if let text = box.mask_counts {
      guard let runs = MaskRunLengths(imageSize: size, text: String(cString: text)) else {
        throw .invalid(
          "the run lengths of box \(number) are no mask of \(size.width) x \(size.height) pixels")
      }
      mask = InstanceMask(runs)
    }
    keypoints = try CallerMemory.structures(
      box.keypoints, count: box.keypoint_count, "fovea_keypoint"
    ).map { point in
      RecognizedPoint(
        name: point.name.map { String(cString: $0) } ?? "",
        location: Self.point(point.x, point.y, in: size), confidence: point.confidence)
    }
  }

  private static func point(_ x: Double, _ y: Double, in size: ImageSize) -> NormalizedPoint {
    NormalizedPoint(imagePoint: ImagePoint(x: x, y: y, origin: .upperLeft), in: size)
  }
}
