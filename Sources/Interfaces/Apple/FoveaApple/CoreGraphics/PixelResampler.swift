// Fovea - pixels of any layout, mapped and scaled by the core's sampler.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import Foundation
package import FoveaRuntime

package enum PixelResampler {
  /// Red, green and blue of what `map` shows of a picture.
  ///
  /// - Parameters:
  ///   - planes: The picture.
  ///   - map: From pixels of the result to pixels of the picture, both from the upper left. It
  ///     keeps the axes or exchanges them.
  ///   - isSmooth: Whether all pixels that one of the result covers are mixed.
  /// - Returns: Rows of `width` x 3 bytes; `nil` for a map or sizes without sense.
  package static func rgb(
    _ planes: PixelPlanes, _ map: CGAffineTransform, width: Int, height: Int,
    isSmooth: Bool = false
  ) -> [UInt8]? {
    var sampling = fov_image_sampling()
    sampling.map = fov_affine_map(
      a: Double(map.a), b: Double(map.c), c: Double(map.b), d: Double(map.d),
      tx: Double(map.tx), ty: Double(map.ty))
    let rect = CGRect(x: 0, y: 0, width: width, height: height).applying(map)
    sampling.source_columns = touched(rect.minX, rect.maxX, of: Int(planes.image.width))
    sampling.source_rows = touched(rect.minY, rect.maxY, of: Int(planes.image.height))
    (sampling.width, sampling.height, sampling.channels) = (width, height, 3)
    sampling.content_columns = fov_pixel_range(begin: 0, end: width)
    sampling.content_rows = fov_pixel_range(begin: 0, end: height)
    sampling.filter = isSmooth ? .area : .bilinear
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, pixels <= Int(Int32.max) else { return nil }
    var image = planes.image
    let bytes = [UInt8](unsafeUninitializedCapacity: pixels * 3) { target, count in
      count = 0
      guard let out = target.baseAddress else { return }
      if fov_image_sample(&image, &sampling, out, pixels * 3) == .ok { count = pixels * 3 }
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// The pixels of a side that the stretch touches, at least one.
  private static func touched(_ first: CGFloat, _ last: CGFloat, of count: Int) -> fov_pixel_range {
    func edge(_ value: CGFloat) -> Int { Int(min(max(0, value), CGFloat(count))) }
    let lower = min(edge((first + 1e-6).rounded(.down)), max(0, count - 1))
    return fov_pixel_range(begin: lower, end: max(lower + 1, edge((last - 1e-6).rounded(.up))))
  }
}
