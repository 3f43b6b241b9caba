// Fovea - lowering of enlargement and resizing.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A plane enlarged by whole or fractional factors.
  func upsample(_ parameters: UpsampleLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let (height, width) = input.plane
    let rows: ResizeAxis
    let columns: ResizeAxis
    switch parameters.scale {
    case .integer(let factor):
      rows = try enlarged(
        height, by: Double(factor.height), output: product([height, factor.height]))
      columns = try enlarged(
        width, by: Double(factor.width), output: product([width, factor.width]))
    case .fractional(let vertical, let horizontal):
      // Rounded in single precision, as converters do: 10 rows times 0.7 are 7, not 6.
      rows = try enlarged(height, by: Double(vertical), output: whole(Float(height) * vertical))
      columns = try enlarged(
        width, by: Double(horizontal), output: whole(Float(width) * horizontal))
    }
    switch parameters.mode {
    case .nearestNeighbor:
      return try resized(input, .nearest, rows: rows.nearest, columns: columns.nearest)
    case .bilinear(let mode):
      return try resized(
        input, .bilinear, rows: rows.grid(mode), columns: columns.grid(mode))
    }
  }

  /// A plane brought to a size.
  func resizeBilinear(_ parameters: ResizeBilinearLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let (height, width) = input.plane
    let rows = ResizeAxis(size: height, output: parameters.targetSize.height)
    let columns = ResizeAxis(size: width, output: parameters.targetSize.width)
    return try resized(
      input, .bilinear, rows: rows.grid(parameters.sampling),
      columns: columns.grid(parameters.sampling))
  }

  private func resized(
    _ input: GraphValue, _ filter: fov_resize_filter, rows: ResizeGrid, columns: ResizeGrid
  ) throws(FoveaError) -> GraphValue {
    try graph.resize(
      input,
      fov_resize(
        filter: filter, output: (rows.output, columns.output), step: (rows.step, columns.step),
        offset: (rows.offset, columns.offset)))
  }

  private func enlarged(
    _ size: Int, by factor: Double, output: Int
  ) throws(FoveaError) -> ResizeAxis {
    guard output >= 1 else { throw mismatch("a factor of \(factor) leaves nothing of \(size)") }
    return ResizeAxis(size: size, output: output, factor: factor)
  }

  private func whole(_ size: Float) throws(FoveaError) -> Int {
    guard let size = Int(exactly: size.rounded(.down)) else {
      throw mismatch("a size of \(size) is no size")
    }
    return size
  }
}

/// Where the samples of one axis lie: sample i at i * step + offset.
struct ResizeGrid: Equatable {
  /// The number of samples.
  var output: Int
  /// The distance of neighboring samples, in elements of the input.
  var step: Double
  /// The place of the first sample.
  var offset: Double
}

/// One axis of a plane that changes its size.
struct ResizeAxis {
  /// Elements of the input.
  var size: Int
  /// Elements of the output.
  var output: Int
  /// output / size before rounding.
  var factor: Double

  init(size: Int, output: Int, factor: Double? = nil) {
    self.size = size
    self.output = output
    self.factor = factor ?? Double(output) / Double(size)
  }

  /// Element floor(i / factor). The small offset keeps a quotient that should be whole from
  /// falling below it: 49 * (1 / 49) is less than 1.
  var nearest: ResizeGrid { ResizeGrid(output: output, step: 1 / factor, offset: 1e-6 / factor) }

  /// The grid of an enlargement. `halfPixelCenters` is centers on centers,
  /// (i + 0.5) * size / output - 0.5.
  func grid(_ mode: LinearUpsampleMode) -> ResizeGrid {
    switch mode {
    case .standard: upsampling
    case .alignCorners: endpoints(single: 0)
    case .halfPixelCenters:
      ResizeGrid(output: output, step: ratio, offset: 0.5 * ratio - 0.5)
    }
  }

  /// The grid of a resizing. `regionOfInterestAlign` is that of Core ML's `ROI_ALIGN_MODE`,
  /// which Accelerate calls offset corners: (i + 0.5) * max(1, size - 1) / output.
  func grid(_ mode: SamplingMode) -> ResizeGrid {
    switch mode {
    case .strictAlignEndpoints: return endpoints(single: Double(size - 1) / 2)
    case .alignEndpoints: return endpoints(single: 0)
    case .upsample: return upsampling
    case .regionOfInterestAlign:
      let spacing = Double(max(1, size - 1)) / Double(output)
      return ResizeGrid(output: output, step: spacing, offset: 0.5 * spacing)
    }
  }

  private var ratio: Double { Double(size) / Double(output) }

  /// Spacing (size - size / output) / (output - 1), beginning at 0.
  private var upsampling: ResizeGrid {
    let step = output > 1 ? (Double(size) - ratio) / Double(output - 1) : 0
    return ResizeGrid(output: output, step: step, offset: 0)
  }

  /// Spacing (size - 1) / (output - 1), beginning at 0; a single sample lies at `single`.
  private func endpoints(single: Double) -> ResizeGrid {
    output > 1
      ? ResizeGrid(output: output, step: Double(size - 1) / Double(output - 1), offset: 0)
      : ResizeGrid(output: output, step: 0, offset: single)
  }
}
