// Fovea - layers of Darknet that move and combine planes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension DarknetReader {
  /// The greatest kernel, stride or padding: far above any real one.
  static let largest = 1 << 16

  // MARK: Windows

  /// The maximum of windows. Their first one begins padding / 2 before the planes; cells outside
  /// never win.
  mutating func maxpool(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    try refuse(["maxpool_depth", "antialiasing"], section)
    let x = try input(of: section)
    let (strideX, strideY) = try strides(section)
    let stride = try section.integer("stride", default: 1, in: 1...Self.largest)
    let size = try section.integer("size", default: stride, in: 1...Self.largest)
    let padding = try section.integer("padding", default: size - 1, in: 0...Self.largest)
    let before = padding / 2
    var result = x
    result.name = name(section)
    result.height = try windows(x.height, size, padding, strideY, "rows", section)
    result.width = try windows(x.width, size, padding, strideX, "columns", section)
    let bottom = max((result.height - 1) * strideY + size - before - x.height, 0)
    let right = max((result.width - 1) * strideX + size - before - x.width, 0)
    guard before < size, bottom < size, right < size else {
      throw section.error(
        .invalidValue, "padding", found: "\(padding)",
        expected: "at most \(size - 1), so that every window of \(size) reaches the planes")
    }
    return try program.planes(
      "max_pool",
      [
        "x": x.argument, "kernel_sizes": .integers([size, size]),
        "strides": .integers([strideY, strideX]), "pad_type": .string("custom"),
        "pad": .integers([before, bottom, before, right]), "ceil_mode": .boolean(false),
      ], to: result)
  }

  /// The number of windows along rows or columns.
  func windows(
    _ count: Int, _ size: Int, _ padding: Int, _ stride: Int, _ what: String,
    _ section: DarknetSection
  ) throws(ModelFormatError) -> Int {
    guard count + padding >= size else {
      throw section.error(
        .invalidValue,
        found: "windows of \(size) over \(count) \(what) and a padding of \(padding)",
        expected: "windows that fit")
    }
    return (count + padding - size) / stride + 1
  }

  /// The strides along rows and columns of the picture.
  func strides(_ section: DarknetSection) throws(ModelFormatError) -> (x: Int, y: Int) {
    let both = try section.integer("stride", default: 1, in: 1...Self.largest)
    return (
      try section.integer("stride_x", default: both, in: 1...Self.largest),
      try section.integer("stride_y", default: both, in: 1...Self.largest)
    )
  }

  /// The mean of each channel.
  mutating func avgpool(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    let x = try input(of: section)
    return try program.planes(
      "reduce_mean",
      ["x": x.argument, "axes": .integers([2, 3]), "keep_dims": .boolean(true)],
      to: DarknetValue(name: name(section), channels: x.channels, height: 1, width: 1))
  }

  /// Every pixel becomes a block of equal pixels.
  mutating func upsample(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    let x = try input(of: section)
    let stride = try section.integer("stride", default: 2, in: 1...Self.largest)
    let scale = try section.number("scale", default: 1)
    var result = x
    result.name = name(section)
    result.height *= stride
    result.width *= stride
    result = try program.planes(
      "upsample_nearest_neighbor",
      [
        "x": x.argument, "scale_factor_height": .integer(stride),
        "scale_factor_width": .integer(stride),
      ], to: result)
    guard scale != 1 else { return result }
    var scaled = result
    scaled.name = name(section, "scaled")
    return try program.planes(
      "mul", ["x": result.argument, "y": .float(Float(scale))], to: scaled)
  }

  // MARK: Earlier layers

  /// The channels of earlier layers one after another; with groups, one part of each of them. Parts
  /// are equal; channels left over belong to none.
  mutating func route(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    guard let numbers = try section.integers("layers") else {
      throw section.error(.missingField, found: "no 'layers'", expected: "layers=-1,8 and the like")
    }
    let groups = try section.integer("groups", default: 1, in: 1...Self.largest)
    let group = try section.integer("group_id", default: 0, in: 0...groups - 1)
    var parts: [DarknetValue] = []
    for value in try values(numbers, "layers", section) {
      try checkPlanes(value, parts.first ?? value, "layers", section)
      guard value.channels >= groups else {
        throw section.error(
          .invalidValue, "groups", found: "\(groups)",
          expected: "at most the \(value.channels) channels of \(value.name)")
      }
      parts.append(
        groups == 1 ? value : try part(group, of: groups, value, parts.count, section))
    }
    guard parts.count > 1 else { return parts[0] }
    var result = parts[0]
    result.name = name(section)
    result.channels = parts.reduce(0) { $0 + $1.channels }
    try program.write(
      "concat",
      [
        "values": parts.map(\.argument), "axis": [.integer(1)], "interleave": [.boolean(false)],
      ], to: result.name, result.shape)
    return result
  }

  private mutating func part(
    _ index: Int, of count: Int, _ value: DarknetValue, _ number: Int, _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue {
    var part = value
    part.name = name(section, "part_\(number)")
    part.channels /= count
    return try program.planes(
      "slice_by_size",
      [
        "x": value.argument, "begin": .integers([0, index * part.channels, 0, 0]),
        "size": .integers(part.shape),
      ], to: part)
  }

  /// The sum of the layer before and earlier ones.
  mutating func shortcut(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    let type = section.word("weights_type", default: "none")
    guard type == "none" else {
      throw section.error(
        .unsupportedLayer, "weights_type", found: type, expected: "a sum without weights")
    }
    guard let numbers = try section.integers("from") else {
      throw section.error(.missingField, found: "no 'from'", expected: "from=-3 and the like")
    }
    let function = try activation(section, default: .linear)
    var sum = try input(of: section)
    for (count, value) in try values(numbers, "from", section).enumerated() {
      try checkPlanes(value, sum, "from", section)
      guard value.channels == sum.channels else {
        throw section.error(
          .invalidValue, "from", found: "\(numbers[count]), which has \(value.channels) channels",
          expected: "\(sum.channels) channels, as the layer before has")
      }
      var result = sum
      result.name = name(section, count == 0 ? "" : "\(count)")
      sum = try program.planes("add", ["x": sum.argument, "y": value.argument], to: result)
    }
    return try function.apply(to: sum, &program)
  }

  private func checkPlanes(
    _ value: DarknetValue, _ other: DarknetValue, _ key: String, _ section: DarknetSection
  ) throws(ModelFormatError) {
    guard value.height == other.height, value.width == other.width else {
      throw section.error(
        .invalidValue, key,
        found: "planes of \(value.width)x\(value.height) and \(other.width)x\(other.height)",
        expected: "planes of one size",
        remedy: "Give pictures whose sides are multiples of 32, or repair the line.")
    }
  }

  /// Blocks of pixels become channels, in Darknet's own order: the planes are taken for
  /// [channels / block, rows * stride, columns * stride], with block = stride * stride.
  mutating func reorg(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    try refuse(["reverse", "flatten", "extra"], section)
    let x = try input(of: section)
    let stride = try section.integer("stride", default: 1, in: 1...Self.largest)
    let block = stride * stride
    guard x.channels % block == 0, x.height % stride == 0, x.width % stride == 0 else {
      throw section.error(
        .invalidValue, "stride", found: "\(stride)",
        expected: "a divisor of rows and columns (\(x.height), \(x.width)) whose square divides the"
          + " \(x.channels) channels")
    }
    let rows = x.channels / block * x.height
    let cut = try program.write(
      "reshape", ["x": x.argument, "shape": .integers([rows, stride, x.width, stride])],
      to: name(section, "cut"), [rows, stride, x.width, stride])
    let turned = try program.write(
      "transpose", ["x": cut, "perm": .integers([1, 3, 0, 2])], to: name(section, "turned"),
      [stride, stride, rows, x.width])
    let result = DarknetValue(
      name: name(section), channels: x.channels * block, height: x.height / stride,
      width: x.width / stride)
    return try program.planes(
      "reshape", ["x": turned, "shape": .integers(result.shape)], to: result)
  }

  // MARK: Options

  /// The activation of a layer.
  func activation(
    _ section: DarknetSection, default function: DarknetActivation
  ) throws(ModelFormatError) -> DarknetActivation {
    let word = section.word("activation", default: function.rawValue)
    guard let found = DarknetActivation(rawValue: word) else {
      throw section.error(
        .unsupportedLayer, "activation", found: ModelText.readable(word),
        expected: "one of \(DarknetActivation.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return found
  }

  /// Refuses options that would change results.
  func refuse(_ keys: [String], _ section: DarknetSection) throws(ModelFormatError) {
    for key in keys where try section.flag(key) {
      throw section.error(
        .unsupportedLayer, key, found: section.word(key, default: ""), expected: "\(key)=0",
        remedy: "Fovea cannot run such layers; convert the network to ONNX.")
    }
  }
}
