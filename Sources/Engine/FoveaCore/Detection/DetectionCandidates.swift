// Fovea - boxes that may be objects, which compete in memory of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.SPI
package import FoveaGeometry

/// Boxes that may be objects, and what suppression says about them (`fov_suppression.h`).
///
/// The memory stays from one image to the next: once it has grown to what the images need, nothing is allocated. One
/// user at a time.
package final class DetectionCandidates {
  /// A box that may be an object.
  package struct Candidate: Hashable, Sendable {
    /// The box in fractions of the image, y counted from the top.
    package var box: CornerBox
    /// Its class.
    package var classIndex: Int
    /// The score of that class.
    package var score: Float
    /// The row of the network's output that it comes from.
    package var row: Int

    /// Creates a candidate.
    package init(box: CornerBox, classIndex: Int, score: Float, row: Int) {
      self.box = box
      self.classIndex = classIndex
      self.score = score
      self.row = row
    }
  }

  private var core: fov_candidates
  private var block: UnsafeMutableRawPointer

  /// Creates memory with room for some candidates. `find` makes more room where it needs it.
  package init(capacity: Int = 0) {
    guard let made = Self.makeCandidates(capacity: capacity) else {
      preconditionFailure("more boxes than 32 bits can count")
    }
    (core, block) = made
  }

  deinit { block.deallocate() }

  /// `nil` for more than 32 bits can count.
  private static func makeCandidates(capacity: Int) -> (fov_candidates, UnsafeMutableRawPointer)? {
    var byteCount = 0
    guard fov_candidates_bytes(capacity, &byteCount) == .ok else { return nil }
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    return (fov_candidates_place(capacity, block), block)
  }

  /// How many candidates there are follows from a network's output: too many are an error.
  private func grow(to count: Int) throws(InvalidOutput) {
    let wanted = Swift.max(count, 2 * core.capacity)
    guard var made = Self.makeCandidates(capacity: wanted) else {
      throw InvalidOutput(
        message: "\(count) boxes may be objects, more than 32 bits can count; raise the least score"
      )
    }
    made.0.has_checked_scores = core.has_checked_scores
    block.deallocate()
    (core, block) = made
  }

  // MARK: Candidates

  /// Adds a candidate.
  ///
  /// - Precondition: There is room for it, and its class and its row are not negative.
  package func append(_ candidate: Candidate) {
    precondition(core.count < core.capacity, "no room for another candidate")
    let place = core.count
    core.boxes[place] = fov_box(candidate.box)
    core.scores[place] = candidate.score
    core.classes[place] = UInt32(candidate.classIndex)
    core.rows[place] = UInt32(candidate.row)
    core.count += 1
  }

  /// Which boxes of a network's output may be objects.
  package struct Rule: Sendable {
    /// The least score.
    package var threshold: Float
    /// Whether a box may stand for several classes, not only for its best.
    package var countsEveryClass: Bool
    /// One for each class: whether it counts; `nil` for all.
    package var allowedClasses: [Bool]?

    /// Creates a rule.
    package init(threshold: Float, countsEveryClass: Bool, allowedClasses: [Bool]?) {
      self.threshold = threshold
      self.countsEveryClass = countsEveryClass
      self.allowedClasses = allowedClasses
    }
  }

  /// Numbers of a network's output that are no scores and boxes, or too many, in words.
  package struct InvalidOutput: Error {
    /// Which numbers, and what to do.
    package var message: String
  }

  /// Makes the candidates those of a network's output (`fov_candidates_find`).
  ///
  /// - Parameters:
  ///   - scores: Boxes x classes.
  ///   - boxes: Boxes x 4: center x, center y, width, height.
  /// - Complexity: O(boxes x classes).
  package func find(
    scores: Span<Float>, boxes: Span<Float>, classCount: Int, _ rule: Rule
  ) throws(InvalidOutput) {
    let boxCount = boxes.count / 4
    precondition(boxes.count == boxCount * 4 && scores.count == boxCount * classCount)
    (core.count, core.survivor_count) = (0, 0)
    try scores.withUnsafeBufferPointer { scores throws(InvalidOutput) in
      try boxes.withUnsafeBufferPointer { boxes throws(InvalidOutput) in
        guard let scores = scores.baseAddress, let boxes = boxes.baseAddress else { return }
        let output = fov_scored_boxes(
          box_count: boxCount, class_count: classCount, scores: scores, boxes: boxes)
        let count = try find(output, rule)
        guard count > core.capacity else { return }
        try grow(to: count)
        _ = try find(output, rule)
      }
    }
  }

  /// Returns the number of candidates. If there is no room for that many, none are kept.
  private func find(
    _ output: fov_scored_boxes, _ rule: Rule
  ) throws(InvalidOutput) -> Int {
    var count = 0
    let allowed = rule.allowedClasses ?? []
    let complaint = allowed.withUnsafeBufferPointer { allowed in
      withUnsafePointer(to: output) { output in
        var rule = fov_candidate_rule(
          threshold: rule.threshold, every_class: rule.countsEveryClass,
          allowed: rule.allowedClasses == nil ? nil : allowed.baseAddress)
        return FoveaError.complaint { fov_candidates_find(&core, output, &rule, &count, $0) }
      }
    }
    if let complaint { throw InvalidOutput(message: complaint) }
    return count
  }

  // MARK: Suppression

  /// A candidate that suppression left.
  package struct Survivor: Hashable, Sendable {
    /// Which candidate it is.
    package var index: Int
    /// The part of its score that it keeps, in 0...1.
    package var share: Float
    /// The better candidate that overlaps it most, if one lowered its score.
    package var rival: Int?
  }

  /// Finds the survivors, greedy and soft.
  ///
  /// - Parameter turned: Boxes x 5 by the rows of candidates, where boxes are turned: what overlaps
  ///   is told by these (`fov_suppress_turned`).
  package func suppress(_ settings: SuppressionSettings, turned: Span<Float>? = nil) {
    var settings = settings.core
    guard let turned else { return fov_suppress(&core, &settings) }
    precondition(allSatisfy { ($0.row + 1) * 5 <= turned.count })
    turned.withUnsafeBufferPointer { turned in
      guard let start = turned.baseAddress else { return }
      fov_suppress_turned(&core, start, &settings)
    }
  }

  /// The probabilistic overlap of two rows of turned boxes, 0..<1.
  package static func overlap(ofTurned rows: Span<Float>, _ one: Int, _ other: Int) -> Double {
    precondition((0..<rows.count / 5).contains(one) && (0..<rows.count / 5).contains(other))
    return rows.withUnsafeBufferPointer { rows in
      guard let start = rows.baseAddress else { return 0 }
      return fov_turned_overlap(start + 5 * one, start + 5 * other)
    }
  }

  /// What the last suppression left, best first.
  package var survivors: some RandomAccessCollection<Survivor> {
    UnsafeBufferPointer(start: core.survivors, count: core.survivor_count).lazy.map {
      Survivor(
        index: Int($0.index), share: $0.share,
        rival: $0.rival == UInt32.max ? nil : Int($0.rival))
    }
  }

  /// Who removed a candidate in the last suppression: the best of those that stayed and overlap it too much. `nil`
  /// where it stayed itself.
  package func winner(over index: Int) -> Int? {
    precondition(indices.contains(index))
    let winner = core.winners[index]
    return winner == UInt32.max ? nil : Int(winner)
  }

  /// The box that a survivor becomes by box voting. O(candidates).
  package func votedBox(of index: Int, _ settings: SuppressionSettings) -> CornerBox {
    precondition(indices.contains(index))
    var settings = settings.core
    return CornerBox(fov_box_vote(&core, &settings, index))
  }
}

extension DetectionCandidates: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { core.count }

  package subscript(index: Int) -> Candidate {
    precondition(indices.contains(index))
    return Candidate(
      box: CornerBox(core.boxes[index]), classIndex: Int(core.classes[index]),
      score: core.scores[index], row: Int(core.rows[index]))
  }
}

extension CornerBox {
  fileprivate init(_ box: fov_box) {
    self.init(minX: box.min_x, minY: box.min_y, maxX: box.max_x, maxY: box.max_y)
  }
}

extension fov_box {
  fileprivate init(_ box: CornerBox) {
    self.init(min_x: box.minX, min_y: box.minY, max_x: box.maxX, max_y: box.maxY)
  }
}
