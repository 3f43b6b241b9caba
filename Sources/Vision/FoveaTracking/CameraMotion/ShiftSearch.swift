// Fovea - by how many pixels a whole picture has shifted.
// SPDX-License-Identifier: Apache-2.0

/// Finds the shift of a whole picture: it tries all of them, on a copy of a few thousand pixels.
enum ShiftSearch {
  /// Shifts of up to this part of the width or height are tried.
  private static let reach = 4

  /// The shift, in whole pixels, after which the pictures differ least. Of shifts that are equally
  /// good, a shorter one is taken, so that pictures without content stay where they are.
  static func shift(from old: LumaPlane, to new: LumaPlane) -> (x: Int, y: Int) {
    let (acrossReach, alongReach) = (old.width / reach, old.height / reach)
    var best = (x: 0, y: 0)
    var bestLength = 0
    var least = difference(old, new, x: 0, y: 0)
    for y in -alongReach...alongReach {
      for x in -acrossReach...acrossReach {
        let found = difference(old, new, x: x, y: y)
        let length = x * x + y * y
        if found < least || (found == least && length < bestLength) {
          (best, bestLength, least) = ((x, y), length, found)
        }
      }
    }
    return best
  }

  /// The mean difference of what both pictures show, where `new` is shifted by (`x`, `y`).
  private static func difference(_ old: LumaPlane, _ new: LumaPlane, x: Int, y: Int) -> Float {
    let columns = max(0, -x)..<(old.width - max(0, x))
    let rows = max(0, -y)..<(old.height - max(0, y))
    guard !columns.isEmpty, !rows.isEmpty else { return .infinity }
    return old.pixels.withUnsafeBufferPointer { before in
      new.pixels.withUnsafeBufferPointer { after in
        var sum: Float = 0
        for row in rows {
          let (start, other) = (row * old.width, (row + y) * new.width + x)
          for column in columns {
            sum += (before[start + column] - after[other + column]).magnitude
          }
        }
        return sum / Float(columns.count * rows.count)
      }
    }
  }
}
