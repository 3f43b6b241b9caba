// Fovea - frames of videos as buffers of pixels.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import Foundation
internal import FoveaGeometry
internal import FoveaRuntime
internal import FoveaVideo

/// Makes buffers of frames. One caller at a time.
final class FramePixels {
  /// The format of the pixels; `nil` for luma and chroma in the range of the source.
  let format: OSType?
  /// The size to fill; what lies beyond on two sides is cut off. `nil` for that of the frames.
  let size: ImageSize?
  private var planes: UprightImage?
  private var pool: (key: PoolKey, pool: CVPixelBufferPool)?

  private struct PoolKey: Hashable {
    var format: OSType
    var size: ImageSize
  }

  init(format: OSType?, size: ImageSize? = nil) { (self.format, self.size) = (format, size) }

  /// The formats that frames can be had in, the best first.
  static let formats: [OSType] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
    kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ABGR,
    kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR, kCVPixelFormatType_OneComponent8,
  ]

  /// The format that settings ask for; `nil` for none.
  static func format(in settings: [String: Any]?) -> OSType? {
    switch settings?[String(describing: kCVPixelBufferPixelFormatTypeKey)] {
    case let number as NSNumber: number.uint32Value
    case let code as OSType: code
    case let code as Int: OSType(truncatingIfNeeded: code)
    default: nil
    }
  }

  /// The pixels of a frame; `nil` where memory is missing.
  ///
  /// - Parameter orientation: How the stored picture is turned; `.up` for as it is stored.
  func buffer(of frame: VideoFrame, turned orientation: ImageOrientation) -> CVPixelBuffer? {
    let upright = orientation.uprightSize(of: frame.size)
    let target = size ?? upright
    let isColor = format.map(Self.isColor) ?? false
    if isColor || target != upright {
      return colors(of: frame, orientation, upright, target, isColor)
    }
    let picture: UprightImage
    if let planes, planes.content.width == Double(upright.width),
      planes.content.height == Double(upright.height)
    {
      picture = planes
    } else {
      picture = UprightImage(upright)
      planes = picture
    }
    picture.take(frame, turned: orientation)
    let isFull = format.map { $0 == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange }
    let isFullRange = isFull ?? (picture.coding == .jpeg)
    if isFullRange {
      picture.recode(to: .jpeg)
    } else if picture.coding != .highDefinition {
      picture.recode(to: .unspecified)
    }
    return biplanar(picture, upright, isFullRange)
  }

  private static func isColor(_ format: OSType) -> Bool {
    format != kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      && format != kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  }

  private func make(_ format: OSType, _ size: ImageSize) -> CVPixelBuffer? {
    let key = PoolKey(format: format, size: size)
    if pool?.key != key {
      let attributes: [CFString: Any] = [
        kCVPixelBufferPixelFormatTypeKey: NSNumber(value: format),
        kCVPixelBufferWidthKey: NSNumber(value: size.width),
        kCVPixelBufferHeightKey: NSNumber(value: size.height),
      ]
      var made: CVPixelBufferPool?
      CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes as NSDictionary, &made)
      pool = made.map { (key, $0) }
    }
    guard let pool = pool?.pool else { return nil }
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &buffer)
    return buffer
  }

  // MARK: Luma and chroma

  private func biplanar(
    _ picture: UprightImage, _ size: ImageSize, _ isFullRange: Bool
  ) -> CVPixelBuffer? {
    let format =
      isFullRange
      ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    guard let buffer = make(format, size),
      let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
      let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
    else { return nil }
    let source = picture.planes
    let (lumaBytes, chromaBytes) = (
      CVPixelBufferGetBytesPerRowOfPlane(buffer, 0), CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
    )
    for row in 0..<size.height {
      memcpy(luma + row * lumaBytes, source.luma + row * picture.width, size.width)
    }
    let columns = (size.width + 1) / 2
    for row in 0..<(size.height + 1) / 2 {
      let target = (chroma + row * chromaBytes).assumingMemoryBound(to: UInt8.self)
      let (u, v) = (
        source.u + row * (picture.width / 2), source.v + row * (picture.width / 2)
      )
      for column in 0..<columns {
        target[2 * column] = u[column]
        target[2 * column + 1] = v[column]
      }
    }
    state(picture.coding == .highDefinition, buffer)
    return buffer
  }

  /// Says by which factors luma is made of colors.
  private func state(_ isHighDefinition: Bool, _ buffer: CVPixelBuffer) {
    let matrix =
      isHighDefinition
      ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4
    CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
  }

  // MARK: Colors

  private func colors(
    of frame: VideoFrame, _ orientation: ImageOrientation, _ upright: ImageSize,
    _ target: ImageSize, _ isColor: Bool
  ) -> CVPixelBuffer? {
    let factor = max(
      CGFloat(target.width) / CGFloat(upright.width),
      CGFloat(target.height) / CGFloat(upright.height))
    let turned = frame.rows(turned: orientation)
    let map = turned.map(of: frame.size)
      .concatenating(CGAffineTransform(scaleX: factor, y: factor))
      .concatenating(
        CGAffineTransform(
          translationX: (CGFloat(target.width) - factor * CGFloat(upright.width)) / 2,
          y: (CGFloat(target.height) - factor * CGFloat(upright.height)) / 2))
    let format = isColor ? format ?? kCVPixelFormatType_32BGRA : kCVPixelFormatType_24RGB
    guard let buffer = isColor ? make(format, target) : plain(format, target),
      let canvas = buffer.canvas
    else { return nil }
    var style = ImageDrawingStyle()
    style.isSmooth = factor < 1
    frame.withPlanes { planes in
      canvas.draw(
        DrawnImage(planes: planes, arrangement: nil), map,
        PixelClip(columns: 0..<target.width, rows: 0..<target.height), style)
    }
    return isColor ? buffer : subsampled(buffer, target)
  }

  private func plain(_ format: OSType, _ size: ImageSize) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, size.width, size.height, format, nil, &buffer)
    return buffer
  }

  /// Red, green and blue as luma and chroma.
  private func subsampled(_ colors: CVPixelBuffer, _ size: ImageSize) -> CVPixelBuffer? {
    let format = format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    let coding: SampleCoding =
      format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange ? .jpeg : .unspecified
    guard let buffer = make(format, size),
      let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0)?
        .assumingMemoryBound(to: UInt8.self),
      let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)?
        .assumingMemoryBound(to: UInt8.self)
    else { return nil }
    let (lumaBytes, chromaBytes) = (
      CVPixelBufferGetBytesPerRowOfPlane(buffer, 0), CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
    )
    let base = colors.base.assumingMemoryBound(to: UInt8.self)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let pixel = base + row * colors.rowBytes + 3 * column
        let (y, u, v) = coding.samples(red: pixel[0], green: pixel[1], blue: pixel[2])
        luma[row * lumaBytes + column] = y
        guard row % 2 == 0, column % 2 == 0 else { continue }
        let target = chroma + row / 2 * chromaBytes + column
        (target[0], target[1]) = (u, v)
      }
    }
    state(false, buffer)
    return buffer
  }
}

