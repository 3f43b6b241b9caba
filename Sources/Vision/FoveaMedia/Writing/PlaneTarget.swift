// Fovea - planes that are filled with the samples of a stored picture.
// SPDX-License-Identifier: Apache-2.0

/// A part of an upright picture of planes, with an even number of columns and rows.
struct PlaneTarget {
  let luma, u, v: UnsafeMutablePointer<UInt8>
  /// From row to row of luma; half of it for chroma.
  let rowBytes: Int
  let columns, rows: Int

  /// Copies luma and chroma. Chroma becomes the mean of what four pixels have.
  func copy(_ layout: SampleLayout) {
    let shift = layout.bits - 8
    if layout.bits == 8, layout.planes[0].isPlain {
      for row in 0..<rows {
        let plane = layout.planes[0]
        (luma + row * rowBytes).update(from: plane.start + plane.rows[row], count: columns)
      }
    } else {
      each(layout.planes[0], isWord: shift > 0) { row, column, value in
        luma[row * rowBytes + column] = Self.byte(value, shift)
      }
    }
    guard layout.planes.count == 3 else {
      for row in 0..<rows / 2 {
        (u + row * rowBytes / 2).update(repeating: 128, count: columns / 2)
        (v + row * rowBytes / 2).update(repeating: 128, count: columns / 2)
      }
      return
    }
    for (plane, out) in [(layout.planes[1], u), (layout.planes[2], v)] {
      if layout.isPlain, layout.chromaShifts == (1, 1) {
        for row in 0..<rows / 2 {
          (out + row * rowBytes / 2).update(
            from: plane.start + plane.rows[2 * row], count: columns / 2)
        }
      } else {
        eachMean(plane, isWord: shift > 0) { row, column, value in
          out[row * rowBytes / 2 + column] = Self.byte(value, shift)
        }
      }
    }
  }

  /// Makes luma and chroma of red, green and blue.
  func convert(_ layout: SampleLayout, _ map: SampleMap) {
    let (red, green, blue) = (layout.planes[0], layout.planes[1], layout.planes[2])
    let shift = layout.bits - 8
    let isWord = shift > 0
    @inline(__always) func color(_ row: Int, _ column: Int) -> SIMD4<Int32> {
      SIMD4(
        Int32(Self.byte(Self.sample(red, row, column, isWord), shift)),
        Int32(Self.byte(Self.sample(green, row, column, isWord), shift)),
        Int32(Self.byte(Self.sample(blue, row, column, isWord), shift)), 0)
    }
    for row in stride(from: 0, to: rows, by: 2) {
      for column in stride(from: 0, to: columns, by: 2) {
        var sum = SIMD4<Int32>(repeating: 2)
        for (y, x) in [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)] {
          let color = color(y, x)
          luma[y * rowBytes + x] = map.luma(color.x, color.y, color.z)
          sum &+= color
        }
        let place = row / 2 * (rowBytes / 2) + column / 2
        (u[place], v[place]) = map.chroma(sum.x >> 2, sum.y >> 2, sum.z >> 2)
      }
    }
  }

  // MARK: Samples

  /// A sample of more bits, rounded to 8.
  @inline(__always) private static func byte(_ value: Int, _ shift: Int) -> UInt8 {
    shift > 0 ? UInt8(min((value + (1 << (shift - 1))) >> shift, 255)) : UInt8(value)
  }

  @inline(__always) private static func sample(
    _ plane: SampleLayout.Plane, _ row: Int, _ column: Int, _ isWord: Bool
  ) -> Int {
    let at = plane.start + plane.rows[row] + plane.columns[column]
    return isWord ? Int(at[0]) | Int(at[1]) << 8 : Int(at[0])
  }

  @inline(__always) private func each(
    _ plane: SampleLayout.Plane, isWord: Bool, _ body: (Int, Int, Int) -> Void
  ) {
    for row in 0..<rows {
      for column in 0..<columns { body(row, column, Self.sample(plane, row, column, isWord)) }
    }
  }

  @inline(__always) private func eachMean(
    _ plane: SampleLayout.Plane, isWord: Bool, _ body: (Int, Int, Int) -> Void
  ) {
    for row in 0..<rows / 2 {
      for column in 0..<columns / 2 {
        let (y, x) = (2 * row, 2 * column)
        let sum =
          Self.sample(plane, y, x, isWord) + Self.sample(plane, y, x + 1, isWord)
          + Self.sample(plane, y + 1, x, isWord) + Self.sample(plane, y + 1, x + 1, isWord)
        body(row, column, (sum + 2) >> 2)
      }
    }
  }
}
