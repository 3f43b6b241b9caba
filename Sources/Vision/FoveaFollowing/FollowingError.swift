// Fovea - why an object cannot be followed.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow
public import FoveaGeometry
public import FoveaImaging

/// Why an object cannot be followed.
public enum FollowingError: Error, Hashable, Sendable {
  /// The picture cannot be read.
  case image(ImageError)
  /// The picture has no pixels, or its bytes end before its rows do.
  case invalidPicture
  /// The box is not finite, has sides below 3 pixels or above twice the picture's, or lies outside
  /// the picture by more than nine tenths. In pixels of the stored picture.
  case invalidBox(ImageRect)
  /// All places of this level are taken. Mark the last picture of an object that is no longer needed
  /// with `isLastFrame`, or let go of its request.
  case tooManyObjects(TrackingLevel, limit: Int)
  /// The last picture of the request has passed. Make a new request.
  case finished
  /// Another handler performs the request. A request belongs to one sequence of pictures.
  case otherSequence
  /// One request is listed twice for the same picture.
  case repeatedRequest
  /// There is not enough memory for another object.
  case outOfMemory
}

extension FollowingError: CustomStringConvertible {
  /// What was found, what was expected and what to do, in one line.
  public var description: String {
    switch self {
    case .image(let error): error.description
    case .invalidPicture:
      "the picture has no pixels, or fewer bytes than its rows need; check its size and row length"
    case .invalidBox(let box):
      "the box at (\(text(box.x)), \(text(box.y))) of \(text(box.width)) x \(text(box.height)) pixels "
        + "cannot be followed; it needs sides of 3 pixels or more and a tenth of its area inside the picture"
    case .tooManyObjects(let level, let limit):
      "\(limit) objects are followed at level \(level.rawValue) already; end one with isLastFrame"
    case .finished: "the last picture of this request has passed; make a new request"
    case .otherSequence:
      "another SequenceRequestHandler performs this request; make one for each sequence"
    case .repeatedRequest: "a request is listed twice for one picture; list it once"
    case .outOfMemory: "there is no memory for another object; end one with isLastFrame"
    }
  }

  /// In pixels, to a hundredth.
  private func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

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
