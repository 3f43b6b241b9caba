// Fovea - buffers of pixels that are used again.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Memory for buffers of one size and format, which is used again when a buffer is gone.
public final class CVPixelBufferPool: @unchecked Sendable {  // because the lock guards what changes
  fileprivate let width, height: Int
  fileprivate let format: OSType
  private let attributes: NSDictionary
  private let lock = NSLock()
  private var idle: [CVPixelBuffer] = []
  /// More memory than this is given back at once.
  private static let greatestIdleCount = 8

  fileprivate init(_ width: Int, _ height: Int, _ format: OSType, _ attributes: NSDictionary) {
    (self.width, self.height, self.format, self.attributes) = (width, height, format, attributes)
  }

  fileprivate func take() -> (CVReturn, CVPixelBuffer?) {
    var inner = lock.withLock { idle.popLast() }
    if inner == nil {
      let status = CVPixelBufferCreate(nil, width, height, format, attributes, &inner)
      guard status == kCVReturnSuccess else { return (status, nil) }
    }
    guard let inner else { return (kCVReturnError, nil) }
    nonisolated(unsafe) let lent = inner
    let outer = CVImageBuffer(
      width: width, height: height, format: format, planes: inner.planes,
      byteCount: inner.byteCount, attributes: attributes,
      release: { [weak self] in self?.giveBack(lent) })
    return (kCVReturnSuccess, outer)
  }

  private func giveBack(_ buffer: CVPixelBuffer) {
    nonisolated(unsafe) let buffer = buffer
    lock.withLock {
      if idle.count < Self.greatestIdleCount { idle.append(buffer) }
    }
  }

  fileprivate func flush() { lock.withLock { idle.removeAll() } }
}

@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?,
  _ pixelBufferAttributes: CFDictionary?, _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  func number(_ key: CFString) -> Int? {
    (pixelBufferAttributes?.object(forKey: key) as? NSNumber)?.intValue
  }
  guard let pixelBufferAttributes, let width = number(kCVPixelBufferWidthKey),
    let height = number(kCVPixelBufferHeightKey),
    let format = number(kCVPixelBufferPixelFormatTypeKey).flatMap({ OSType(exactly: $0) })
  else { return kCVReturnInvalidPixelBufferAttributes }
  poolOut.pointee = CVPixelBufferPool(width, height, format, pixelBufferAttributes)
  return kCVReturnSuccess
}

@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let (status, buffer) = pixelBufferPool.take()
  pixelBufferOut.pointee = buffer
  return status
}

public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags

  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

public func CVPixelBufferPoolFlush(
  _ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags
) { pool.flush() }
