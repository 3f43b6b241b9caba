// Fovea - what is known of an output before its task is.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// What is known of an output before its task is.
package struct NetworkOutput: Sendable {
  package var name: String
  /// The size of every dimension, outermost first.
  package var shape: [Int]
  /// The picture that the file declares it as; `nil` for arrays.
  package var image: ImageFeature?

  package init(name: String, shape: [Int], image: ImageFeature? = nil) {
    (self.name, self.shape, self.image) = (name, shape, image)
  }

  var count: Int { shape.reduce(1, *) }

  /// Whether it is one row of at least two numbers.
  var isRow: Bool { image == nil && count >= 2 && shape.contains(count) }

  /// The planes that the output may have over an input of `rows` x `columns`; `nil` for none. Channels
  /// come first where both orders fit.
  func planes(rows: Int, columns: Int) -> PlaneLayout? {
    var sizes = shape[...]
    while sizes.count > 3, sizes.first == 1 { sizes = sizes.dropFirst() }
    let found: [PlaneLayout] =
      switch sizes.count {
      case 2: [layout(1, sizes[sizes.startIndex], sizes[sizes.startIndex + 1], isLast: false)]
      case 3:
        [
          layout(sizes.first ?? 0, sizes[sizes.startIndex + 1], sizes.last ?? 0, isLast: false),
          layout(sizes.last ?? 0, sizes.first ?? 0, sizes[sizes.startIndex + 1], isLast: true),
        ]
      default: []
      }
    return found.first { $0.lies(over: rows, columns) }
  }

  private func layout(_ channels: Int, _ rows: Int, _ columns: Int, isLast: Bool) -> PlaneLayout {
    PlaneLayout(width: columns, height: rows, channels: channels, isChannelsLast: isLast)
  }
}

extension PlaneLayout {
  /// Whether the planes have the aspect of an input, but for what rounding to whole cells costs, and
  /// are more than a point.
  fileprivate func lies(over rows: Int, _ columns: Int) -> Bool {
    guard width > 1, height > 1, rows > 0, columns > 0 else { return false }
    // A cell of the coarser side may be missing or added.
    return abs(width * rows - height * columns) <= max(rows, columns)
  }

  /// How many times an input of `rows` x `columns` it is along both sides; `nil` for no whole number.
  func multiple(of rows: Int, _ columns: Int) -> Int? {
    guard rows > 0, columns > 0, height % rows == 0, width % columns == 0,
      height / rows == width / columns
    else { return nil }
    return height / rows
  }
}
