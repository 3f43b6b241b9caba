// Fovea - writing what a model reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore
public import FoveaGeometry
internal import FoveaModelValues

extension Session {
  /// Writes an input. An image input takes unsigned bytes of the port's shape. An array input takes
  /// any element type, converted to float.
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

  /// Lends the bytes of an image input, to write in place: row-major [rows, columns, channels], red
  /// first.
  ///
  /// - Throws: `invalidArgument` for an unknown name or an input that is no image, or what
  ///   `body` throws. A body that fails otherwise can give back a `Swift.Result`.
  public func withInputBytes<Result>(
    _ name: String, _ body: (inout MutableSpan<UInt8>) throws(FoveaError) -> Result
  ) throws(FoveaError) -> Result {
    let port = try inputPort(name)
    guard port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not an image")
    }
    let target = try inputBytes(name).bindMemory(to: UInt8.self)
    var bytes = MutableSpan(_unsafeElements: target)
    return try body(&bytes)
  }

  /// Fills an image input from pixels of any size and format, such as a frame of a camera. They are
  /// read where they lie and not copied. Gray inputs take the luminance.
  ///
  ///     let geometry = try ImageGeometry(
  ///       storedSize: ImageSize(width: 1280, height: 720), orientation: .right,
  ///       cropAndScaleAction: .scaleToFit, modelSize: ImageSize(width: 416, height: 416))
  ///     try session.fillImageInput(
  ///       "image", from: frame, layout: PixelLayout(format: .nv12, width: 1280, height: 720),
  ///       sampling: geometry.sampling())
  ///
  /// - Parameters:
  ///   - name: The name of an input that is an image.
  ///   - pixels: The bytes of the image.
  ///   - layout: Where its pixels lie in them.
  ///   - sampling: Which part of the image fills which part of the input, and how it is turned; the
  ///     rest is black. `nil`: all of the image fills all of the input, both axes scaled
  ///     independently.
  ///   - filter: How pixels are mixed.
  /// - Throws: `invalidArgument` for an unknown name, an input that is no image, a layout, a map
  ///   or a range that makes no sense; `bufferTooSmall` for fewer bytes than the layout says;
  ///   `overflow` for sizes that do not fit into memory.
  public func fillImageInput(
    _ name: String, from pixels: RawSpan, layout: PixelLayout, sampling: ImageSampling? = nil,
    filter: ResamplingFilter = .bilinear
  ) throws(FoveaError) {
    try pixels.withUnsafeBytes { source throws(FoveaError) in
      let bytes = source.bindMemory(to: UInt8.self)
      guard let data = bytes.baseAddress else {
        throw FoveaError(.bufferTooSmall, "an image without bytes for input \"\(name)\"")
      }
      let image = layout.image(at: data, count: bytes.count)
      try fillImageInput(name, from: image, sampling: sampling, filter: filter) {
        "a \(layout.format.rawValue) image of \(layout.width)x\(layout.height) in"
          + " \(bytes.count) bytes"
      }
    }
  }

  /// Fills an image input from planes of samples, such as a frame of a video.
  ///
  /// - Throws: As the other.
  package func fillImageInput(
    _ name: String, from planes: PixelPlanes, sampling: ImageSampling? = nil,
    filter: ResamplingFilter = .bilinear
  ) throws(FoveaError) {
    try fillImageInput(name, from: planes.image, sampling: sampling, filter: filter) {
      "planes of \(planes.image.width)x\(planes.image.height)"
    }
  }

  /// Fills an image input from an image of the core, whose `name` stands in errors.
  private func fillImageInput(
    _ name: String, from image: fov_image, sampling: ImageSampling?, filter: ResamplingFilter,
    imageName: () -> String
  ) throws(FoveaError) {
    let port = try inputPort(name)
    guard let input = port.image, port.type == .uint8 else {
      throw FoveaError(.invalidArgument, "input \"\(name)\" is an array, not an image")
    }
    let target = try inputBytes(name).bindMemory(to: UInt8.self)
    guard let destination = target.baseAddress else {
      throw FoveaError(.bufferTooSmall, "input \"\(name)\" has no bytes")
    }
    var image = image
    let channels = input.colorSpace.channelCount
    var part =
      sampling?.core(width: input.width, height: input.height, channels: channels)
      ?? fov_image_sampling_whole(&image, input.width, input.height, channels)
    part.filter = filter.core
    part.instruction_set = model.core.instructionSet
    try FoveaError.check(
      fov_image_sample(&image, &part, destination, target.count),
      "\(imageName()) for input \"\(name)\"")
  }
}
