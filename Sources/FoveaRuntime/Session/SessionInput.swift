// Fovea - writing what a model reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

extension Session {
  /// Writes an input. An image takes unsigned bytes of the port's shape; an array takes any
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
          "input \"\(name)\" is an image and takes uint8; \(tensor.dataType.rawValue) was given")
      }
      bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    }
  }

  /// A copy of the bytes of an image input.
  ///
  /// - Throws: `invalidArgument` for an unknown name.
  package func inputCopy(_ name: String) throws(FoveaError) -> [UInt8] {
    [UInt8](try inputBytes(name))
  }

  /// Lends the bytes of an image input, to be written in place: row-major [rows, columns,
  /// channels], red first.
  ///
  /// - Throws: `invalidArgument` for an unknown name or an input that is no image, or what
  ///   `body` throws.
  public func withInputBytes<Result>(
    _ name: String, _ body: (inout MutableSpan<UInt8>) throws -> Result
  ) throws -> Result {
    let port = try inputPort(name)
    guard port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not an image")
    }
    let target = try inputBytes(name).bindMemory(to: UInt8.self)
    var bytes = MutableSpan(_unsafeElements: target)
    return try body(&bytes)
  }
}

extension Session {
  /// Fills an image input from an image of any size and format; gray inputs take the luminance.
  ///
  /// - Parameters:
  ///   - pixels: The bytes of the image.
  ///   - layout: Where its pixels lie in them.
  ///   - sampling: Which part of it fills which part of the input; `nil`: all of it all of the
  ///     input, both axes scaled independently.
  ///   - filter: How pixels are mixed.
  /// - Throws: `invalidArgument` for an unknown name, an input that is no image, a layout, a map
  ///   or a range that makes no sense; `bufferTooSmall` for fewer bytes than the layout says;
  ///   `overflow` for sizes that do not fit into memory.
  package func fillImageInput(
    _ name: String, from pixels: Span<UInt8>, layout: PixelLayout, sampling: InputSampling? = nil,
    filter: ResamplingFilter = .bilinear
  ) throws(FoveaError) {
    let port = try inputPort(name)
    guard let input = port.image, port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not an image")
    }
    let target = try inputBytes(name).bindMemory(to: UInt8.self)
    try pixels.withUnsafeBufferPointer { source throws(FoveaError) in
      guard let data = source.baseAddress, let destination = target.baseAddress else {
        throw FoveaError(.bufferTooSmall, "an image without bytes for input \"\(name)\"")
      }
      var image = layout.image(at: data, count: source.count)
      let channels = input.colorSpace.channelCount
      var part =
        sampling?.core(width: input.width, height: input.height, channels: channels)
        ?? fov_image_sampling_whole(&image, input.width, input.height, channels)
      part.filter = filter.core
      part.instruction_set = model.core.instructionSet
      try FoveaError.check(
        fov_image_sample(&image, &part, destination, target.count),
        "a \(layout.format.rawValue) image of \(layout.width)x\(layout.height) in"
          + " \(source.count) bytes for input \"\(name)\"")
    }
  }
}
