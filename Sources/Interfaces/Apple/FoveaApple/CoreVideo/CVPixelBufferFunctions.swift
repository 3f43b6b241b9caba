// Fovea - making buffers of pixels and looking at them.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// The most pixels of a side: sizes beyond are refused before memory is asked for.
private let longestSide = 1 << 20

/// Makes a buffer. Rows begin at multiples of 64 bytes, or of what the attributes ask for.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
    return kCVReturnInvalidSize
  }
  let wish = pixelBufferAttributes?.object(forKey: kCVPixelBufferBytesPerRowAlignmentKey)
  let alignment = max(1, min((wish as? NSNumber)?.intValue ?? 64, 4096))
  guard alignment & (alignment - 1) == 0 else { return kCVReturnInvalidPixelBufferAttributes }
  var sizes: [(width: Int, height: Int, rowBytes: Int)] = []
  func add(_ columns: Int, _ rows: Int, _ bytes: Int) {
    sizes.append((columns, rows, (columns * bytes + alignment - 1) / alignment * alignment))
  }
  if let planes = PixelFormats.planes(of: pixelFormatType) {
    for plane in planes {
      let (columns, rows) = (
        (width + plane.divisor - 1) / plane.divisor, (height + plane.divisor - 1) / plane.divisor
      )
      add(columns, rows, plane.bytes)
    }
  } else if let bytes = PixelFormats.bytesPerPixel(of: pixelFormatType) {
    add(bytes == 2 ? (width + 1) / 2 * 2 : width, height, bytes)
    sizes[0].width = width
  } else {
    return kCVReturnInvalidPixelFormat
  }
  let count = sizes.reduce(0) { $0 + $1.rowBytes * $1.height }
  var memory: UnsafeMutableRawPointer?
  guard posix_memalign(&memory, max(64, alignment), count) == 0, let memory else {
    return kCVReturnAllocationFailed
  }
  memset(memory, 0, count)
  var planes: [CVImageBuffer.Plane] = []
  var offset = 0
  for size in sizes {
    planes.append(
      CVImageBuffer.Plane(
        base: memory + offset, width: size.width, height: size.height, rowBytes: size.rowBytes))
    offset += size.rowBytes * size.height
  }
  nonisolated(unsafe) let owned = memory
  pixelBufferOut.pointee = CVImageBuffer(
    width: width, height: height, format: pixelFormatType, planes: planes, byteCount: count,
    attributes: pixelBufferAttributes, release: { free(owned) })
  return kCVReturnSuccess
}

/// Makes a buffer of bytes that somebody else holds until `releaseCallback` is called.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  guard let bytes = PixelFormats.bytesPerPixel(of: pixelFormatType) else {
    return kCVReturnInvalidPixelFormat
  }
  guard (1...longestSide).contains(width), (1...longestSide).contains(height),
    bytesPerRow >= width * bytes, bytesPerRow <= 1 << 32
  else { return kCVReturnInvalidSize }
  nonisolated(unsafe) let (base, info) = (baseAddress, releaseRefCon)
  pixelBufferOut.pointee = CVImageBuffer(
    width: width, height: height, format: pixelFormatType,
    planes: [
      CVImageBuffer.Plane(base: baseAddress, width: width, height: height, rowBytes: bytesPerRow)
    ], byteCount: bytesPerRow * height, attributes: pixelBufferAttributes,
    release: { releaseCallback?(info, base) })
  return kCVReturnSuccess
}

/// Makes a planar buffer of bytes that somebody else holds until `releaseCallback` is called.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  guard let kinds = PixelFormats.planes(of: pixelFormatType) else {
    return kCVReturnInvalidPixelFormat
  }
  guard (1...longestSide).contains(width), (1...longestSide).contains(height),
    numberOfPlanes == kinds.count
  else { return kCVReturnInvalidSize }
  var planes: [CVImageBuffer.Plane] = []
  for (index, kind) in kinds.enumerated() {
    let columns = (width + kind.divisor - 1) / kind.divisor
    let rows = (height + kind.divisor - 1) / kind.divisor
    guard let base = planeBaseAddress[index], planeWidth[index] >= columns,
      planeHeight[index] >= rows, planeBytesPerRow[index] >= columns * kind.bytes,
      planeBytesPerRow[index] <= 1 << 32
    else { return kCVReturnInvalidArgument }
    planes.append(
      CVImageBuffer.Plane(
        base: base, width: columns, height: rows, rowBytes: planeBytesPerRow[index]))
  }
  nonisolated(unsafe) let (data, info) = (dataPtr, releaseRefCon)
  pixelBufferOut.pointee = CVImageBuffer(
    width: width, height: height, format: pixelFormatType, planes: planes,
    byteCount: planes.reduce(0) { $0 + $1.byteCount }, attributes: pixelBufferAttributes,
    release: {
      releaseCallback?(info, data.map { UnsafeRawPointer($0) }, dataSize, kinds.count, nil)
    })
  return kCVReturnSuccess
}

// MARK: Looking

@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { kCVReturnSuccess }

public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}

public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.planes[0].base
}

public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planes[0].rowBytes
}

public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.byteCount
}

public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0
}

public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.width ?? 0
}

public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.height ?? 0
}

public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int { pixelBuffer.plane(planeIndex)?.rowBytes ?? 0 }

public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? { pixelBuffer.plane(planeIndex)?.base }

public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CVImageBufferGetDisplaySize(imageBuffer)
}

public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
  CGRect(origin: .zero, size: CVImageBufferGetDisplaySize(imageBuffer))
}

extension CVImageBuffer {
  fileprivate func plane(_ index: Int) -> Plane? {
    planes.indices.contains(index) ? planes[index] : nil
  }
}

// MARK: Attachments

public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) { buffer.attach(String(describing: key), (value, attachmentMode)) }

public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  let found = buffer.attachment(String(describing: key))
  if let found { attachmentMode?.pointee = found.mode }
  return found?.value
}

public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<CFTypeRef>? {
  CVBufferCopyAttachment(buffer, key, attachmentMode).map { Unmanaged.passUnretained($0) }
}

public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  buffer.attach(String(describing: key), nil)
}

public func CVBufferPropagateAttachments(
  _ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer
) {
  for (key, found) in sourceBuffer.attachments where found.mode == .shouldPropagate {
    destinationBuffer.attach(key, (found.value, found.mode))
  }
}
