// Fovea - a program as people write it: a subject lifted from its background.
// SPDX-License-Identifier: Apache-2.0
import CoreVideo
import Foundation
import Vision

public struct SubjectLifter {
  public init() {}

  private func instance(
    atPoint point: CGPoint, inObservation observation: VNInstanceMaskObservation
  )
    -> IndexSet
  {
    let mask = observation.instanceMask
    let coords = VNImagePointForNormalizedPoint(
      point, CVPixelBufferGetWidth(mask) - 1, CVPixelBufferGetHeight(mask) - 1)
    CVPixelBufferLockBaseAddress(mask, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(mask, .readOnly) }
    guard let pixels = CVPixelBufferGetBaseAddress(mask) else { return observation.allInstances }
    let label = pixels.load(
      fromByteOffset: Int(coords.y) * CVPixelBufferGetBytesPerRow(mask) + Int(coords.x),
      as: UInt8.self)
    return label == 0 ? observation.allInstances : [Int(label)]
  }

  /// The subject at a point in fractions from the upper left: its mask, its pixels, cut out, and how
  /// many subjects there are.
  public func subject(
    at point: CGPoint, in url: URL, onlyPeople: Bool
  ) throws -> (mask: CVPixelBuffer, cutout: CVPixelBuffer, count: Int)? {
    let handler = VNImageRequestHandler(url: url, options: [:])
    let result: VNInstanceMaskObservation?
    if onlyPeople {
      let request = VNGeneratePersonInstanceMaskRequest()
      try handler.perform([request])
      result = request.results?.first
    } else {
      let request = VNGenerateForegroundInstanceMaskRequest()
      try handler.perform([request])
      result = request.results?.first
    }
    guard let result else { return nil }
    let instances = instance(atPoint: point, inObservation: result)
    return (
      try result.generateScaledMaskForImage(forInstances: instances, from: handler),
      try result.generateMaskedImage(
        ofInstances: instances, from: handler, croppedToInstancesExtent: true),
      result.allInstances.count
    )
  }
}
