// Fovea - a decoded picture that a C program holds.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFovea.Detect
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVideo

/// A decoded picture that a C program holds, upright.
final class DecodedImage: @unchecked Sendable {  // because nothing changes after creation
  let image: Image
  /// The pixels as C programs see them.
  let pixels: UnsafeMutablePointer<fovea_pixels>
  private let memory = LentMemory()

  /// Turns an image upright.
  init(_ image: Image) {
    let image = image.upright()
    self.image = image
    var pixels = fovea_pixels()
    pixels.size = MemoryLayout<fovea_pixels>.size
    (pixels.width, pixels.height) = (Int64(image.width), Int64(image.height))
    pixels.row_bytes = Int64(3 * image.width)
    pixels.data = UnsafeRawPointer(memory.array(image.rgb))
    pixels.byte_count = image.rgb.count
    self.pixels = memory.array([pixels])
  }

  /// A picture that a file holds, turned as `orientation` says.
  convenience init(_ image: Image, orientation: ImageOrientation?) throws(ImageError) {
    guard let orientation else {
      self.init(image)
      return
    }
    self.init(
      try Image(
        width: image.width, height: image.height, rgb: image.rgb,
        storedOrientation: orientation.rawValue))
  }

  /// A copy of a picture of a video, turned upright.
  convenience init(_ result: VideoResult) throws(CallFailure) {
    let size = result.picture.size
    let rgb = try result.picture.withPlanes { planes throws(CallFailure) in
      try Self.rgb(planes.image, size.width, size.height, "a picture of the video")
    }
    do throws(ImageError) {
      self.init(
        try Image(
          width: size.width, height: size.height, rgb: rgb,
          storedOrientation: result.planesOrientation.rawValue))
    } catch {
      throw CallFailure(error)
    }
  }

  /// A copy of pixels of any format.
  convenience init(
    _ pixels: CallerPixels, orientation: ImageOrientation?
  ) throws(CallFailure) {
    let rgb = try Self.rgb(pixels)
    do throws(ImageError) {
      self.init(
        try Image(
          width: pixels.layout.width, height: pixels.layout.height, rgb: rgb,
          storedOrientation: (orientation ?? .up).rawValue))
    } catch {
      throw CallFailure(error)
    }
  }

  private static func rgb(_ pixels: CallerPixels) throws(CallFailure) -> [UInt8] {
    let layout = pixels.layout
    let (width, height) = (max(layout.width, 0), max(layout.height, 0))
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= ImageLimits.standard.maximumPixels else {
      throw CallFailure(
        ImageError(
          .tooManyPixels(
            width: width, height: height, limit: ImageLimits.standard.maximumPixels)))
    }
    guard count > 0, let start = pixels.bytes.baseAddress else {
      throw CallFailure(ImageError(.noPixels(width: layout.width, height: layout.height)))
    }
    let image = layout.image(
      at: start.assumingMemoryBound(to: UInt8.self), count: pixels.bytes.count)
    return try rgb(
      image, width, height,
      "a \(layout.format.rawValue) image of \(width)x\(height) in \(pixels.bytes.count) bytes")
  }

  /// Red, green and blue of all pixels.
  ///
  /// - Parameter words: What the image is, for messages.
  private static func rgb(
    _ image: fov_image, _ width: Int, _ height: Int, _ words: String
  ) throws(CallFailure) -> [UInt8] {
    var image = image
    var sampling = fov_image_sampling_whole(&image, width, height, 3)
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    do throws(FoveaError) {
      try FoveaError.check(fov_image_sample(&image, &sampling, &rgb, rgb.count), words)
    } catch {
      throw CallFailure(error)
    }
    return rgb
  }

  /// A new picture with boxes drawn upon it.
  ///
  /// - Parameter style: `nil` for the one that fits the picture.
  func drawing(
    _ boxes: [fovea_box], style: DrawingStyle? = nil
  ) throws(CallFailure) -> DecodedImage {
    let size = ImageSize(width: image.width, height: image.height)
    var labeled: [LabeledBox] = []
    for (index, box) in boxes.enumerated() {
      labeled.append(try LabeledBox(box, number: index, in: size))
    }
    do throws(DrawingError) {
      return DecodedImage(try AnnotatedImage(image, boxes: labeled, style: style).rendered())
    } catch {
      throw CallFailure(error)
    }
  }

  /// The style that fits the picture, with the sizes that a caller chooses.
  func style(_ chosen: fovea_drawing_style) throws(CallFailure) -> DrawingStyle {
    for (size, name) in [(chosen.line_width, "line_width"), (chosen.font_size, "font_size")] {
      guard size.isFinite, (0...10_000).contains(size) else {
        throw .invalid("\(name) is \(size); expected 0 to 10000 pixels")
      }
    }
    var style = DrawingStyle(fitting: ImageSize(width: image.width, height: image.height))
    if chosen.line_width > 0 {
      style.lineWidth = chosen.line_width
      style.casingWidth = chosen.line_width * 0.4
    }
    if chosen.font_size > 0 { style.fontSize = chosen.font_size }
    return style
  }
}
