// Fovea - convolutions of Darknet.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension DarknetReader {
  /// A convolution, with normalization by stored statistics if it has one, and an activation.
  ///
  /// Its arrays in the weights: biases; with normalization scales, means and variances; kernels
  /// [filters, channels / groups, size, size].
  mutating func convolutional(
    _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue {
    try refuse(["binary", "xnor", "antialiasing", "flipped", "deform", "share_index"], section)
    let x = try input(of: section)
    let function = try activation(section, default: .logistic)
    let windows = try ConvolutionWindows(section, self)
    let filters = try section.integer("filters", default: 1, in: 1...limits.dimension)
    let groups = try section.integer("groups", default: 1, in: 1...limits.dimension)
    guard x.channels % groups == 0, filters % groups == 0 else {
      throw section.error(
        .invalidValue, "groups", found: "\(groups)",
        expected: "a divisor of \(x.channels) channels and of \(filters) filters")
    }
    let bias = try weights.take([filters], of: section, limits: limits)
    var statistics: [TensorConstant] = []
    if try section.flag("batch_normalize") {
      for _ in 0..<3 {
        statistics.append(try weights.take([filters], of: section, limits: limits))
      }
    }
    let size = windows.size
    let kernels = try weights.take(
      [filters, x.channels / groups, size, size], of: section, limits: limits)
    var result = x
    result.name = name(section)
    result.channels = filters
    result.height = try self.windows(
      x.height, size, 2 * windows.padding, windows.strideY, "rows", section)
    result.width = try self.windows(
      x.width, size, 2 * windows.padding, windows.strideX, "columns", section)
    var arguments = windows.arguments
    arguments["x"] = x.argument
    arguments["groups"] = .integer(groups)
    arguments["weight"] = program.constant(kernels, to: name(section, "kernels"))
    let biases = program.constant(bias, to: name(section, "biases"))
    if statistics.isEmpty { arguments["bias"] = biases }
    var value = try program.planes("conv", arguments, to: result)
    if !statistics.isEmpty { value = try normalized(value, biases, statistics, section) }
    return try function.apply(to: value, &program)
  }

  /// (x - mean) / sqrt(variance + 1e-5) * scale + bias.
  private mutating func normalized(
    _ value: DarknetValue, _ biases: TensorProgram.Argument, _ statistics: [TensorConstant],
    _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue {
    var result = value
    result.name = name(section, "normalized")
    return try program.planes(
      "batch_norm",
      [
        "x": value.argument, "beta": biases,
        "gamma": program.constant(statistics[0], to: name(section, "scales")),
        "mean": program.constant(statistics[1], to: name(section, "means")),
        "variance": program.constant(statistics[2], to: name(section, "variances")),
        "epsilon": .float(1e-5),
      ], to: result)
  }
}

/// Where the windows of a convolution lie.
private struct ConvolutionWindows {
  let size: Int
  let strideX: Int
  let strideY: Int
  let dilation: Int
  /// Rows and columns of zeros on each side, where the kernel is not dilated.
  let padding: Int

  init(_ section: DarknetSection, _ reader: DarknetReader) throws(ModelFormatError) {
    let largest = DarknetReader.largest
    size = try section.integer("size", default: 1, in: 1...largest)
    (strideX, strideY) = try reader.strides(section)
    let padding = try section.integer("padding", default: 0, in: 0...largest)
    self.padding = try section.flag("pad") ? size / 2 : padding
    let dilation = try section.integer("dilation", default: 1, in: 1...largest)
    self.dilation = size == 1 ? 1 : dilation
    // Darknet counts outputs as if nothing were dilated. That is right only here.
    guard self.dilation == 1 || 2 * self.padding == size - 1 else {
      throw section.error(
        .unsupportedLayer, "dilation", found: "\(dilation)",
        expected: "a dilated kernel of odd size with pad=1")
    }
  }

  var arguments: [String: TensorProgram.Argument] {
    [
      "strides": .integers([strideY, strideX]), "dilations": .integers([dilation, dilation]),
      "pad_type": .string("custom"),
      "pad": .integers(Array(repeating: padding * dilation, count: 4)),
    ]
  }
}
