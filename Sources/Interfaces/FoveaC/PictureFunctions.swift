// Fovea - the functions of fovea_picture.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaImaging
internal import FoveaLibc
public import CFovea.Detect

/// See fovea_picture.h.
@c @implementation public func fovea_pixels_init(
  _ pixels: UnsafeMutablePointer<fovea_pixels>!, _ size: Int
) {
  CallerMemory.fill(pixels, size: size, with: fovea_pixels())
}

// MARK: Pictures

/// See fovea_picture.h.
@c @implementation public func fovea_picture_open(
  _ path: UnsafePointer<CChar>!, _ orientation: Int32,
  _ out_picture: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  make(out_picture, out_message) { () throws(CallFailure) in
    let path = try CallerMemory.text(path, "path of a picture")
    let orientation = try CallerPixels.orientation(orientation)
    return try translating { () throws(ImageError) in
      try DecodedImage(Image(contentsOf: path), orientation: orientation)
    }
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_decode(
  _ bytes: UnsafeRawPointer!, _ byte_count: Int, _ orientation: Int32,
  _ out_picture: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  make(out_picture, out_message) { () throws(CallFailure) in
    let bytes = try CallerMemory.bytes(bytes, count: byte_count)
    let orientation = try CallerPixels.orientation(orientation)
    return try translating { () throws(ImageError) in
      try DecodedImage(Image(bytes: bytes), orientation: orientation)
    }
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_copy(
  _ pixels: UnsafePointer<fovea_pixels>!, _ orientation: Int32,
  _ out_picture: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  make(out_picture, out_message) { () throws(CallFailure) in
    try DecodedImage(
      CallerPixels(pixels), orientation: CallerPixels.orientation(orientation))
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_draw(
  _ picture: OpaquePointer!, _ boxes: UnsafePointer<fovea_box>!, _ box_count: Int,
  _ out_picture: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  make(out_picture, out_message) { () throws(CallFailure) in
    try open(picture).drawing(CallerMemory.boxes(boxes, count: box_count))
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_draw_styled(
  _ picture: OpaquePointer!, _ boxes: UnsafePointer<fovea_box>!, _ box_count: Int,
  _ style: UnsafePointer<fovea_drawing_style>!,
  _ out_picture: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  make(out_picture, out_message) { () throws(CallFailure) in
    let picture = try open(picture)
    let boxes = try CallerMemory.boxes(boxes, count: box_count)
    guard let style else { return try picture.drawing(boxes) }
    return try picture.drawing(
      boxes, style: picture.style(CallerMemory.structure(style, "fovea_drawing_style")))
  }
}

private func make(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ outMessage: OutMessage?,
  _ body: () throws(CallFailure) -> DecodedImage
) -> fovea_status {
  answer(outMessage) { () throws(CallFailure) in
    let target = try CallerMemory.target(out, "out_picture")
    target.pointee = HandleTable.shared.insert(try body())
  }
}

private func open(_ picture: OpaquePointer?) throws(CallFailure) -> DecodedImage {
  guard let found = HandleTable.shared.object(picture, DecodedImage.self) else {
    throw .closed(picture, "picture")
  }
  return found
}

private func translating<Result>(
  _ body: () throws(ImageError) -> Result
) throws(CallFailure) -> Result {
  do throws(ImageError) {
    return try body()
  } catch {
    throw CallFailure(error)
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_pixels(
  _ picture: OpaquePointer!
) -> UnsafePointer<fovea_pixels>! {
  HandleTable.shared.object(picture, DecodedImage.self).map { UnsafePointer($0.pixels) }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_close(_ picture: OpaquePointer!) {
  HandleTable.shared.remove(picture, DecodedImage.self)
}

// MARK: Encoding

private func format(_ format: fovea_file_format) throws(CallFailure) -> ImageFormat {
  let number = Int32(truncatingIfNeeded: format.rawValue)
  return try CallerMemory.choice(number, [.png, .jpeg], "the format of a file")
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_write(
  _ picture: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ file_format: fovea_file_format,
  _ quality: Int32, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let image = try open(picture).image
    let path = try CallerMemory.text(path, "path of a file")
    let format = try format(file_format)
    try translating { () throws(ImageError) in
      try image.write(to: path, as: format, jpegQuality: Int(quality))
    }
  }
}

/// See fovea_picture.h.
@c @implementation public func fovea_picture_encode(
  _ picture: OpaquePointer!, _ file_format: fovea_file_format, _ quality: Int32,
  _ out_bytes: UnsafeMutablePointer<UnsafeMutableRawPointer?>!,
  _ out_byte_count: UnsafeMutablePointer<Int>!, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let target = try CallerMemory.target(out_bytes, "out_bytes")
    guard let count = out_byte_count else { throw .invalid("out_byte_count is NULL") }
    count.pointee = 0
    let image = try open(picture).image
    let format = try format(file_format)
    let bytes = try translating { () throws(ImageError) in
      format == .png ? try image.pngBytes() : try image.jpegBytes(quality: Int(quality))
    }
    guard let memory = malloc(max(bytes.count, 1)) else {
      throw CallFailure(fovea_status_out_of_memory, "no memory for \(bytes.count) bytes")
    }
    bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    (target.pointee, count.pointee) = (memory, bytes.count)
  }
}
