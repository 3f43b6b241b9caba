// Fovea - MOTChallenge's files of boxes: detections, ground truth and results of trackers.
// SPDX-License-Identifier: Apache-2.0

/// The boxes of a MOTChallenge file: `det.txt`, `gt.txt`, or what a tracker has written.
///
/// A line states a box; commas or spaces stand between its numbers:
///
///     frame, identifier, left, top, width, height, score, class, ...
///
/// Frames count from 1, and pixels from the upper left. What follows the sixth number may be absent.
/// Only lines of eight or nine numbers name a class: longer ones state places in the world there.
package struct MOTChallengeFile: Sendable {
  /// The boxes, in the order of the file.
  package let boxes: [TrackedBox]
  /// What errors call the file.
  let name: String

  /// The greatest number of a frame.
  package static let greatestFrame = 1 << 31
  /// A file has at most this many boxes, which take 1 GiB of memory.
  package static let greatestCount = 1 << 24

  /// The number of the last frame that has a box; 0 if none has.
  package var lastFrame: Int { boxes.reduce(0) { max($0, $1.frame) } }

  /// The boxes of each frame that has any, in the order of frames; those of a frame in the order of
  /// the file.
  package var frames: [[TrackedBox]] {
    var frames: [[TrackedBox]] = []
    let sorted = boxes.indices.sorted { (boxes[$0].frame, $0) < (boxes[$1].frame, $1) }
    for index in sorted {
      if frames.last?[0].frame == boxes[index].frame {
        frames[frames.count - 1].append(boxes[index])
      } else {
        frames.append([boxes[index]])
      }
    }
    return frames
  }

  /// Reads the file at `path`.
  ///
  /// - Throws: `.unreadable`, `.malformed`.
  package init(contentsOf path: String) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try MOTChallengeFile(bytes, name: path)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: `.malformed`.
  package init(text bytes: [UInt8], name: String = "boxes") throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try MOTChallengeFile(bytes, name: name)
    }
  }

  /// Keeps boxes that are in memory.
  package init(_ boxes: [TrackedBox], name: String = "boxes") {
    self.boxes = boxes
    self.name = name
  }

  private init(_ bytes: UnsafeRawBufferPointer, name: String) throws(EvaluationError) {
    var boxes: [TrackedBox] = []
    var lines = NumberLines(bytes, name: name)
    while try lines.next() {
      guard boxes.count < Self.greatestCount else {
        throw lines.error("the file has more than \(Self.greatestCount) boxes; cut it in pieces")
      }
      boxes.append(try Self.box(lines))
    }
    self.boxes = boxes
    self.name = name
  }

  private static func box(_ line: NumberLines) throws(EvaluationError) -> TrackedBox {
    let numbers = line.numbers
    guard numbers.count >= 6 else {
      throw line.error(
        "\(numbers.count) numbers; expected frame, identifier, left, top, width, height")
    }
    // Tools write 16 and 16.0.
    guard let frame = Int(exactly: numbers[0]), (1...greatestFrame).contains(frame) else {
      throw line.error("the frame is no whole number in 1...\(greatestFrame); count from 1")
    }
    guard let identifier = Int(exactly: numbers[1]), identifier.magnitude <= greatestFrame else {
      throw line.error(
        "the identifier is no whole number of at most \(greatestFrame); write one, or -1 for none")
    }
    let box = PixelBox(x: numbers[2], y: numbers[3], width: numbers[4], height: numbers[5])
    guard [box.x, box.y, box.width, box.height].allSatisfy({ $0.magnitude <= 1e9 }) else {
      throw line.error(
        "the box lies a billion pixels away; write left, top, width, height in pixels")
    }
    guard box.width >= 0, box.height >= 0 else {
      throw line.error("the box has a negative size; write left, top, width, height in pixels")
    }
    return TrackedBox(
      frame: frame, identifier: identifier, box: box,
      score: numbers.count > 6 ? numbers[6] : 1,
      category: (8...9).contains(numbers.count) ? category(numbers[7]) : nil)
  }

  private static func category(_ number: Double) -> Int? {
    number > 0 ? Int(exactly: number) : nil
  }

  /// Whether the boxes can be compared as tracks.
  ///
  /// - Throws: `.inconsistent`.
  func checkTracks() throws(EvaluationError) {
    var counts: [Int: Int] = [:]
    var seen: Set<[Int]> = []
    var identifiers: Set<Int> = []
    for box in boxes {
      guard seen.insert([box.frame, box.identifier]).inserted else {
        throw .inconsistent(
          path: name,
          reason: "frame \(box.frame) has two boxes of the identifier \(box.identifier); "
            + "give each object of a frame its own")
      }
      identifiers.insert(box.identifier)
      counts[box.frame, default: 0] += 1
      guard counts[box.frame]! <= TrackMetrics.greatestBoxCount else {
        throw .inconsistent(
          path: name,
          reason: "frame \(box.frame) has more than \(TrackMetrics.greatestBoxCount) boxes; "
            + "leave out those of the least scores")
      }
    }
    guard identifiers.count <= TrackMetrics.greatestTrackCount else {
      throw .inconsistent(
        path: name,
        reason: "has more than \(TrackMetrics.greatestTrackCount) identifiers; "
          + "cut the sequence in pieces")
    }
  }
}
