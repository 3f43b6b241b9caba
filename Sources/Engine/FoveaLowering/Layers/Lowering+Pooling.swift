// Fovea - lowering of pooling.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// Maximum, mean or root of squares over windows, or over the whole plane.
  func pooling(_ parameters: PoolingLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    var core = fov_pooling()
    core.function =
      switch parameters.operation {
      case .maximum: .maximum
      case .average: .average
      case .l2: .l2
      }
    core.exclude_padding = parameters.excludesPadding
    guard let windows = parameters.windows else { return try graph.globalPooling(input, core) }
    let (height, width) = input.plane
    let (rows, columns) = try extents(windows, height: height, width: width)
    core.kernel = windows.size.pair
    core.stride = windows.stride.pair
    core.before = (rows.before, columns.before)
    core.output = (rows.output, columns.output)
    return try graph.pooling(input, core)
  }

  private func extents(
    _ windows: PoolingWindows, height: Int, width: Int
  ) throws(FoveaError) -> (rows: SpatialExtent, columns: SpatialExtent) {
    let (kernel, stride) = (windows.size, windows.stride)
    let rows: SpatialExtent?
    let columns: SpatialExtent?
    switch windows.padding {
    case .valid(let amounts):
      rows = .valid(
        size: height, kernel: kernel.height, stride: stride.height, before: amounts.top,
        after: amounts.bottom)
      columns = .valid(
        size: width, kernel: kernel.width, stride: stride.width, before: amounts.left,
        after: amounts.right)
    case .same(let heaviness):
      rows = .same(
        size: height, kernel: kernel.height, stride: stride.height, heaviness: heaviness)
      columns = .same(
        size: width, kernel: kernel.width, stride: stride.width, heaviness: heaviness)
    case .includeLastPixel(let vertical, let horizontal):
      let isPadded = vertical > 0 || horizontal > 0
      rows = .covering(
        size: height, kernel: kernel.height, stride: stride.height, before: vertical,
        after: vertical, dropsPadding: isPadded)
      columns = .covering(
        size: width, kernel: kernel.width, stride: stride.width, before: horizontal,
        after: horizontal, dropsPadding: isPadded)
    }
    guard let rows, let columns else {
      throw mismatch(
        "a window of \(kernel.height)x\(kernel.width) does not fit into \(height)x\(width)"
          + " and the padding")
    }
    return (rows, columns)
  }
}
