// Fovea - pixels of any layout that may outlive their frame.
// SPDX-License-Identifier: Apache-2.0
public import FoveaRuntime

/// Pixels of any layout in memory of their own, such as a copy of a frame of a camera.
///
/// `DetectObjectsRequest.perform(onPixels:layout:orientation:)` looks at a frame where it lies. A
/// buffer is for what may outlive the frame: an `ImageRequestHandler`, or an `async` call.
public struct PixelBuffer: Sendable {
  /// The bytes that `layout` describes.
  public let bytes: [UInt8]
  /// Where the pixels lie in the bytes.
  public let layout: PixelLayout

  /// Takes bytes. What makes no sense is refused when a request looks at it.
  public init(bytes: [UInt8], layout: PixelLayout) {
    self.bytes = bytes
    self.layout = layout
  }

  /// Copies bytes. What makes no sense is refused when a request looks at it.
  public init(copying pixels: RawSpan, layout: PixelLayout) {
    self.init(bytes: pixels.withUnsafeBytes { [UInt8]($0) }, layout: layout)
  }
}
