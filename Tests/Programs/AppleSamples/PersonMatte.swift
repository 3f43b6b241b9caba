// Fovea - a program as people write it: the pixels of people, counted.
// SPDX-License-Identifier: Apache-2.0
import CoreImage
import CoreVideo
import Vision

public struct PersonMatte {
  private let segmentationRequest = VNGeneratePersonSegmentationRequest()

  public init(quality: VNGeneratePersonSegmentationRequest.QualityLevel = .balanced) {
    segmentationRequest.qualityLevel = quality
    segmentationRequest.outputPixelFormat = kCVPixelFormatType_OneComponent8
  }

  /// The mask, and the number of its pixels that are people.
  public func mask(of image: CGImage) throws -> (mask: CVPixelBuffer, pixels: Int)? {
    let requestHandler = VNImageRequestHandler(cgImage: image, orientation: .up, options: [:])
    try requestHandler.perform([segmentationRequest])
    guard let maskPixelBuffer = segmentationRequest.results?.first?.pixelBuffer else { return nil }

    CVPixelBufferLockBaseAddress(maskPixelBuffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(maskPixelBuffer, .readOnly) }
    let (width, height) = (
      CVPixelBufferGetWidth(maskPixelBuffer), CVPixelBufferGetHeight(maskPixelBuffer)
    )
    let bytesPerRow = CVPixelBufferGetBytesPerRow(maskPixelBuffer)
    let base = CVPixelBufferGetBaseAddress(maskPixelBuffer)!.assumingMemoryBound(to: UInt8.self)
    var count = 0
    for row in 0..<height {
      for column in 0..<width where base[row * bytesPerRow + column] > 127 { count += 1 }
    }
    return (maskPixelBuffer, count)
  }
}