extension VideoFrame {
  /// An orientation of the picture, for its rows as they lie in memory.
  fileprivate func rows(turned orientation: ImageOrientation) -> ImageOrientation {
    if orientation == self.orientation { return planesOrientation }
    var copy = self
    copy.orientation = orientation
    return copy.planesOrientation
  }

  /// The picture with its time.
  func sample(_ buffer: CVPixelBuffer?, size: ImageSize, format: OSType, _ clock: FrameTimes)
    -> CMSampleBuffer
  {
    CMSampleBuffer(
      imageBuffer: buffer,
      formatDescription: CMFormatDescription(
        dimensions: CMVideoDimensions(
          width: Int32(clamping: buffer?.columns ?? size.width),
          height: Int32(clamping: buffer?.rows ?? size.height)),
        subtype: buffer?.format ?? format),
      timing: CMSampleTimingInfo(
        duration: clock.duration, presentationTimeStamp: clock.time(time),
        decodeTimeStamp: .invalid))
  }
}

/// The parts of a second that a source counts in.
struct FrameTimes {
  let scale: CMTimeScale
  let duration: CMTime

  init(_ description: VideoDescription) {
    let ticks = description.tickSeconds > 0 ? (1 / description.tickSeconds).rounded() : 0
    let isWhole = ticks >= 10 && ticks <= 1e9 && abs(ticks * description.tickSeconds - 1) < 1e-6
    scale = isWhole ? CMTimeScale(ticks) : 1_000_000
    let rate = description.frameRate ?? 0
    duration = rate > 0 ? CMTime(seconds: 1 / rate, preferredTimescale: scale) : .invalid
  }

  func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: scale) }
}

extension ImageOrientation {
  /// From pixels as they are stored to upright pixels, both from the upper left.
  func map(of size: ImageSize) -> CGAffineTransform {
    let upright = uprightSize(of: size)
    let (w, h) = (CGFloat(upright.width), CGFloat(upright.height))
    let (origin, right, down) = (
      self.upright(u: 0, v: 0), self.upright(u: 1, v: 0), self.upright(u: 0, v: 1)
    )
    let (columns, rows) = (CGFloat(size.width), CGFloat(size.height))
    return CGAffineTransform(
      (right.x - origin.x) * w / columns, (right.y - origin.y) * h / columns,
      (down.x - origin.x) * w / rows, (down.y - origin.y) * h / rows, origin.x * w, origin.y * h)
  }
}
