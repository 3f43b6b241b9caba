// Fovea - objects as ML Kit's detector gives them: at most five, or only the most prominent one.
// SPDX-License-Identifier: Apache-2.0

/// Picks the most prominent objects of each frame, as ML Kit's object detector does.
///
/// Prominence is the score, times the square root of the area, times 1 less half the distance from
/// the center of the picture, of which the farthest corner is 1 away. The one object that is wanted
/// stays until another has been 1.2 times as prominent for three frames.
package struct ProminencePicker: Sendable {
  /// An object of a frame.
  package struct Candidate: Hashable, Sendable {
    /// The same for the same object in every frame; `nil` where frames have nothing to do with each
    /// other.
    package var identifier: Int?
    /// Where it is.
    package var box: TrackingBox
    /// How sure the detector is.
    package var score: Double

    /// Creates a candidate.
    package init(identifier: Int?, box: TrackingBox, score: Double) {
      (self.identifier, self.box, self.score) = (identifier, box, score)
    }
  }

  /// The greatest number of objects where several are wanted.
  package static let greatestCount = 5

  private let findsMultiple: Bool
  private var chosen: Int?
  private var rival: Int?
  private var rivalFrames = 0

  private static let advantage = 1.2
  private static let patience = 3

  /// Creates a picker.
  ///
  /// - Parameter findsMultiple: Whether up to five objects are wanted, and not only the most
  ///   prominent one.
  package init(findsMultiple: Bool = false) { self.findsMultiple = findsMultiple }

  /// The places of the objects that are picked among all of a frame, the most prominent one first.
  ///
  /// - Parameters:
  ///   - width: The width of the picture in the unit of the boxes.
  ///   - height: The height of the picture.
  package mutating func pick(
    from candidates: [Candidate], width: Double, height: Double
  ) -> [Int] {
    let weights = candidates.map { Self.prominence($0, width: width, height: height) }
    // Equals stay in their order.
    let order = weights.indices.sorted { one, other in
      weights[one] == weights[other] ? one < other : weights[one] > weights[other]
    }
    guard !findsMultiple else { return Array(order.prefix(Self.greatestCount)) }
    guard let first = order.first else {
      (chosen, rival, rivalFrames) = (nil, nil, 0)
      return []
    }
    let picked = keepsChosen(among: candidates, weights, first: first) ?? first
    chosen = candidates[picked].identifier
    return [picked]
  }

  private static func prominence(
    _ object: Candidate, width: Double, height: Double
  ) -> Double {
    let x = (object.box.x - width / 2) / width
    let y = (object.box.y - height / 2) / height
    // Corners are half of the square root of 2 away in these fractions.
    let distance = min(1, ((x * x + y * y) * 2).squareRoot())
    let area = object.box.width * object.box.height
    return object.score * area.squareRoot() * (1 - distance / 2)
  }

  /// The place of the object that was chosen before, as long as it is there and no other has been
  /// clearly more prominent for a while.
  private mutating func keepsChosen(
    among candidates: [Candidate], _ weights: [Double], first: Int
  ) -> Int? {
    let current = candidates.firstIndex { $0.identifier != nil && $0.identifier == chosen }
    guard let current, current != first,
      weights[first] < Self.advantage * weights[current] || !outlasts(candidates[first])
    else {
      (rival, rivalFrames) = (nil, 0)
      return nil
    }
    if weights[first] < Self.advantage * weights[current] { (rival, rivalFrames) = (nil, 0) }
    return current
  }

  /// Counts the frames of a rival; whether it has been ahead for long enough.
  private mutating func outlasts(_ object: Candidate) -> Bool {
    rivalFrames = rival == object.identifier ? rivalFrames + 1 : 1
    rival = object.identifier
    return rivalFrames >= Self.patience
  }
}
