// Fovea - the anchors of BlazeFace.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// The anchors of BlazeFace: places of the input that its rows count from. A cell of the grid of each
/// stride has several, all in its middle.
enum FaceAnchors {
  /// Strides, and how many anchors a cell of each has, of the networks that there are: those for
  /// short range, for the back camera, and for full range.
  private static let layouts: [[(stride: Int, perCell: Int)]] = [
    [(8, 2), (16, 6)], [(16, 2), (32, 6)], [(4, 1)],
  ]

  /// The anchors in pixels of an input, in the order of rows; `nil` where no layout has `count`.
  static func centers(count: Int, inputSize: ImageSize) -> [SIMD2<Double>]? {
    for layout in layouts {
      let counts = layout.map { layer in
        (inputSize.width / layer.stride) * (inputSize.height / layer.stride) * layer.perCell
      }
      guard counts.reduce(0, +) == count else { continue }
      return layout.flatMap { layer in
        let (columns, rows) = (inputSize.width / layer.stride, inputSize.height / layer.stride)
        return (0..<columns * rows).flatMap { cell in
          let at = SIMD2(Double(cell % columns) + 0.5, Double(cell / columns) + 0.5)
          return repeatElement(at * Double(layer.stride), count: layer.perCell)
        }
      }
    }
    return nil
  }
}
