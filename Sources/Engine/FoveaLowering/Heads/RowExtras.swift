// Fovea - what the numbers of a row are that follow its box and its scores.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// An output of a head beside scores and boxes.
struct HeadPart {
  var output: ObjectOutput
  var value: HeadValue
}

/// What the numbers of a row are that follow its box and its scores.
struct RowExtras {
  enum Meaning {
    case none
    /// Key points of so many numbers each: x, y and maybe a confidence.
    case points(numbers: Int)
    /// Factors of the planes of an output.
    case masks(HeadEvidence.Output)
    /// The angle of the box, in radians.
    case angle
  }

  var meaning = Meaning.none
  /// How many numbers they are.
  var count = 0

  /// What the file says of them before anything is known of the scores.
  static func declared(
    in evidence: HeadEvidence, besides output: HeadEvidence.Output
  ) -> RowExtras {
    if evidence.task == "pose", let shape = evidence.keyPointShape {
      return RowExtras(
        meaning: .points(numbers: shape.numbers), count: shape.count * shape.numbers)
    }
    let planes = evidence.outputs.first {
      $0.name != output.name && $0.value.shape.count == 4 && $0.value.shape[0] == 1
    }
    guard let planes else { return RowExtras() }
    return RowExtras(meaning: .masks(planes), count: evidence.planeCount(of: planes))
  }

  /// What columns are: what the file declares, or what the task, the graph or the numbers tell. Key
  /// points with confidences show themselves: each third column is a probability, and no other is.
  static func found(
    in columns: Range<Int>, of output: HeadEvidence.Output, isTurned: Bool,
    _ evidence: HeadEvidence
  ) -> RowExtras? {
    let declared = declared(in: evidence, besides: output)
    if declared.count == columns.count { return declared }
    if evidence.task == "obb" {
      return columns.count == 1 ? RowExtras(meaning: .angle, count: 1) : nil
    }
    guard [nil, "pose"].contains(evidence.task) else { return nil }
    if columns.count % 3 == 0, haveConfidences(columns, of: output, isTurned: isTurned, evidence) {
      return RowExtras(meaning: .points(numbers: 3), count: columns.count)
    }
    guard evidence.task == "pose", columns.count % 2 == 0 else { return nil }
    return RowExtras(meaning: .points(numbers: 2), count: columns.count)
  }

  /// Whether each third column is a probability, and no other is.
  private static func haveConfidences(
    _ columns: Range<Int>, of output: HeadEvidence.Output, isTurned: Bool,
    _ evidence: HeadEvidence
  ) -> Bool {
    func fits(_ isProbability: [Bool]) -> Bool {
      isProbability.enumerated().allSatisfy { $0.element == ($0.offset % 3 == 2) }
    }
    let origins = evidence.origins(of: output, columns, isTurned: isTurned)
    if fits(origins.map { $0 == .probability }) { return true }
    guard let rows = evidence.sample(of: output, isTurned: isTurned) else { return false }
    return fits(columns.map(rows.isProbability))
  }

  /// In words; empty for none.
  var words: String {
    switch meaning {
    case .none: ""
    case .points(let numbers): ", \(count / numbers) key points"
    case .masks: ", masks of \(count) planes"
    case .angle: ", turned"
    }
  }

  /// Upright boxes [N, 4] in fractions of the input, and the outputs that the extras become.
  ///
  /// - Parameters:
  ///   - boxes: The boxes as the head wrote them, [N, 4].
  ///   - rows: Rows whose columns from `first` on are the extras.
  func decoded(
    boxes: HeadValue, rows: HeadValue, from first: Int, _ reading: BoxReading,
    _ evidence: HeadEvidence, _ program: HeadProgram
  ) throws(FoveaError) -> (coordinates: HeadValue, parts: [HeadPart]) {
    let upright = { () throws(FoveaError) in try program.boxes(boxes, reading, evidence) }
    if case .none = meaning { return (try upright(), []) }
    let columns = try program.columns(rows, first..<first + count)
    switch meaning {
    case .none: return (try upright(), [])
    case .points(let numbers):
      let points = count / numbers
      let isPixels = reading.units == .pixels
      let (x, y) = (1 / Float(evidence.width), 1 / Float(evidence.height))
      let factors = isPixels ? [x, y, 1] : [1, 1, 1]
      let scaled = try program.binary(
        "mul", columns,
        program.constant(
          (0..<points).flatMap { _ in factors.prefix(numbers) }, shape: [count]))
      let shape = [columns.shape[0], points, numbers]
      let value = try program.reshaped(scaled, shape)
      return (try upright(), [HeadPart(output: .points, value: value)])
    case .masks(let planes):
      let shape = planes.value.shape
      let isLast = shape[1] != count
      let prototypes = try program.prototypes(planes.value, isLast: isLast)
      return (
        try upright(),
        [
          HeadPart(output: .maskFactors, value: columns),
          HeadPart(output: .maskPrototypes, value: prototypes),
        ]
      )
    case .angle:
      // Angles are those of pixels.
      let pixels = try program.pixels(boxes, reading, evidence)
      let around = try program.upright(pixels, angles: columns)
      let turned = try program.concat([pixels, columns], axis: 1)
      return (
        try program.fractions(around, evidence), [HeadPart(output: .turnedBoxes, value: turned)]
      )
    }
  }
}

extension HeadEvidence {
  /// The number of key points of a pose, and the numbers of each.
  var keyPointShape: (count: Int, numbers: Int)? {
    guard let text = metadata["kpt_shape"] else { return nil }
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 2, (1..<1000).contains(numbers[0]), (2...3).contains(numbers[1]) else {
      return nil
    }
    return (numbers[0], numbers[1])
  }

  /// The number of planes of an output [1, m, rows, columns], or [1, rows, columns, m] as
  /// TensorFlow has it: planes have the aspect of the picture.
  fileprivate func planeCount(of output: Output) -> Int {
    let shape = output.value.shape
    let isFirst = shape[2] * width == shape[3] * height
    let isLast = shape[1] * width == shape[2] * height
    return isLast && !isFirst ? shape[3] : shape[1]
  }
}

extension HeadProgram {
  /// Planes [m, rows, columns] of an output that is [1, m, rows, columns] or has them last.
  func prototypes(_ value: HeadValue, isLast: Bool) throws(FoveaError) -> HeadValue {
    let planes = try reshaped(value, Array(value.shape.suffix(3)))
    return isLast ? try transposed(planes, [2, 0, 1]) : planes
  }

  /// Boxes as centers and sizes in pixels of the input.
  func pixels(
    _ boxes: HeadValue, _ reading: BoxReading, _ evidence: HeadEvidence
  ) throws(FoveaError) -> HeadValue {
    if reading == BoxReading(corners: false) { return boxes }
    let (width, height) = (Float(evidence.width), Float(evidence.height))
    return try binary(
      "mul", self.boxes(boxes, reading, evidence),
      constant([width, height, width, height], shape: [4]))
  }
}
