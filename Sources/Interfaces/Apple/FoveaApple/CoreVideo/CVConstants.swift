// Fovea - codes and keys of buffers of pixels.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public let kCVReturnSuccess: CVReturn = 0
public let kCVReturnError: CVReturn = -6660
public let kCVReturnInvalidArgument: CVReturn = -6661
public let kCVReturnAllocationFailed: CVReturn = -6662
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
public let kCVReturnInvalidSize: CVReturn = -6681
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683

public let kCVPixelFormatType_32ARGB: OSType = 0x20
public let kCVPixelFormatType_24RGB: OSType = 0x18
public let kCVPixelFormatType_24BGR = code("24BG")
public let kCVPixelFormatType_32BGRA = code("BGRA")
public let kCVPixelFormatType_32RGBA = code("RGBA")
public let kCVPixelFormatType_32ABGR = code("ABGR")
public let kCVPixelFormatType_OneComponent8 = code("L008")
public let kCVPixelFormatType_OneComponent16Half = code("L00h")
public let kCVPixelFormatType_OneComponent32Float = code("L00f")
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange = code("420v")
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange = code("420f")
public let kCVPixelFormatType_420YpCbCr8Planar = code("y420")
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange = code("f420")
public let kCVPixelFormatType_422YpCbCr8 = code("2vuy")
public let kCVPixelFormatType_422YpCbCr8_yuvs = code("yuvs")

private func code(_ letters: String) -> OSType {
  letters.utf8.reduce(0) { $0 << 8 | OSType($1) }
}

nonisolated(unsafe) public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
nonisolated(unsafe) public let kCVPixelBufferWidthKey: CFString = "Width"
nonisolated(unsafe) public let kCVPixelBufferHeightKey: CFString = "Height"
nonisolated(unsafe) public let kCVPixelBufferBytesPerRowAlignmentKey: CFString =
  "BytesPerRowAlignment"
nonisolated(unsafe) public let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
nonisolated(unsafe) public let kCVPixelBufferCGImageCompatibilityKey: CFString =
  "CGImageCompatibility"
nonisolated(unsafe) public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString =
  "CGBitmapContextCompatibility"
nonisolated(unsafe) public let kCVPixelBufferIOSurfacePropertiesKey: CFString =
  "IOSurfaceProperties"
nonisolated(unsafe) public let kCVPixelBufferMetalCompatibilityKey: CFString =
  "MetalCompatibility"
nonisolated(unsafe) public let kCVPixelBufferOpenGLCompatibilityKey: CFString =
  "OpenGLCompatibility"
nonisolated(unsafe) public let kCVPixelBufferPoolMinimumBufferCountKey: CFString =
  "MinimumBufferCount"
nonisolated(unsafe) public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString =
  "MaximumBufferAge"
nonisolated(unsafe) public let kCVPixelBufferPoolAllocationThresholdKey: CFString =
  "AllocationThreshold"

nonisolated(unsafe) public let kCVImageBufferYCbCrMatrixKey: CFString =
  "CVImageBufferYCbCrMatrix"
nonisolated(unsafe) public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
nonisolated(unsafe) public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
nonisolated(unsafe) public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags

  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate, shouldPropagate
}
