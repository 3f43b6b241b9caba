// Fovea - objects as ML Kit's detector gives them: at most five, or only the most prominent one.
// SPDX-License-Identifier: Apache-2.0

/// Which objects are wanted, with the names and defaults of ML Kit's `ObjectDetectorOptions`.
package struct ProminenceOptions: Hashable, Sendable {
  /// What the frames are.
  package enum Mode: String, CaseIterable, Sendable {
    /// Frames of a camera: objects have identifiers.
    case stream
    /// Pictures that have nothing to do with each other: objects have none.
    case singleImage
  }

  /// What the frames are.
  package var mode = Mode.stream
  /// Whether up to five objects are wanted, and not only the most prominent one.
  package var findsMultiple = false
  /// Whether objects have coarse categories.
  package var classifies = false

  /// The greatest number of objects.
  package static let greatestCount = 5

  /// The defaults of ML Kit: the most prominent object of a stream, without a category.
  package init() {}
}

/// An object as ML Kit's detector gives it.
package struct ProminentObject: Hashable, Sendable {
  /// The same for the same object in every frame; `nil` for single images.
  package var identifier: Int?
  /// Where it is.
  package var box: TrackingBox
  /// How sure the detector is.
  package var score: Double
  /// The number of its label.
  package var label: Int
  /// Its coarse category, if it is wanted and there is one.
  package var category: CoarseCategory?
  /// Whether the object was not seen in this frame.
  package var isPredicted: Bool
}

/// Picks the most prominent objects of each frame.
///
/// Prominence is the score, times the square root of the area, times 1 less half the distance from
/// the center of the picture, of which the farthest corner is 1 away. The one object that is wanted
/// stays until another has been 1.2 times as prominent for three frames.
package struct ProminentObjects: Sendable {
  /// The objects of the last frame, the most prominent one first.
  package private(set) var objects: [ProminentObject] = []

  private let options: ProminenceOptions
  private let categories: [CoarseCategory?]
  private var tracker: ObjectTracker
  private var weights: [Double] = []
  private var chosen: Int?
  private var rival: Int?
  private var rivalFrames = 0

  private static let advantage = 1.2
  private static let patience = 3

  /// Creates a picker.
  ///
  /// - Parameter labels: The names of the labels by their numbers, such as "dining table".
  package init(
    options: ProminenceOptions = ProminenceOptions(), labels: [String] = [],
    tracking: TrackingOptions = TrackingOptions()
  ) {
    self.options = options
    categories = labels.map { CoarseCategory(label: $0.lowercased()) }
    tracker = ObjectTracker(options: tracking)
  }

  /// Takes in the detections of a frame and leaves the result in `objects`.
  ///
  /// - Parameters:
  ///   - seconds: The time of the frame; single images have none.
  ///   - width: The width of the picture in the unit of the boxes.
  ///   - height: The height of the picture.
  package mutating func update(
    _ detections: [TrackingDetection], seconds: Double = 0, width: Double, height: Double
  ) {
    objects.removeAll(keepingCapacity: true)
    switch options.mode {
    case .stream:
      tracker.update(detections, seconds: seconds)
      for object in tracker.objects {
        add(
          object.box, object.score, object.label, identifier: object.identifier,
          isPredicted: object.isPredicted)
      }
    case .singleImage:
      for found in detections where found.box.isUsable && found.score >= tracker.options.newScore {
        add(found.box, found.score, found.label, identifier: nil, isPredicted: false)
      }
    }
    sort(width: width, height: height)
    if options.findsMultiple {
      objects.removeLast(max(0, objects.count - ProminenceOptions.greatestCount))
    } else {
      keepOne()
    }
  }

  private mutating func add(
    _ box: TrackingBox, _ score: Double, _ label: Int, identifier: Int?, isPredicted: Bool
  ) {
    let category = categories.indices.contains(label) ? categories[label] : nil
    objects.append(
      ProminentObject(
        identifier: identifier, box: box, score: score, label: label,
        category: options.classifies ? category : nil, isPredicted: isPredicted))
  }

  /// Sorts by prominence; equals stay as they were.
  private mutating func sort(width: Double, height: Double) {
    weights.removeAll(keepingCapacity: true)
    for object in objects {
      weights.append(Self.prominence(object, width: width, height: height))
    }
    for end in objects.indices {
      var place = end
      while place > 0, weights[place] > weights[place - 1] {
        objects.swapAt(place, place - 1)
        weights.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  private static func prominence(
    _ object: ProminentObject, width: Double, height: Double
  ) -> Double {
    let x = (object.box.x - width / 2) / width
    let y = (object.box.y - height / 2) / height
    // Corners are half of the square root of 2 away in these fractions.
    let distance = min(1, ((x * x + y * y) * 2).squareRoot())
    let area = object.box.width * object.box.height
    return object.score * area.squareRoot() * (1 - distance / 2)
  }

  /// Keeps the chosen object as long as it is there and no other is clearly more prominent.
  private mutating func keepOne() {
    guard let first = objects.first else {
      (chosen, rival, rivalFrames) = (nil, nil, 0)
      return
    }
    var kept = 0
    let current = objects.firstIndex { $0.identifier != nil && $0.identifier == chosen }
    if let current, current > 0 {
      let isAhead = weights[0] >= Self.advantage * weights[current]
      if !isAhead { (rival, rivalFrames) = (nil, 0) }
      if !isAhead || !outlasts(first) { kept = current }
    }
    if kept == 0 { (rival, rivalFrames) = (nil, 0) }
    chosen = objects[kept].identifier
    objects.swapAt(0, kept)
    objects.removeLast(objects.count - 1)
  }

  /// Counts the frames of a rival; whether it has been ahead for long enough.
  private mutating func outlasts(_ object: ProminentObject) -> Bool {
    rivalFrames = rival == object.identifier ? rivalFrames + 1 : 1
    rival = object.identifier
    return rivalFrames >= Self.patience
  }
}
