// Fovea - a program as people write it: skeletons of people drawn on a picture.
// SPDX-License-Identifier: Apache-2.0
import CoreGraphics
import Vision

public struct SkeletonDrawer {
  public init() {}

  /// The joints of each person in pixels from the lower left, by Vision's names.
  public func joints(in image: CGImage) throws -> [[String: (point: CGPoint, confidence: Float)]] {
    let requestHandler = VNImageRequestHandler(cgImage: image)
    let request = VNDetectHumanBodyPoseRequest()
    try requestHandler.perform([request])
    guard let observations = request.results else { return [] }
    return try observations.map { try processObservation($0, image) }
  }

  private func processObservation(
    _ observation: VNHumanBodyPoseObservation, _ image: CGImage
  ) throws -> [String: (point: CGPoint, confidence: Float)] {
    let recognizedPoints = try observation.recognizedPoints(.all)
    var joints: [String: (point: CGPoint, confidence: Float)] = [:]
    for (name, point) in recognizedPoints {
      joints[name.rawValue.rawValue] = (
        VNImagePointForNormalizedPoint(
          point.location, Int(image.width), Int(image.height)), point.confidence
      )
    }
    return joints
  }

  /// The picture with the torso of each person, as a closed line.
  public func drawn(_ image: CGImage) throws -> CGImage? {
    let context = CGContext(
      data: nil, width: image.width, height: image.height, bitsPerComponent: 8, bytesPerRow: 0,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    context?.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
    context?.setStrokeColor(red: 0, green: 1, blue: 0, alpha: 1)
    let request = VNDetectHumanBodyPoseRequest(completionHandler: { request, error in
      guard let observations = request.results as? [VNHumanBodyPoseObservation] else { return }
      let torsoJointNames: [VNHumanBodyPoseObservation.JointName] = [
        .neck, .rightShoulder, .rightHip, .root, .leftHip, .leftShoulder,
      ]
      for observation in observations {
        guard let recognizedPoints = try? observation.recognizedPoints(.torso) else { continue }
        let imagePoints: [CGPoint] = torsoJointNames.compactMap {
          guard let point = recognizedPoints[$0], point.confidence > 0 else { return nil }
          return VNImagePointForNormalizedPoint(point.location, image.width, image.height)
        }
        context?.addLines(between: imagePoints)
        context?.closePath()
        context?.strokePath()
      }
    })
    try VNImageRequestHandler(cgImage: image, orientation: .up, options: [:]).perform([request])
    return context?.makeImage()
  }
}
