// Fovea - the patches that a layer multiplies by its weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Gathers some of the patches of one image's activations.
struct PatchGathering {
  /// The input, [channels, rows, columns]; of a dense layer vectors of `channels` numbers, one for each of
  /// `outputRows`.
  let channels: Int
  let rows: Int
  let columns: Int
  private let convolution: ConvolutionLayer?
  private let outputRows: Int
  private let outputColumns: Int
  private let top: Int
  private let left: Int

  /// For a use of a layer's weights that reads an array of this shape; `nil` where they do not fit.
  init?(_ layer: QuantizableLayer, _ use: WeightUse, inputShape: [Int]) {
    convolution = use.convolution
    var padded = [1, 1, 1] + inputShape
    if use.readsSignals { padded.insert(1, at: padded.count - 1) }
    if let convolution {
      (channels, rows, columns) = (
        padded[padded.count - 3], padded[padded.count - 2], padded.last ?? 1
      )
      guard channels == convolution.inputChannels else { return nil }
      let vertical = Self.extent(
        rows, convolution.kernelSize.height, convolution.stride.height, convolution.dilation.height,
        convolution.padding, isVertical: true)
      let horizontal = Self.extent(
        columns, convolution.kernelSize.width, convolution.stride.width, convolution.dilation.width,
        convolution.padding, isVertical: false)
      (outputRows, top) = vertical
      (outputColumns, left) = horizontal
      guard outputRows > 0, outputColumns > 0 else { return nil }
    } else {
      let size = layer.rowSize
      let isVector = inputShape.indices.contains { inputShape[$0...].reduce(1, *) == size }
      guard use.readsVectors, size > 0, isVector else { return nil }
      (channels, rows, columns) = (size, 1, 1)
      (outputRows, outputColumns) = (inputShape.reduce(1, *) / size, 1)
      (top, left) = (0, 0)
    }
  }

  /// The number of outputs along an axis, and the padding before its first input.
  private static func extent(
    _ size: Int, _ taps: Int, _ stride: Int, _ dilation: Int, _ padding: ConvolutionPadding,
    isVertical: Bool
  ) -> (outputs: Int, before: Int) {
    let reach = (taps - 1) * dilation + 1
    switch padding {
    case .valid(let border):
      let before = isVertical ? border.top : border.left
      let after = isVertical ? border.bottom : border.right
      let room = size + before + after - reach
      return (room < 0 ? 0 : room / stride + 1, before)
    case .same(let heaviness):
      let outputs = (size + stride - 1) / stride
      let total = max(0, (outputs - 1) * stride + reach - size)
      return (outputs, heaviness == .bottomRight ? total / 2 : total - total / 2)
    }
  }

  /// The patches of at most `limit` output positions, spread evenly, the first at `start`.
  func patches(_ input: Span<Float>, limit: Int, start: Int) -> [Float] {
    let positions = outputRows * outputColumns
    let count = min(limit, positions)
    let kernel = convolution?.kernelSize ?? SpatialSize(height: 1, width: 1)
    var patches: [Float] = []
    patches.reserveCapacity(count * channels * kernel.height * kernel.width)
    for index in 0..<count {
      let position = (start + index * positions / count) % positions
      guard let convolution else {
        patches += (0..<channels).map { input[position * channels + $0] }
        continue
      }
      let firstRow = position / outputColumns * convolution.stride.height - top
      let firstColumn = position % outputColumns * convolution.stride.width - left
      for channel in 0..<channels {
        for y in 0..<kernel.height {
          let row = firstRow + y * convolution.dilation.height
          for x in 0..<kernel.width {
            let column = firstColumn + x * convolution.dilation.width
            let isInside = row >= 0 && row < rows && column >= 0 && column < columns
            patches.append(isInside ? input[(channel * rows + row) * columns + column] : 0)
          }
        }
      }
    }
    return patches
  }
}
