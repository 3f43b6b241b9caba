// Fovea - how the camera has moved from one picture of a source to the next.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaCore
internal import FoveaTracking

/// Estimates how a camera has moved between two pictures that were looked at.
///
/// A small gray copy of the upright picture is compared with that of the picture before, so the cost
/// grows with the stored picture only as far as reading it does.
struct FrameMotion: Sendable {
  private var estimator = CameraMotionEstimator()
  private var gray: [UInt8] = []

  /// The shorter side of the small copy, unless the picture is smaller.
  private static let shortSide = 240

  /// Takes in the picture of a result.
  ///
  /// - Parameters:
  ///   - unit: The size of the picture in the unit of `boxes` and of the map.
  ///   - boxes: What moves by itself: the objects of the picture before.
  /// - Returns: How points move from the picture before to this one; `nil` for a first picture, and
  ///   where nothing can be told.
  mutating func motion(
    of result: VideoResult, unit: ImageSize, off boxes: [TrackingBox]
  ) -> AffineMap? {
    let whole = result.imageSize
    let factor = max(1, min(whole.width, whole.height) / Self.shortSide)
    let size = ImageSize(
      width: max(1, whole.width / factor), height: max(1, whole.height / factor))
    // Long strips would stay large: the search takes as long as the square of the longer side.
    guard max(size.width, size.height) <= 16 * min(size.width, size.height),
      copyGray(result, size)
    else { return nil }
    let (x, y) = (
      Double(size.width) / Double(unit.width), Double(size.height) / Double(unit.height)
    )
    let small = boxes.map { box in
      TrackingBox(x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y)
    }
    let pixels = gray
    let map = estimator.motion(
      luma: pixels.span, width: size.width, height: size.height, rowStep: size.width, off: small)
    guard let map, map != .identity else { return map }
    return .scaling(x: x, y: y).then(map).then(.scaling(x: 1 / x, y: 1 / y))
  }

  /// Whether the gray copy of this size could be made.
  private mutating func copyGray(_ result: VideoResult, _ size: ImageSize) -> Bool {
    let frame = result.picture
    do {
      try frame.withPlanes { planes in
        let geometry = try ImageGeometry(
          storedSize: planes.size, orientation: result.planesOrientation, modelSize: size)
        try planes.sample(geometry.sampling(), size: size, channels: 1, into: &gray)
      }
      return true
    } catch {
      return false
    }
  }
}
