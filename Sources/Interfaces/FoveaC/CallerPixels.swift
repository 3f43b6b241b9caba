// Fovea - pixels in the memory of a C program.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaRuntime

/// Pixels in the memory of a C program. Whether the bytes are enough for the layout is checked where
/// they are read.
struct CallerPixels {
  let layout: PixelLayout
  let bytes: UnsafeRawBufferPointer

  init(_ pointer: UnsafePointer<fovea_pixels>?) throws(CallFailure) {
    guard let pointer else { throw .invalid("no pixels were given (NULL)") }
    let pixels = try CallerMemory.structure(pointer, "fovea_pixels")
    bytes = try CallerMemory.lent(pixels.data, count: pixels.byte_count)
    let formats: [PixelFormat] = [.rgb, .bgr, .rgba, .bgra, .gray, .nv12, .yuyv]
    let alpha = try CallerMemory.choice(pixels.alpha, [false, true], "alpha")
    let (red, green, blue, _) = pixels.background
    layout = PixelLayout(
      format: try CallerMemory.choice(pixels.format, formats, "the format of pixels"),
      width: Int(clamping: pixels.width), height: Int(clamping: pixels.height),
      rowBytes: Self.given(pixels.row_bytes), chromaOffset: Self.given(pixels.chroma_offset),
      chromaRowBytes: Self.given(pixels.chroma_row_bytes),
      alpha: alpha ? .composed(red: red, green: green, blue: blue) : .ignored,
      yuvEncoding: try CallerMemory.choice(
        pixels.yuv, [.bt601Video, .bt601Full, .bt709Video, .bt709Full], "yuv"))
  }

  /// 0 stands for the distance without gaps.
  private static func given(_ number: Int64) -> Int? {
    number == 0 ? nil : Int(clamping: number)
  }

  /// One of the orientations of EXIF; `nil` for 0.
  static func orientation(_ number: Int32) throws(CallFailure) -> ImageOrientation? {
    if number == 0 { return nil }
    guard let orientation = ImageOrientation(rawValue: Int(number)) else {
      throw .invalid("orientation is \(number); expected 1 to 8, or 0 for that of the file")
    }
    return orientation
  }
}
