// Fovea - heads of Darknet's detectors.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Scores and boxes of one head.
struct DarknetHead {
  /// [rows, classes].
  var confidence: TensorProgram.Argument
  /// [rows, 4]: x and y of the center, width, height, in fractions of the picture.
  var coordinates: TensorProgram.Argument
  var rows: Int
  var classes: Int
}

/// What tells the heads of Darknet apart.
private struct HeadRule {
  /// Sizes of boxes for numbers of 1, in fractions of the picture.
  var anchors: [(width: Double, height: Double)]
  var classes: Int
  /// Centers are moved out of their cells by this factor.
  var centerScale = 1.0
  /// Whether centers and scores are sigmoids here; else the layer before has taken them.
  var takesSigmoids = true
  /// Whether the scores of a row sum up to the score of its object.
  var takesSoftmax = false
}

extension DarknetReader {
  /// The head of YOLOv3 and its successors. Anchors are in pixels.
  mutating func yolo(_ section: DarknetSection) throws(ModelFormatError) {
    let all = try anchors(section, width: Double(image.width), height: Double(image.height))
    var chosen: [(width: Double, height: Double)] = []
    for index in try section.integers("mask") ?? Array(all.indices) {
      guard all.indices.contains(index) else {
        throw section.error(
          .invalidValue, "mask", found: "\(index)",
          expected: "0 to \(all.count - 1), for \(all.count) pairs of anchors")
      }
      chosen.append(all[index])
    }
    let scale = try section.number("scale_x_y", default: 1)
    guard scale > 0, scale <= 1000 else {
      throw section.error(
        .invalidValue, "scale_x_y", found: "\(scale)", expected: "a number from 0 to 1000")
    }
    let hasNewCoordinates = try section.flag("new_coords")
    try head(
      HeadRule(
        anchors: chosen, classes: try classes(section), centerScale: scale,
        takesSigmoids: !hasNewCoordinates), section)
  }

  /// The head of YOLOv2. Anchors are in cells.
  mutating func region(_ section: DarknetSection) throws(ModelFormatError) {
    try refuse(["background"], section)
    for key in ["tree", "map"] where section.has(key) {
      throw section.error(
        .unsupportedLayer, key, found: section.word(key, default: ""),
        expected: "classes without a tree",
        remedy: "Fovea cannot run YOLO9000's classes; take a network of plain classes.")
    }
    let coords = try section.integer("coords", default: 4, in: 1...Self.largest)
    guard coords == 4 else {
      throw section.error(.unsupportedLayer, "coords", found: "\(coords)", expected: "4")
    }
    let planes = try input(of: section)
    let all = try anchors(section, width: Double(planes.width), height: Double(planes.height))
    let count = try section.integer("num", default: 1, in: 1...limits.dimension)
    guard count == all.count else {
      throw section.error(
        .invalidValue, "num", found: "\(count)", expected: "\(all.count), the pairs of anchors")
    }
    try head(
      HeadRule(
        anchors: all, classes: try classes(section),
        takesSoftmax: try section.flag("softmax")), section)
  }

  private func classes(_ section: DarknetSection) throws(ModelFormatError) -> Int {
    let classes = try section.integer("classes", default: 20, in: 1...limits.labels)
    guard heads.allSatisfy({ $0.classes == classes }) else {
      throw section.error(
        .invalidValue, "classes", found: "\(classes)",
        expected: "\(heads[0].classes), as the heads before have")
    }
    return classes
  }

  /// Pairs of anchors in fractions of the picture.
  private func anchors(
    _ section: DarknetSection, width: Double, height: Double
  ) throws(ModelFormatError) -> [(width: Double, height: Double)] {
    guard let numbers = try section.numbers("anchors") else {
      throw section.error(
        .missingField, found: "no 'anchors'", expected: "widths and heights of anchors")
    }
    guard numbers.count % 2 == 0, numbers.allSatisfy({ $0 > 0 && $0 < 1e6 }) else {
      throw section.error(
        .invalidValue, "anchors",
        found: "\(numbers.count) numbers, the least \(numbers.min() ?? 0)",
        expected: "pairs of positive numbers")
    }
    return (0..<numbers.count / 2).map {
      (numbers[2 * $0] / width, numbers[2 * $0 + 1] / height)
    }
  }

  // MARK: Decoding

  /// Decodes [1, anchors * (5 + classes), rows, columns]: x, y, width, height, the object's score
  /// and those of the classes, for every anchor. A row of the result is
  /// `(anchor * rows + row) * columns + column`.
  private mutating func head(
    _ rule: HeadRule, _ section: DarknetSection
  ) throws(ModelFormatError) {
    let x = try input(of: section)
    let count = rule.anchors.count
    let (wanted, overflow) = count.multipliedReportingOverflow(by: 5 + rule.classes)
    guard !overflow, x.channels == wanted else {
      throw section.error(
        .invalidValue,
        found: "\(x.channels) channels for a head of \(count) anchors and"
          + " \(rule.classes) classes",
        expected: "\(wanted): filters=(5 + classes) * anchors in the convolution before",
        remedy: "Repair 'filters' there, or 'classes', 'mask' or 'num' here.")
    }
    let planes = try program.write(
      "reshape",
      ["x": x.argument, "shape": .integers([count, 5 + rule.classes, x.height, x.width])],
      to: name(section, "anchors"), [count, 5 + rule.classes, x.height, x.width])
    let boxes = try boxes(rule, planes, x, section)
    let scores = try scores(rule, planes, x, section)
    heads.append(
      DarknetHead(
        confidence: scores, coordinates: boxes, rows: count * x.height * x.width,
        classes: rule.classes))
  }

