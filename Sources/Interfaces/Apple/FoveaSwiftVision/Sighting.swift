// Fovea - what every observation has beside what it shows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import FoveaAppleVision
internal import FoveaStills

/// A result of Fovea's with what Vision adds to it: an identifier, a time and the request.
struct Sighting<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  var value: Value
  let confidence: Float
  let uuid: UUID
  let timeRange: CMTimeRange?
  let descriptor: RequestDescriptor?

  /// - Parameter descriptor: The request that found it; `nil` for what was made by hand.
  init(
    _ value: Value, confidence: Float = 1, uuid: UUID = .next(),
    by descriptor: RequestDescriptor? = nil, at timeRange: CMTimeRange? = nil
  ) {
    (self.value, self.confidence, self.uuid) = (value, confidence, uuid)
    (self.descriptor, self.timeRange) = (descriptor, timeRange)
  }

  /// What an observation of the older kind shows.
  init(_ value: Value, of older: VNObservation) {
    self.init(
      value, confidence: older.confidence, uuid: older.uuid, at: older.frameTime)
  }
}

extension Sighting where Value: FoveaStills.QuadrilateralProviding {
  var topLeft: NormalizedPoint { NormalizedPoint(value.topLeft) }
  var topRight: NormalizedPoint { NormalizedPoint(value.topRight) }
  var bottomRight: NormalizedPoint { NormalizedPoint(value.bottomRight) }
  var bottomLeft: NormalizedPoint { NormalizedPoint(value.bottomLeft) }
}
