// Fovea - where the samples of a stored picture lie, seen from the upright one.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaGeometry

/// The samples of a stored picture, each by its column and row in the upright one.
///
/// Turning and mirroring exchange or reverse rows and columns. So the place of sample (x, y) in
/// memory is the sum of a number for x and one for y, whatever the orientation.
struct SampleLayout {
  /// A plane, and the offsets of its samples by upright columns and rows of the picture.
  struct Plane {
    let start: UnsafePointer<UInt8>
    let columns: [Int]
    let rows: [Int]

    /// Whether a row of the upright picture lies in memory as it is.
    let isPlain: Bool
  }

  let planes: [Plane]
  /// What the planes hold; `nil` for red, green and blue.
  let coding: SampleCoding?
  /// The bits of a sample: 8, or more for the low bits of words.
  let bits: Int
  /// How many columns and rows share a sample of chroma, as shifts.
  let chromaShifts: (Int, Int)
  /// Whether a row of chroma lies in memory as it is, too.
  var isPlain: Bool { bits == 8 && planes.allSatisfy(\.isPlain) }

  /// Where one kind of sample lies in memory.
  private struct Samples {
    let start: UnsafePointer<UInt8>
    let rowBytes: Int
    let step: Int
    var shifts = (0, 0)
  }

  /// - Parameters:
  ///   - image: A picture as it is stored.
  ///   - columns: The columns to give: those of the upright picture; further ones repeat the last.
  ///   - rows: The rows to give, likewise.
  init(_ image: fov_image, _ orientation: ImageOrientation, columns: Int, rows: Int) {
    let samples = Self.samples(of: image)
    coding = samples.count == 3 && Self.isColor(image) ? nil : SampleCoding(image.yuv)
    bits = image.format == .planar ? Int(image.sample_bits) : 8
    chromaShifts = samples.last?.shifts ?? (0, 0)
    let stored = ImageSize(width: Int(image.width), height: Int(image.height))
    let upright = orientation.uprightSize(of: stored)
    // The stored place along the axis that upright columns or rows run along.
    let across = (0..<columns).map { x in
      let x = min(x, upright.width - 1)
      let place = orientation.stored(x: (Double(x) + 0.5) / Double(upright.width), y: 0.5)
      return Self.place(
        orientation.swapsSides ? place.v : place.u,
        of: orientation.swapsSides ? stored.height : stored.width)
    }
    let down = (0..<rows).map { y in
      let y = min(y, upright.height - 1)
      let place = orientation.stored(x: 0.5, y: (Double(y) + 0.5) / Double(upright.height))
      return Self.place(
        orientation.swapsSides ? place.u : place.v,
        of: orientation.swapsSides ? stored.width : stored.height)
    }
    planes = samples.map { samples in
      let (shiftX, shiftY) = samples.shifts
      func column(_ place: Int) -> Int { (place >> shiftX) * samples.step }
      func row(_ place: Int) -> Int { (place >> shiftY) * samples.rowBytes }
      return Plane(
        start: samples.start, columns: across.map(orientation.swapsSides ? row : column),
        rows: down.map(orientation.swapsSides ? column : row),
        isPlain: !orientation.swapsSides && samples.step == 1 && across.last == columns - 1
          && across.first == 0)
    }
  }

  private static func place(_ fraction: Double, of count: Int) -> Int {
    min(max(Int(fraction * Double(count)), 0), count - 1)
  }

  private static func isColor(_ image: fov_image) -> Bool {
    switch image.format {
    case .planar: image.yuv == .rgb
    case .rgb, .bgr, .rgba, .bgra: true
    case .gray, .nv12, .yuyv: false
    }
  }

  /// One or three kinds of samples: gray; luma and chroma; or red, green and blue.
  private static func samples(of image: fov_image) -> [Samples] {
    func packed(_ offset: Int, _ step: Int, _ shifts: (Int, Int) = (0, 0)) -> Samples {
      Samples(
        start: image.data + offset, rowBytes: Int(image.row_bytes), step: step, shifts: shifts)
    }
    switch image.format {
    case .rgb: return (0..<3).map { packed($0, 3) }
    case .bgr: return (0..<3).map { packed(2 - $0, 3) }
    case .rgba: return (0..<3).map { packed($0, 4) }
    case .bgra: return (0..<3).map { packed(2 - $0, 4) }
    case .gray: return [packed(0, 1)]
    case .yuyv: return [packed(0, 2), packed(1, 4, (1, 0)), packed(3, 4, (1, 0))]
    case .nv12:
      let chroma = (0..<2).map { place in
        Samples(
          start: image.data + Int(image.chroma_offset) + place,
          rowBytes: Int(image.chroma_row_bytes), step: 2, shifts: (1, 1))
      }
      return [packed(0, 1)] + chroma
    case .planar:
      let shifts = (Int(image.chroma_shifts.0), Int(image.chroma_shifts.1))
      return [image.planes.0, image.planes.1, image.planes.2].enumerated().compactMap { entry in
        let plane = entry.element
        return plane.data.map {
          Samples(
            start: $0, rowBytes: Int(plane.row_bytes), step: Int(plane.step),
            shifts: entry.offset == 0 ? (0, 0) : shifts)
        }
      }
    }
  }
}
