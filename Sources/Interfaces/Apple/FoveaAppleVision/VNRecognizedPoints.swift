// Fovea - points that requests find, with names.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// A point in fractions of the upright picture, from the lower left.
open class VNPoint: NSObject, NSCopying {
  public let location: CGPoint

  public init(location: CGPoint) {
    self.location = location
    super.init()
  }

  public convenience init(x: Double, y: Double) { self.init(location: CGPoint(x: x, y: y)) }

  public class var zero: VNPoint { VNPoint(x: 0, y: 0) }

  public var x: Double { Double(location.x) }
  public var y: Double { Double(location.y) }

  public func distance(_ point: VNPoint) -> Double {
    ((x - point.x) * (x - point.x) + (y - point.y) * (y - point.y)).squareRoot()
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A point that was found.
open class VNDetectedPoint: VNPoint {
  public let confidence: VNConfidence

  package init(_ location: CGPoint, confidence: VNConfidence) {
    self.confidence = confidence
    super.init(location: location)
  }

  open override var description: String { "[\(x); \(y)] confidence=\(confidence)" }
}

/// What a point is.
public struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Which points belong together.
public struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let all = VNRecognizedPointGroupKey(rawValue: "VNIPOAll")
}

/// A point that was found and has a name.
public final class VNRecognizedPoint: VNDetectedPoint {
  public let identifier: VNRecognizedPointKey

  package init(_ identifier: VNRecognizedPointKey, _ location: CGPoint, confidence: VNConfidence) {
    self.identifier = identifier
    super.init(location, confidence: confidence)
  }

  public override var description: String { "\(identifier.rawValue) \(super.description)" }
}

/// Points that belong to one thing. One that was not seen has the confidence 0.
open class VNRecognizedPointsObservation: VNObservation {
  private let points: [VNRecognizedPointKey: VNRecognizedPoint]
  private let groups: [VNRecognizedPointGroupKey: [VNRecognizedPointKey]]

  package init(
    _ points: [VNRecognizedPoint], groups: [VNRecognizedPointGroupKey: [VNRecognizedPointKey]],
    confidence: VNConfidence
  ) {
    self.points = Dictionary(points.map { ($0.identifier, $0) }) { first, _ in first }
    self.groups = groups
    super.init(confidence: confidence)
  }

  public var availableKeys: [VNRecognizedPointKey] {
    points.keys.sorted { $0.rawValue < $1.rawValue }
  }

  public var availableGroupKeys: [VNRecognizedPointGroupKey] {
    groups.keys.sorted { $0.rawValue < $1.rawValue } + [.all]
  }

  /// - Throws: An error with the code `invalidArgument` for a point that is none of these.
  public func recognizedPoint(
    forKey pointKey: VNRecognizedPointKey
  ) throws -> VNRecognizedPoint {
    if let point = points[pointKey] { return point }
    throw VisionFailure(.invalidArgument, "there is no point '\(pointKey.rawValue)'").nsError
  }

  /// - Throws: An error with the code `invalidArgument` for a group that is none of these.
  public func recognizedPoints(
    forGroupKey groupKey: VNRecognizedPointGroupKey
  ) throws -> [VNRecognizedPointKey: VNRecognizedPoint] {
    if groupKey == .all { return points }
    guard let keys = groups[groupKey] else {
      throw VisionFailure(.invalidArgument, "there is no group '\(groupKey.rawValue)'").nsError
    }
    return points.filter { keys.contains($0.key) }
  }
}
