// Fovea - masks as pixel buffers of one component.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple

/// Makes pixel buffers of one component.
package enum MaskBuffer {
  /// The formats of masks.
  package static let formats = [
    kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
    kCVPixelFormatType_OneComponent32Float,
  ]

  /// - Throws: `.invalidOption` for a format that masks do not have.
  package static func check(_ format: OSType) throws(VisionFailure) {
    guard formats.contains(format) else {
      throw VisionFailure(
        .invalidOption,
        "masks have no pixel format \(format); use kCVPixelFormatType_OneComponent8, "
          + "OneComponent16Half or OneComponent32Float")
    }
  }

  /// A buffer in which pixels are 1 or 0: 255 for 1 in bytes.
  ///
  /// - Throws: `.invalidOption` for another format than those of masks; `.outOfMemory`.
  package static func shares(
    width: Int, height: Int, format: OSType, isSet: (_ x: Int, _ y: Int) -> Bool
  ) throws(VisionFailure) -> CVPixelBuffer {
    try check(format)
    return switch format {
    case kCVPixelFormatType_OneComponent8:
      try filled(width, height, format) { isSet($0, $1) ? 255 : 0 as UInt8 }
    case kCVPixelFormatType_OneComponent16Half:
      try filled(width, height, format) { isSet($0, $1) ? 1 : 0 as Float16 }
    default:
      try filled(width, height, format) { isSet($0, $1) ? 1 : 0 as Float }
    }
  }

  /// A buffer whose pixels a closure gives.
  ///
  /// - Throws: `.outOfMemory`.
  package static func filled<Sample: BitwiseCopyable>(
    _ width: Int, _ height: Int, _ format: OSType, _ sample: (_ x: Int, _ y: Int) -> Sample
  ) throws(VisionFailure) -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, format, nil, &made)
    guard let made else {
      throw VisionFailure(.outOfMemory, "there is no memory for \(width) x \(height) pixels")
    }
    let (base, rowBytes) = (made.base, made.rowBytes)
    for y in 0..<height {
      for x in 0..<width {
        base.storeBytes(
          of: sample(x, y), toByteOffset: y * rowBytes + x * MemoryLayout<Sample>.stride,
          as: Sample.self)
      }
    }
    return made
  }
}
