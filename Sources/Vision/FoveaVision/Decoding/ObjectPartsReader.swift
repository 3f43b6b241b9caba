// Fovea - masks, key points and corners of objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaShapes

/// Adds masks, key points and corners to the objects of an image.
struct ObjectPartsReader {
  var layout: ObjectPartsLayout
  var geometry: ImageGeometry

  /// Adds what the network says of objects, and drops those whose mask is empty.
  ///
  /// - Parameters:
  ///   - objects: The objects, with boxes on the upright image.
  ///   - rows: The rows of the network's output that they come from.
  func add(
    to objects: inout [RecognizedObjectObservation], rows: [Int], _ numbers: some ObjectNumbers
  ) throws(DetectionError) {
    if layout.pointNumbers > 0 {
      try numbers.withNumbers(.points) { points in addPoints(points, rows, to: &objects) }
    }
    if layout.hasTurnedBoxes {
      try numbers.withNumbers(.turnedBoxes) { boxes in addCorners(boxes, rows, to: &objects) }
    }
    guard let planes = layout.masks else { return }
    if let count = planes.prototypes {
      try numbers.withNumbers(.maskFactors) { factors throws(DetectionError) in
        try numbers.withNumbers(.maskPrototypes) { prototypes in
          addMasks(planes, to: &objects) { sampler, box, index in
            sampler.mask(
              in: box, factors: factors.extracting(rows[index] * count..<(rows[index] + 1) * count),
              prototypes: prototypes)
          }
        }
      }
    } else {
      let size = planes.rows * planes.columns
      try numbers.withNumbers(.maskPlanes) { all in
        addMasks(planes, to: &objects) { sampler, box, index in
          sampler.mask(
            in: box, factors: [1].span,
            prototypes: all.extracting(rows[index] * size..<(rows[index] + 1) * size))
        }
      }
    }
  }

  // MARK: Masks

  private func addMasks(
    _ planes: ObjectPartsLayout.Planes, to objects: inout [RecognizedObjectObservation],
    _ mask: (inout MaskSampler, CornerBox, Int) -> InstanceMask?
  ) {
    var sampler = MaskSampler(
      imageSize: geometry.uprightSize, map: geometry.map(from: .upright, to: .model),
      inputSize: geometry.modelSize, planeColumns: planes.columns, planeRows: planes.rows)
    for index in objects.indices {
      let box = objects[index].boundingBox.toImageCoordinates(
        geometry.uprightSize, origin: .upperLeft)
      objects[index].mask = mask(
        &sampler, CornerBox(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY), index)
    }
    objects.removeAll { $0.mask == nil }
  }

  // MARK: Points

  private func addPoints(
    _ points: Span<Float>, _ rows: [Int], to objects: inout [RecognizedObjectObservation]
  ) {
    let map = geometry.normalizedMap(from: .model, to: .upright)
    let (names, numbers) = (layout.pointNames, layout.pointNumbers)
    for (index, row) in rows.enumerated() {
      objects[index].keypoints = names.indices.map { point in
        let start = (row * names.count + point) * numbers
        let (x, y) = map(x: Double(points[start]), y: 1 - Double(points[start + 1]))
        return RecognizedPoint(
          name: names[point], location: NormalizedPoint(x: x, y: y),
          confidence: numbers > 2 ? points[start + 2] : 1)
      }
    }
  }

  // MARK: Turned boxes

  private func addCorners(
    _ boxes: Span<Float>, _ rows: [Int], to objects: inout [RecognizedObjectObservation]
  ) {
    let map = geometry.map(from: .model, to: .upright)
    let size = geometry.uprightSize
    for (index, row) in rows.enumerated() {
      let box = (0..<5).map { Double(boxes[row * 5 + $0]) }
      func corner(_ right: Double, _ down: Double) -> NormalizedPoint {
        let (across, along) = (right * box[2] / 2, down * box[3] / 2)
        let (cosine, sine) = (cos(box[4]), sin(box[4]))
        let (x, y) = map(
          x: box[0] + across * cosine - along * sine, y: box[1] + across * sine + along * cosine)
        return NormalizedPoint(imagePoint: ImagePoint(x: x, y: y, origin: .upperLeft), in: size)
      }
      objects[index].corners = Quadrilateral(
        topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
        bottomLeft: corner(-1, 1))
      objects[index].rotation = map.rotation(box[4])
    }
  }
}

extension AffineMap {
  /// The angle to which a map along the axes turns an angle, in radians clockwise on the screen;
  /// `nil` where it scales x and y differently, so that rectangles do not stay rectangles.
  fileprivate func rotation(_ angle: Double) -> Double? {
    let (x, y) = exchangesAxes ? (c, b) : (a, d)
    guard abs(abs(x) - abs(y)) <= 1e-9 * abs(x) else { return nil }
    if !exchangesAxes, x > 0, y > 0 { return angle }
    let (cosine, sine) = (cos(angle), sin(angle))
    return atan2(c * cosine + d * sine, a * cosine + b * sine)
  }
}
