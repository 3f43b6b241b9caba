// Fovea - many objects that keep their identifiers from frame to frame.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Gives the detections of a detector identifiers that stay from frame to frame.
///
/// Objects are predicted to the time of the frame by Kalman filters (`BoxFilter`) and matched with
/// detections in rounds: sure detections first, then unsure ones, which continue tracks but begin
/// none (Zhang et al., ByteTrack, 2022). Only boxes, scores and labels are looked at.
///
/// The same detections give the same identifiers on every machine. Memory is kept from one frame to
/// the next. A frame of n tracks and m detections takes O(n m) steps, seldom more.
package struct ObjectTracker: Sendable {
  /// How objects are tracked. May be changed between frames.
  package var options: TrackingOptions
  /// The objects of the last frame, in the order in which their tracks began.
  package private(set) var objects: [TrackedObject] = []

  /// Whether nobody is remembered.
  package var isEmpty: Bool { tracks.isEmpty }

  private var tracks: [Track] = []
  private var nextIdentifier = 1
  private var isFirstFrame = true
  private var lastTime = 0.0
  private var lastInterval = 0.0
  private var isUsed: [Bool] = []
  private var matcher = TrackMatcher()

  /// Times beyond 30 million years are nonsense, and so are those that are no numbers.
  private static let latestTime = 1e15

  /// Creates a tracker without objects.
  package init(options: TrackingOptions = TrackingOptions()) { self.options = options }

  /// Takes in the detections of a frame and leaves the result in `objects`.
  ///
  /// - Parameters:
  ///   - detections: All that the detector found, also with low scores. Boxes that are not finite or
  ///     have no area are passed over.
  ///   - seconds: The time at which the frame was captured. A time that goes back counts as the time
  ///     of the frame before.
  ///   - motion: How the picture has moved since the frame before, in the unit of the boxes.
  package mutating func update(
    _ detections: [TrackingDetection], seconds: Double, motion: AffineMap? = nil
  ) {
    let time = seconds.magnitude < Self.latestTime ? seconds : lastTime
    let interval = isFirstFrame ? 0 : max(0, time - lastTime)
    predict(interval, motion)
    isUsed.removeAll(keepingCapacity: true)
    for detection in detections { isUsed.append(!detection.box.isUsable) }
    matchAll(detections, interval)
    endTracks(interval)
    beginTracks(detections)
    report(detections)
    lastTime = isFirstFrame ? time : max(lastTime, time)
    isFirstFrame = false
    lastInterval = interval
  }

  /// Forgets all objects; identifiers go on upwards.
  package mutating func reset() {
    tracks.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    isFirstFrame = true
  }

  // MARK: Steps

  private mutating func predict(_ interval: Double, _ motion: AffineMap?) {
    // After a pause nobody is where they were. Slow streams pause in every frame.
    if interval > max(options.memory, 2 * lastInterval), lastInterval > 0 {
      tracks.removeAll(keepingCapacity: true)
    }
    for index in tracks.indices {
      tracks[index].predict(seconds: interval, motion: motion, options.noise)
    }
  }

  private mutating func matchAll(_ detections: [TrackingDetection], _ interval: Double) {
    let (high, low) = (options.highScore, options.lowScore)
    matcher.chooseTracks(tracks) { $0.isConfirmed }
    matcher.chooseDetections(detections, unless: isUsed, from: high, below: .infinity)
    match(
      detections, interval, least: options.similarity, scoreWeight: options.scoreWeight)

    matcher.chooseTracks(tracks) { $0.isConfirmed && $0.misses <= TrackingOptions.lowMisses }
    matcher.chooseDetections(detections, unless: isUsed, from: low, below: high)
    match(detections, interval, least: TrackingOptions.lowSimilarity)

    matcher.chooseTracks(tracks) {
      $0.isConfirmed && $0.missedSeconds <= TrackingOptions.lostSeconds
    }
    matcher.chooseDetections(
      detections, unless: isUsed, from: max(low, TrackingOptions.lostScore), below: high)
    match(detections, interval, least: TrackingOptions.lostSimilarity)

    matcher.chooseTracks(tracks) { $0.isConfirmed }
    matcher.chooseDetections(detections, unless: isUsed, from: high, below: .infinity)
    match(detections, interval, least: TrackingOptions.lastSimilarity, seesLast: true)

    matcher.chooseTracks(tracks) { !$0.isConfirmed }
    matcher.chooseDetections(detections, unless: isUsed, from: high, below: .infinity)
    match(detections, interval, least: TrackingOptions.tentativeSimilarity)
  }

  /// One round.
  private mutating func match(
    _ detections: [TrackingDetection], _ interval: Double, least: Double, seesLast: Bool = false,
    scoreWeight: Double = 0
  ) {
    guard !matcher.tracks.isEmpty, !matcher.detections.isEmpty else { return }
    matcher.match(
      tracks, detections, least: least, seesLast: seesLast, scoreWeight: scoreWeight,
      matchesLabels: options.matchesLabels)
    for row in matcher.tracks.indices {
      guard let place = matcher.pair(row) else { continue }
      isUsed[place] = true
      tracks[matcher.tracks[row]].see(
        detections[place], place: place, seconds: interval, options.noise)
    }
  }

  private mutating func endTracks(_ interval: Double) {
    var kept = 0
    for index in tracks.indices {
      // A motion that is nonsense leads nowhere.
      guard tracks[index].filter.box.isUsable else { continue }
      if tracks[index].isMatched {
        confirm(index)
      } else {
        tracks[index].miss(seconds: interval)
        let isOver =
          tracks[index].isConfirmed
          ? tracks[index].missedSeconds > options.memory
          : tracks[index].misses > TrackingOptions.tentativeMisses
        if isOver { continue }
      }
      if kept != index { tracks[kept] = tracks[index] }
      kept += 1
    }
    tracks.removeLast(tracks.count - kept)
  }

  private mutating func beginTracks(_ detections: [TrackingDetection]) {
    for place in detections.indices
    where !isUsed[place] && detections[place].score >= options.newScore {
      tracks.append(Track(detections[place], place: place, options.noise))
      confirm(tracks.count - 1)
    }
  }

  /// Gives an identifier to a track that was seen often enough.
  private mutating func confirm(_ index: Int) {
    guard !tracks[index].isConfirmed,
      isFirstFrame || tracks[index].hits >= options.confirmationCount
    else { return }
    tracks[index].identifier = nextIdentifier
    nextIdentifier += 1
  }

  private mutating func report(_ detections: [TrackingDetection]) {
    objects.removeAll(keepingCapacity: true)
    for track in tracks where track.isConfirmed {
      var box = track.filter.box
      if track.isMatched {
        box = track.seenBox.mixed(with: box, share: TrackingOptions.smoothing)
      } else if !coasts(track) {
        continue
      }
      objects.append(
        TrackedObject(
          identifier: track.identifier, box: box, score: track.score, label: track.label,
          detection: track.isMatched ? track.detection : nil))
    }
  }

  private func coasts(_ track: Track) -> Bool {
    guard track.hits >= options.confirmationCount else { return false }
    return track.misses <= options.coastingFrames
      && (track.misses == 1 || track.missedSeconds <= options.coastingSeconds + 1e-9)
  }
}
