// Fovea - what requests of Vision for Swift find in common.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// Something that a request found.
public protocol VisionObservation: Codable, Hashable, Sendable, CustomStringConvertible {
  var uuid: UUID { get }
  /// How sure it is, 0 to 1.
  var confidence: Float { get }
  /// When it was seen; `nil` for pictures without a time.
  var timeRange: CMTimeRange? { get }
  /// The request that found it; `nil` for what was made by hand.
  var originatingRequestDescriptor: RequestDescriptor? { get }
}

extension VisionObservation {
  public var description: String { "\(Self.self) \(uuid) confidence=\(confidence)" }
}

/// What has a box on the upright picture.
public protocol BoundingBoxProviding {
  var boundingBox: NormalizedRect { get }
}

/// What has four corners on the upright picture.
public protocol QuadrilateralProviding: BoundingBoxProviding {
  var topLeft: NormalizedPoint { get }
  var topRight: NormalizedPoint { get }
  var bottomRight: NormalizedPoint { get }
  var bottomLeft: NormalizedPoint { get }
}

extension QuadrilateralProviding {
  /// The least upright rectangle around the corners.
  public var boundingBox: NormalizedRect {
    let corners = [topLeft, topRight, bottomRight, bottomLeft]
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, lower) = (xs.min() ?? 0, ys.min() ?? 0)
    return NormalizedRect(
      x: left, y: lower, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - lower)
  }
}
