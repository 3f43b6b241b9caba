// Fovea - turning a stored image upright.
// SPDX-License-Identifier: Apache-2.0

extension Image {
  /// An upright image of samples whose count is right by construction.
  package init(uprightRGB rgb: [UInt8], width: Int, height: Int) {
    self.init(storedRGB: rgb, width: width, height: height, orientation: 1)
  }

  /// A stored image of samples whose count is right by construction.
  ///
  /// - Parameter orientation: An EXIF orientation, 1...8.
  package init(storedRGB rgb: [UInt8], width: Int, height: Int, orientation: Int) {
    precondition(rgb.count == width * height * 3)
    self.init(
      width: width, height: height, rgb: rgb, storedOrientation: orientation, fullWidth: width,
      fullHeight: height, reductionFactor: 1, hasColorProfile: false)
  }

  /// Whether turning upright exchanges width and height.
  package var swapsSides: Bool { storedOrientation >= 5 }

  /// The number of columns of the upright image.
  package var uprightWidth: Int { swapsSides ? height : width }

  /// The number of rows of the upright image.
  package var uprightHeight: Int { swapsSides ? width : height }

  /// The image turned and mirrored as `storedOrientation` says; its own orientation is 1.
  ///
  /// - Complexity: O(pixels); O(1) if the image is upright already.
  public func upright() -> Image {
    guard storedOrientation != 1 else { return self }
    return Image(
      width: uprightWidth, height: uprightHeight,
      rgb: gathered(columns: uprightWidth, rows: uprightHeight, walk: uprightWalk),
      storedOrientation: 1, fullWidth: swapsSides ? fullHeight : fullWidth,
      fullHeight: swapsSides ? fullWidth : fullHeight, reductionFactor: reductionFactor,
      hasColorProfile: hasColorProfile)
  }

  /// Stored index of the upright image's first pixel, and how it changes with each upright
  /// column and row.
  private var uprightWalk: (start: Int, column: Int, row: Int) {
    let (right, bottom) = (width - 1, (height - 1) * width)
    switch storedOrientation {
    case 2: return (right, -1, width)
    case 3: return (bottom + right, -1, -width)
    case 4: return (bottom, 1, -width)
    case 5: return (0, width, 1)
    case 6: return (bottom, -width, 1)
    case 7: return (bottom + right, -width, -1)
    case 8: return (right, width, -1)
    default: return (0, 1, width)
    }
  }

  /// The pixels met on a walk over the stored ones, row by row.
  private func gathered(
    columns: Int, rows: Int, walk: (start: Int, column: Int, row: Int)
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: rgb.count) { target, count in
      rgb.withUnsafeBufferPointer { source in
        var next = 0
        for row in 0..<rows {
          var from = (walk.start + row * walk.row) * 3
          for _ in 0..<columns {
            target.initializeElement(at: next, to: source[from])
            target.initializeElement(at: next + 1, to: source[from + 1])
            target.initializeElement(at: next + 2, to: source[from + 2])
            next += 3
            from += walk.column * 3
          }
        }
        count = next
      }
    }
  }
}
