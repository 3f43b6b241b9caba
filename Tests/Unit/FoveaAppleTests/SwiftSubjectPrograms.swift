// Fovea - programs for people, subjects, prints and classes in Vision's newer interface.
// SPDX-License-Identifier: Apache-2.0
import Vision

/// Counts bends of an arm from frame to frame.
struct CurlCounter {
  typealias Name = HumanBodyPoseObservation.PoseJointName

  private(set) var count = 0
  private var isBent = false

  /// The angle at the elbow in degrees; `nil` where the arm is not seen.
  static func angle(of joints: [Name: Joint], _ names: (Name, Name, Name)) -> Double? {
    guard let shoulder = joints[names.0], let elbow = joints[names.1], let wrist = joints[names.2],
      shoulder.confidence > 0.3, elbow.confidence > 0.3, wrist.confidence > 0.3
    else { return nil }
    let upper = atan2(
      shoulder.location.y - elbow.location.y, shoulder.location.x - elbow.location.x)
    let lower = atan2(wrist.location.y - elbow.location.y, wrist.location.x - elbow.location.x)
    let angle = abs(upper - lower) * 180 / .pi
    return angle > 180 ? 360 - angle : angle
  }

  /// The joints of the surest person of a picture.
  static func joints(
    _ picture: URL
  ) async throws -> (all: [Name: Joint], arm: Set<Name>, count: Int) {
    var request = DetectHumanBodyPoseRequest()
    request.detectsHands = false
    let people = try await request.perform(on: picture)
    guard let person = people.max(by: { $0.confidence < $1.confidence }) else {
      return ([:], [], 0)
    }
    let group: HumanBodyPoseObservation.PoseJointsGroupName = .leftArm
    return (person.allJoints(), Set(person.allJoints(in: group).keys), people.count)
  }

  mutating func see(_ angle: Double) {
    if angle < 60, !isBent {
      isBent = true
    } else if angle > 150, isBent {
      isBent = false
      count += 1
    }
  }
}

/// Cuts the object out that was touched.
struct Cutout {
  let mask: CVPixelBuffer
  let pixels: CVPixelBuffer
  let numbers: PixelBufferObservation
  let count: Int

  init?(_ picture: URL, at point: NormalizedPoint) async throws {
    let handler = ImageRequestHandler(picture)
    let request = GenerateForegroundInstanceMaskRequest()
    guard let observation = try await handler.perform(request) else { return nil }
    let touched = observation.instanceAtPoint(point)
    let chosen = touched.isEmpty ? observation.allInstances : touched
    mask = try observation.generateScaledMask(for: chosen, scaledToImageFrom: handler)
    pixels = try observation.generateMaskedImage(
      for: chosen, imageFrom: handler, croppedToInstancesExtent: true)
    numbers = observation.instanceMask
    count = observation.allInstances.count
  }
}

/// A matte of people from the best quality that works.
func newerMatte(_ picture: CGImage) async -> CGImage? {
  let handler = ImageRequestHandler(picture, orientation: .up)
  for level in [GeneratePersonSegmentationRequest.QualityLevel.accurate, .balanced] {
    let request = GeneratePersonSegmentationRequest()
    request.qualityLevel = level
    request.outputPixelFormatType = kCVPixelFormatType_OneComponent8
    if let observation = try? await handler.perform(request), let image = try? observation.cgImage {
      return image
    }
  }
  return nil
}

/// Pictures of a catalog, the most similar first.
actor NewerCatalog {
  private var entries: [(url: URL, print: FeaturePrintObservation)] = []

  func add(_ picture: URL) async throws {
    entries.append((picture, try await GenerateImageFeaturePrintRequest().perform(on: picture)))
  }

  func matches(_ picture: URL) async throws -> [(name: String, distance: Double)] {
    let query = try await GenerateImageFeaturePrintRequest().perform(on: picture)
    return try entries.map { ($0.url.lastPathComponent, try query.distance(to: $0.print)) }
      .sorted { $0.distance < $1.distance }
  }
}

/// Words for a picture, beside other things that are asked of it at once.
func newerTags(
  _ picture: URL, above confidence: Float
) async throws -> (words: [String: Float], known: Int, codes: Int) {
  var classify = ClassifyImageRequest()
  classify.cropAndScaleAction = .centerCrop
  let (classes, codes) = try await ImageRequestHandler(picture).perform(
    classify, DetectBarcodesRequest())
  let words = classes.filter { $0.confidence > confidence }.map { ($0.identifier, $0.confidence) }
  return (
    Dictionary(uniqueKeysWithValues: words), classify.supportedIdentifiers.count, codes.count
  )
}
