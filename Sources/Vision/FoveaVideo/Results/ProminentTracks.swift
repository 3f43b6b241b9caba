// Fovea - the most prominent objects of each picture.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
internal import FoveaTracking

/// Picks the most prominent objects of each picture, as ML Kit's object detector does.
///
///     var prominent = ProminentTracks()
///     for try await picture in request.results(in: camera).tracked() {
///       for object in prominent.picked(from: picture) { print(object) }
///     }
///
/// Large, sure objects near the center are prominent. The one object that is wanted stays until
/// another has been 1.2 times as prominent for three pictures.
public struct ProminentTracks: Sendable {
  private var picker: ProminencePicker

  /// Creates a picker, for the pictures of one source.
  ///
  /// - Parameter findsMultiple: Whether up to five objects are wanted, and not only the most
  ///   prominent one.
  public init(findsMultiple: Bool = false) {
    picker = ProminencePicker(findsMultiple: findsMultiple)
  }

  /// The objects of the next picture that are picked, the most prominent one first.
  ///
  /// - Complexity: O(n log n) for n objects.
  public mutating func picked(from picture: TrackedVideoResult) -> [VideoTrack] {
    picked(from: picture.tracks, in: picture.result.imageSize)
  }

  /// The objects that are picked from those of a picture of `size`.
  package mutating func picked(from tracks: [VideoTrack], in size: ImageSize) -> [VideoTrack] {
    let candidates = tracks.map { track in
      ProminencePicker.Candidate(
        identifier: track.identifier, box: TrackingBox(track.boundingBox, in: size),
        score: Double(track.confidence))
    }
    let places = picker.pick(
      from: candidates, width: Double(size.width), height: Double(size.height))
    return places.map { tracks[$0] }
  }
}
