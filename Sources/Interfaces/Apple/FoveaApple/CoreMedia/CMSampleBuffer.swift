// Fovea - pictures with their times.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public typealias CMVideoFormatDescription = CMFormatDescription
public typealias CMAttachmentMode = UInt32

public struct CMVideoDimensions: Hashable, Sendable {
  public var width: Int32
  public var height: Int32

  public init() { (width, height) = (0, 0) }

  public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}

/// What kind of pictures there are.
public final class CMFormatDescription: Hashable, Sendable {
  public let dimensions: CMVideoDimensions
  let subtype: FourCharCode

  package init(dimensions: CMVideoDimensions, subtype: FourCharCode) {
    (self.dimensions, self.subtype) = (dimensions, subtype)
  }

  public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
    left.dimensions == right.dimensions && left.subtype == right.subtype
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(dimensions) }
}

public struct CMSampleTimingInfo: Hashable, Sendable {
  public var duration: CMTime
  public var presentationTimeStamp: CMTime
  public var decodeTimeStamp: CMTime

  public init() {
    (duration, presentationTimeStamp, decodeTimeStamp) = (.invalid, .invalid, .invalid)
  }

  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    (self.duration, self.presentationTimeStamp) = (duration, presentationTimeStamp)
    self.decodeTimeStamp = decodeTimeStamp
  }

  public static let invalid = CMSampleTimingInfo()
}

/// A picture with its time. One that was dropped has its time alone.
public final class CMSampleBuffer {
  public let imageBuffer: CVImageBuffer?
  public let formatDescription: CMFormatDescription?
  public let presentationTimeStamp: CMTime
  public let duration: CMTime
  public let decodeTimeStamp: CMTime
  fileprivate var attachments: [String: CFTypeRef] = [:]

  package init(
    imageBuffer: CVImageBuffer?, formatDescription: CMFormatDescription, timing: CMSampleTimingInfo
  ) {
    (self.imageBuffer, self.formatDescription) = (imageBuffer, formatDescription)
    presentationTimeStamp = timing.presentationTimeStamp
    (duration, decodeTimeStamp) = (timing.duration, timing.decodeTimeStamp)
  }

  public var numSamples: Int { 1 }
  public var isValid: Bool { true }
  public var dataReadiness: Bool { true }
}

public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731

@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = CMSampleBuffer(
    imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming.pointee)
  return noErr
}

@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(
    dimensions: CMVideoDimensions(
      width: Int32(clamping: imageBuffer.width), height: Int32(clamping: imageBuffer.height)),
    subtype: imageBuffer.format)
  return noErr
}

public func CMVideoFormatDescriptionGetDimensions(
  _ videoDesc: CMVideoFormatDescription
) -> CMVideoDimensions { videoDesc.dimensions }

public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.subtype
}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  sbuf.imageBuffer
}

public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}

public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.numSamples }

public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { true }

public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { true }

// MARK: Attachments

nonisolated(unsafe) public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString =
  "CameraIntrinsicMatrix"
nonisolated(unsafe) public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString =
  "DroppedFrameReason"
nonisolated(unsafe) public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString =
  "FrameWasLate"
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

public func CMGetAttachment(
  _ target: CMSampleBuffer, key: CFString,
  attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? { target.attachments[String(describing: key)] }

/// The spelling of Swift 4.0.
public func CMGetAttachment(
  _ target: CMSampleBuffer, _ key: CFString, _ mode: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? { CMGetAttachment(target, key: key, attachmentModeOut: mode) }

public func CMSetAttachment(
  _ target: CMSampleBuffer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) { target.attachments[String(describing: key)] = value }
