// Fovea - an upright picture of 8-bit planes that can be drawn on, encoded and shown.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaGeometry
internal import FoveaCore

/// An upright picture of 8-bit planes, whatever the source stores: luma, and chroma of half its
/// columns and rows (4:2:0).
///
/// Most sources have such planes already: rows are copied, and drawing changes only samples below
/// what is drawn. A picture of red, green and blue would be converted twice, which takes longer than
/// the drawing. Pixels are those of the source. Sides are even, as encoders want them: an odd one
/// has one column or row more, which repeats the last. A picture of another size is scaled to fit.
package final class UprightImage {
  /// The columns of luma; even.
  package let width: Int
  /// The rows of luma; even.
  package let height: Int
  /// Where the source's picture lies.
  package private(set) var content: ImageRect
  /// What samples mean.
  package private(set) var coding = SampleCoding.unspecified
  /// Luma, `width` x `height`; then U and V, half as many columns and rows each.
  package let samples: UnsafeMutablePointer<UInt8>

  /// The number of samples.
  private var count: Int { width * height * 3 / 2 }
  /// A picture that had to be scaled, as red, green and blue.
  private var scaled: [UInt8] = []

  /// Makes room for pictures as large as `size`, a size of an upright picture.
  package init(_ size: ImageSize) {
    (width, height) = (Self.even(size.width), Self.even(size.height))
    content = ImageRect(
      x: 0, y: 0, width: Double(size.width), height: Double(size.height), origin: .upperLeft)
    samples = .allocate(capacity: width * height * 3 / 2)
    samples.initialize(repeating: 0, count: width * height * 3 / 2)
  }

  deinit { samples.deallocate() }

  private static func even(_ side: Int) -> Int { side + side % 2 }

  /// The first sample of luma, of U and of V. A row of chroma has `width` / 2 samples.
  package var planes:
    (
      luma: UnsafeMutablePointer<UInt8>, u: UnsafeMutablePointer<UInt8>,
      v: UnsafeMutablePointer<UInt8>
    )
  {
    (samples, samples + width * height, samples + width * height * 5 / 4)
  }

  /// Whether the room is that of pictures of `size`.
  package func fits(_ size: ImageSize) -> Bool {
    Self.even(size.width) == width && Self.even(size.height) == height
  }

  // MARK: Taking pictures

  /// Takes a picture of a source.
  ///
  /// - Parameters:
  ///   - frame: The picture as it is stored.
  ///   - orientation: How it must be turned; `nil` for what the source says.
  package func take(_ frame: VideoFrame, turned orientation: ImageOrientation? = nil) {
    let turned = orientation ?? frame.orientation
    let orientation = frame.isBottomUp ? turned.afterFlippingRows : turned
    let place = place(for: turned.uprightSize(of: frame.size))
    content = ImageRect(
      x: Double(place.x), y: Double(place.y), width: Double(place.size.width),
      height: Double(place.size.height), origin: .upperLeft)
    frame.withPlanes { planes in
      if turned.uprightSize(of: frame.size) == place.size {
        take(planes.image, orientation, place)
      } else {
        let stored = turned.storedSize(of: place.size)
        scale(planes.image, to: stored)
        scaled.withUnsafeBufferPointer { rgb in
          guard let start = rgb.baseAddress else { return }
          var image = fov_image.blank(.rgb, stored.width, stored.height, data: start)
          image.row_bytes = 3 * stored.width
          image.data_bytes = rgb.count
          take(image, orientation, place)
        }
      }
    }
  }

  /// The largest place for a picture of `size`, in the middle, from an even column and row on.
  private func place(for size: ImageSize) -> (x: Int, y: Int, size: ImageSize) {
    if fits(size) { return (0, 0, size) }
    let scale = min(
      Double(width) / Double(size.width), Double(height) / Double(size.height))
    func side(_ side: Int, _ most: Int) -> Int {
      min(most, max(1, Int((Double(side) * scale).rounded())))
    }
    let fitted = ImageSize(width: side(size.width, width), height: side(size.height, height))
    return ((width - fitted.width) / 4 * 2, (height - fitted.height) / 4 * 2, fitted)
  }

  private func scale(_ image: fov_image, to size: ImageSize) {
    scaled = [UInt8](repeating: 0, count: size.width * size.height * 3)
    withUnsafePointer(to: image) { image in
      var sampling = fov_image_sampling_whole(image, size.width, size.height, 3)
      sampling.filter = .area
      // What cannot be sampled stays black.
      _ = scaled.withUnsafeMutableBufferPointer { out in
        out.baseAddress.map { fov_image_sample(image, &sampling, $0, out.count) }
      }
    }
  }

  private func take(
    _ image: fov_image, _ orientation: ImageOrientation, _ place: (x: Int, y: Int, size: ImageSize)
  ) {
    let columns = min(Self.even(place.size.width), width - place.x)
    let rows = min(Self.even(place.size.height), height - place.y)
    let layout = SampleLayout(image, orientation, columns: columns, rows: rows)
    coding = layout.coding ?? .highDefinition
    if columns < width || rows < height { fillBlack() }
    let target = PlaneTarget(
      luma: planes.luma + place.y * width + place.x,
      u: planes.u + place.y / 2 * (width / 2) + place.x / 2,
      v: planes.v + place.y / 2 * (width / 2) + place.x / 2, rowBytes: width, columns: columns,
      rows: rows)
    if layout.coding == nil {
      target.convert(layout, SampleMap(to: coding))
    } else {
      target.copy(layout)
    }
  }

  private func fillBlack() {
    planes.luma.update(repeating: UInt8(coding.black), count: width * height)
    planes.u.update(repeating: 128, count: width * height / 2)
  }

  // MARK: Coding

  /// Gives the samples another meaning, and the same colors.
  package func recode(to other: SampleCoding) {
    guard other != coding else { return }
    let map = SampleMap(from: coding, to: other)
    let (luma, u, v) = planes
    for row in stride(from: 0, to: height, by: 2) {
      let (upper, lower) = (luma + row * width, luma + (row + 1) * width)
      for column in 0..<width / 2 {
        let place = row / 2 * (width / 2) + column
        let (chromaU, chromaV) = (Int32(u[place]), Int32(v[place]))
        for x in 2 * column...2 * column + 1 {
          upper[x] = map.luma(Int32(upper[x]), chromaU, chromaV)
          lower[x] = map.luma(Int32(lower[x]), chromaU, chromaV)
        }
        (u[place], v[place]) = map.chroma(0, chromaU, chromaV)
      }
    }
    coding = other
  }
}

extension fov_image {
  /// An image of packed pixels, whose rows are yet to be measured.
  fileprivate static func blank(
    _ format: fov_pixel_format, _ width: Int, _ height: Int, data: UnsafePointer<UInt8>
  ) -> fov_image {
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    return fov_image(
      format: format, data: data, data_bytes: 0, width: width, height: height, row_bytes: 0,
      chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored, background: (0, 0, 0),
      yuv: .bt601_video, planes: (none, none, none), chroma_shifts: (0, 0), sample_bits: 8)
  }
}
