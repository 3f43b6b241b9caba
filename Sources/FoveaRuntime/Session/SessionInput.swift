// Fovea - writing what a model reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

extension Session {
  /// Writes an input. A picture takes unsigned bytes of the port's shape; an array takes any
  /// element type and is converted to float.
  ///
  /// - Throws: `invalidArgument` for an unknown name or a wrong type, `shapeMismatch`.
  public func setInput(_ name: String, to tensor: Tensor) throws(FoveaError) {
    let port = try inputPort(name)
    guard tensor.shape == port.shape else {
      throw FoveaError(
        .shapeMismatch,
        "input \"\(name)\" takes \(port.type.rawValue) of shape \(port.shape); shape"
          + " \(tensor.shape) was given")
    }
    let target = try inputBytes(name)
    if port.type == .float32 {
      tensor.floats().withUnsafeBytes { target.copyMemory(from: $0) }
    } else {
      guard let bytes = tensor.uint8s() else {
        throw FoveaError(
          .invalidArgument,
          "input \"\(name)\" is a picture and takes uint8; \(tensor.dataType.rawValue) was given")
      }
      bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    }
  }

  /// Lends the bytes of a picture input, to be written in place: row-major [rows, columns,
  /// channels], red first.
  ///
  /// - Throws: `invalidArgument` for an unknown name or an input that is no picture, or what
  ///   `body` throws.
  public func withInputBytes<Result>(
    _ name: String, _ body: (inout MutableSpan<UInt8>) throws -> Result
  ) throws -> Result {
    let port = try inputPort(name)
    guard port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not a picture")
    }
    let target = try inputBytes(name).bindMemory(to: UInt8.self)
    var bytes = MutableSpan(_unsafeElements: target)
    return try body(&bytes)
  }
}

extension Session {
  /// Fills a picture input from a picture of any size: both axes are scaled independently,
  /// bilinear, half-pixel centres, no low-pass filter; grey inputs take the luminance.
  ///
  /// - Parameters:
  ///   - pixels: Row-major [height, width, 3], red first, without gaps.
  /// - Throws: `invalidArgument` for an unknown name, an input that is no picture, or fewer
  ///   pixels than width and height say.
  package func fillImageInput(
    _ name: String, fromRGB pixels: Span<UInt8>, width: Int, height: Int
  ) throws(FoveaError) {
    let port = try inputPort(name)
    guard let image = port.image, port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not a picture")
    }
    let needed = try Tensor.elementCount([height, width, 3])
    guard width >= 1, height >= 1, pixels.count >= needed else {
      throw FoveaError(
        .invalidArgument,
        "a picture of \(width)x\(height) has \(needed) bytes; \(pixels.count) were given")
    }
    let target = try inputBytes(name)
    guard let destination = target.baseAddress else { return }
    try pixels.withUnsafeBufferPointer { source throws(FoveaError) in
      guard let data = source.baseAddress else { return }
      var picture = fov_image(
        data: data, data_bytes: source.count, width: width, height: height, channels: 3,
        row_bytes: width * 3)
      try FoveaError.check(
        fov_image_resize(
          &picture, image.width, image.height, image.colorSpace.channelCount,
          destination.assumingMemoryBound(to: UInt8.self), target.count),
        "a picture of \(width)x\(height) for input \"\(name)\"")
    }
  }
}