  /// Centers: (s x - (s - 1) / 2 + column) / columns. Sizes: exp(w) * anchor, or 4 w * w * anchor.
  private mutating func boxes(
    _ rule: HeadRule, _ planes: TensorProgram.Argument, _ x: DarknetValue,
    _ section: DarknetSection
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    let count = rule.anchors.count
    var parts: [TensorProgram.Argument] = []
    for (channel, word) in ["x", "y", "width", "height"].enumerated() {
      let shape = [count, 1, x.height, x.width]
      var value = try channels(channel..<channel + 1, word, rule, planes, x, section)
      let label = name(section, word)
      if channel < 2 {
        let cells = channel == 0 ? x.width : x.height
        let shift = (rule.centerScale - 1) / 2
        let offsets = (0..<cells).map { Float((Double($0) - shift) / Double(cells)) }
        value = try sigmoid(value, rule, label, shape)
        value = try program.write(
          "mul", ["x": value, "y": .float(Float(rule.centerScale / Double(cells)))],
          to: label + "_scaled", shape)
        value = try program.write(
          "add",
          [
            "x": value,
            "y": .floats(offsets, shape: channel == 0 ? [1, 1, 1, cells] : [1, 1, cells, 1]),
          ], to: label + "_placed", shape)
      } else {
        let sizes = rule.anchors.map { channel == 2 ? $0.width : $0.height }
        let factor = rule.takesSigmoids ? 1.0 : 4.0
        value = try program.write(
          rule.takesSigmoids ? "exp" : "square", ["x": value], to: label + "_factor", shape)
        value = try program.write(
          "mul",
          ["x": value, "y": .floats(sizes.map { Float($0 * factor) }, shape: [count, 1, 1, 1])],
          to: label + "_scaled", shape)
      }
      parts.append(value)
    }
    let shape = [count, 4, x.height, x.width]
    let joined = try program.write(
      "concat", ["values": parts, "axis": [.integer(1)], "interleave": [.boolean(false)]],
      to: name(section, "boxes"), shape)
    return try rows(joined, shape, section, "coordinates")
  }

  /// The object's score times those of the classes.
  private mutating func scores(
    _ rule: HeadRule, _ planes: TensorProgram.Argument, _ x: DarknetValue,
    _ section: DarknetSection
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    let count = rule.anchors.count
    let shape = [count, rule.classes, x.height, x.width]
    let object = try sigmoid(
      channels(4..<5, "object", rule, planes, x, section), rule, name(section, "object"),
      [count, 1, x.height, x.width])
    var classes = try channels(5..<5 + rule.classes, "classes", rule, planes, x, section)
    if rule.takesSoftmax {
      classes = try program.write(
        "softmax", ["x": classes, "axis": .integer(1)], to: name(section, "classes_softmax"),
        shape)
    } else {
      classes = try sigmoid(classes, rule, name(section, "classes"), shape)
    }
    let product = try program.write(
      "mul", ["x": classes, "y": object], to: name(section, "scores"), shape)
    return try rows(product, shape, section, "confidence")
  }

  private mutating func channels(
    _ range: Range<Int>, _ word: String, _ rule: HeadRule, _ planes: TensorProgram.Argument,
    _ x: DarknetValue, _ section: DarknetSection
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    let shape = [rule.anchors.count, range.count, x.height, x.width]
    return try program.write(
      "slice_by_size",
      [
        "x": planes, "begin": .integers([0, range.lowerBound, 0, 0]),
        "size": .integers(shape),
      ], to: name(section, word), shape)
  }

  private mutating func sigmoid(
    _ value: TensorProgram.Argument, _ rule: HeadRule, _ label: String, _ shape: [Int]
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    guard rule.takesSigmoids else { return value }
    return try program.write("sigmoid", ["x": value], to: label + "_sigmoid", shape)
  }

  /// Planes [anchors, channels, rows, columns] as rows [anchors * rows * columns, channels].
  private mutating func rows(
    _ planes: TensorProgram.Argument, _ shape: [Int], _ section: DarknetSection, _ word: String
  ) throws(ModelFormatError) -> TensorProgram.Argument {
    let turnedShape = [shape[0], shape[2], shape[3], shape[1]]
    let turned = try program.write(
      "transpose", ["x": planes, "perm": .integers([0, 2, 3, 1])],
      to: name(section, word + "_turned"), turnedShape)
    let rows = [shape[0] * shape[2] * shape[3], shape[1]]
    return try program.write(
      "reshape", ["x": turned, "shape": .integers(rows)], to: name(section, word), rows)
  }
}
