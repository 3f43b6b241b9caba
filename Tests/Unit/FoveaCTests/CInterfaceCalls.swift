// Fovea - calling the C interface from tests.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import FoveaExampleModel
import FoveaLibc
import Testing

/// A status with its message.
struct Answer: Equatable {
  var status: fovea_status
  var message: String?

  var isOK: Bool { status == fovea_status_ok && message == nil }
}

typealias MessagePointer = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// What a call answers; its message is freed.
func answer(_ call: (MessagePointer) -> fovea_status) -> Answer {
  var message: UnsafeMutablePointer<CChar>?
  let status = call(&message)
  defer { fovea_free(message) }
  return Answer(status: status, message: message.map { String(cString: $0) })
}

/// The handle that a call makes.
func made(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, MessagePointer) -> fovea_status
) throws -> OpaquePointer {
  var handle: OpaquePointer?
  let answer = answer { call(&handle, $0) }
  #expect(answer == Answer(status: fovea_status_ok, message: nil))
  return try #require(handle)
}

/// The failure of a call, which leaves no handle.
func failure(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, MessagePointer) -> fovea_status
) -> Answer {
  var handle = OpaquePointer(bitPattern: 0x55)
  let answer = answer { call(&handle, $0) }
  #expect(answer.status != fovea_status_ok && answer.message?.isEmpty == false)
  #expect(handle == nil)
  return answer
}

/// The detector of squares, opened through the C interface.
func openShapes(
  _ change: (inout fovea_model_options) -> Void = { _ in }
) throws -> OpaquePointer {
  var options = fovea_model_options()
  fovea_model_options_init(&options, MemoryLayout<fovea_model_options>.size)
  change(&options)
  let bytes = ShapesDetector.modelBytes()
  return try made { fovea_model_open_bytes(bytes, bytes.count, &options, $0, $1) }
}

/// Lends the picture of squares as pixels.
func withShapes<Result>(
  _ image: ShapesImage = ShapesImage(), _ body: (inout fovea_pixels) throws -> Result
) rethrows -> Result {
  try image.pixels.withUnsafeBytes { bytes in
    var pixels = fovea_pixels()
    fovea_pixels_init(&pixels, MemoryLayout<fovea_pixels>.size)
    pixels.format = Int32(fovea_pixel_format_rgb.rawValue)
    (pixels.width, pixels.height) = (Int64(ShapesImage.width), Int64(ShapesImage.height))
    (pixels.data, pixels.byte_count) = (bytes.baseAddress, bytes.count)
    return try body(&pixels)
  }
}

/// The options of a detection.
func detectOptions(
  _ change: (inout fovea_detect_options) -> Void = { _ in }
) -> fovea_detect_options {
  var options = fovea_detect_options()
  fovea_detect_options_init(&options, MemoryLayout<fovea_detect_options>.size)
  change(&options)
  return options
}

/// An array in memory, lent as the C interface takes it.
func withArray<Element: BitwiseCopyable, Result>(
  _ name: String, _ type: fovea_type, _ shape: [Int64], strides: [Int64]? = nil, offset: Int = 0,
  _ elements: inout [Element], _ body: (inout fovea_array) throws -> Result
) rethrows -> Result {
  try elements.withUnsafeMutableBytes { bytes in
    try name.withCString { name in
      try shape.withUnsafeBufferPointer { shape in
        try (strides ?? []).withUnsafeBufferPointer { distances in
          var array = fovea_array()
          array.size = MemoryLayout<fovea_array>.size
          (array.name, array.type) = (name, Int32(type.rawValue))
          (array.rank, array.shape) = (Int32(shape.count), shape.baseAddress)
          array.strides = strides == nil ? nil : distances.baseAddress
          (array.data, array.byte_count, array.offset) = (bytes.baseAddress, bytes.count, offset)
          return try body(&array)
        }
      }
    }
  }
}

/// The numbers of an array that a result lends.
func floats(_ array: UnsafePointer<fovea_array>?) -> [Float] {
  guard let array = array?.pointee, let data = array.data else { return [] }
  return [Float](
    UnsafeRawBufferPointer(start: data, count: array.byte_count).bindMemory(to: Float.self))
}

/// The shape of an array that a result lends.
func shape(_ array: UnsafePointer<fovea_array>?) -> [Int64] {
  guard let array = array?.pointee else { return [] }
  return (0..<Int(array.rank)).map { array.shape[$0] }
}
