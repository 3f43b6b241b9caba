// Fovea - pixels that can be compared, stored and sent.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple

/// Pixels of one plane in rows without gaps.
struct StoredPixels: Hashable, Codable, Sendable {
  let width, height: Int
  let format: OSType
  let bytes: Data

  /// - Parameter bytes: One for each pixel, row by row.
  init(width: Int, height: Int, bytes: Data) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
    format = kCVPixelFormatType_OneComponent8
  }

  init(_ buffer: CVPixelBuffer) {
    (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    format = CVPixelBufferGetPixelFormatType(buffer)
    var bytes = Data()
    let row = width * Self.pixelBytes(format)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    if let base = CVPixelBufferGetBaseAddress(buffer) {
      for y in 0..<height {
        bytes.append(
          Data(bytes: base + y * CVPixelBufferGetBytesPerRow(buffer), count: row))
      }
    }
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    self.bytes = bytes
  }

  private static func pixelBytes(_ format: OSType) -> Int {
    switch format {
    case kCVPixelFormatType_OneComponent8: 1
    case kCVPixelFormatType_OneComponent16Half: 2
    default: 4
    }
  }

  func buffer() throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    let code = CVPixelBufferCreate(nil, width, height, format, nil, &made)
    guard let made, let base = CVPixelBufferGetBaseAddress(made) else {
      throw VisionError.pixelBufferCreationFailed(code)
    }
    let row = width * Self.pixelBytes(format)
    bytes.withUnsafeBytes { bytes in
      for y in 0..<height {
        (base + y * CVPixelBufferGetBytesPerRow(made)).copyMemory(
          from: bytes.baseAddress! + y * row, byteCount: row)
      }
    }
    return made
  }

  func value(at point: NormalizedPoint) -> Float {
    let x = min(max(Int(point.x * CGFloat(width)), 0), width - 1)
    let y = min(max(Int((1 - point.y) * CGFloat(height)), 0), height - 1)
    let place = (y * width + x) * Self.pixelBytes(format)
    return bytes.withUnsafeBytes { bytes in
      switch format {
      case kCVPixelFormatType_OneComponent16Half:
        Float(bytes.loadUnaligned(fromByteOffset: place, as: Float16.self))
      case kCVPixelFormatType_OneComponent32Float:
        bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
      default: Float(bytes[place]) / 255
      }
    }
  }
}
