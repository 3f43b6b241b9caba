// Fovea - why an object cannot be followed.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow
package import FoveaGeometry

/// Why an object cannot be followed.
package enum FollowingError: Error, Equatable, Sendable {
  /// The picture has no pixels, or its bytes end before its rows do.
  case invalidPicture
  /// The box is not finite, has sides below 3 pixels or above twice the picture's, or lies outside
  /// the picture by more than nine tenths.
  case invalidBox(ImageRect)
  /// All places of this level are taken. Mark the last picture of an object that is no longer
  /// needed (`isLastFrame`).
  case tooManyObjects(FollowingLevel, limit: Int)
  /// No object of this number is followed: it was never begun, or its last picture has passed.
  case unknownObject(Int)
  /// There is not enough memory for another object.
  case outOfMemory
}

extension FollowingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidPicture:
      "the picture has no pixels, or fewer bytes than its rows need; check its size and row length"
    case .invalidBox(let box):
      "the box at (\(box.x), \(box.y)) of \(box.width) x \(box.height) pixels cannot be followed; "
        + "it needs sides of 3 pixels or more and a tenth of its area inside the picture"
    case .tooManyObjects(let level, let limit):
      "\(limit) objects are followed at level \(level.rawValue) already; end one with isLastFrame"
    case .unknownObject(let number):
      "object \(number) is not followed; begin it with a box first"
    case .outOfMemory: "there is no memory for another object; end one with isLastFrame"
    }
  }

  /// Throws what a status of the core means, if it is an error.
  static func check(_ status: fov_follow_status, box: ImageRect? = nil) throws(FollowingError) {
    switch status {
    case .ok: return
    case .invalid_box:
      throw .invalidBox(box ?? ImageRect(x: 0, y: 0, width: 0, height: 0, origin: .upperLeft))
    case .out_of_memory: throw .outOfMemory
    case .invalid_picture, .not_started: throw .invalidPicture
    }
  }
}
