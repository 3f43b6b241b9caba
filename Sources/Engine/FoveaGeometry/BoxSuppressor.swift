// Fovea - greedy non-maximum suppression in memory that is kept.
// SPDX-License-Identifier: Apache-2.0

/// Greedy non-maximum suppression that keeps its memory from one call to the next.
///
/// Candidates are sorted by score once, dealt into groups, and suppressed group by group, so that
/// a box meets only the boxes that it may lose against:
///
///     sorted    a3 b1 a7 c2 b4 a9        the letter is the group
///     groups    a3 a7 a9 | b1 b4 | c2    each in the order of the whole
///     kept      those that stay, in the order of the whole
package struct BoxSuppressor: Sendable {
  /// Indices of the boxes that stayed, by descending score, ties by ascending index.
  package private(set) var kept: [Int] = []

  private var order = ScoreOrder()
  private var groupEnds: [Int] = []
  /// Places in the order, group by group.
  private var ranks: [Int] = []
  /// For each place in the order the place of the box that removed it, or `stayed`.
  private var winners: [Int] = []
  /// The boxes of a group that stayed, and their places in the order.
  private var rivals = KeptBoxes()
  private var rivalRanks: [Int] = []

  private static let stayed = -1

  /// Creates a suppressor without memory.
  package init() {}

  /// Does what `nonMaximumSuppression` does and leaves the result in `kept`.
  ///
  /// - Parameters:
  ///   - groups: One per box, in 0..<groupCount: boxes of different groups do not compete. `nil`
  ///     puts all into one.
  package mutating func suppress(
    boxes: [CornerBox], scores: [Float], groups: [Int]?, groupCount: Int,
    confidenceThreshold: Double, iouThreshold: Double, maximumCount: Int? = nil
  ) {
    precondition(
      boxes.count == scores.count && boxes.count == groups?.count ?? boxes.count,
      "non-maximum suppression needs one score and one label per box")
    order.sort(scores, threshold: Float(confidenceThreshold))
    deal(groups, groupCount: groups == nil ? 1 : groupCount)
    winners.refill(Self.stayed, count: order.count)
    let threshold = iouThreshold < 0 ? 0 : iouThreshold
    var place = 0
    for end in groupEnds where place < end {
      rivals.removeAll()
      rivalRanks.removeAll(keepingCapacity: true)
      while place < end {
        let rank = ranks[place]
        if let winner = rivals.insert(boxes[order[rank]], unlessAbove: threshold) {
          winners[rank] = rivalRanks[winner]
        } else {
          rivalRanks.append(rank)
        }
        place += 1
      }
    }
    collect(atMost: max(0, maximumCount ?? .max))
  }

  /// Calls `body` with each box that the last call removed, best first, and with the box that removed
  /// it: the best of those that stayed and overlap it too much.
  package func forEachRemoved(_ body: (_ box: Int, _ winner: Int) -> Void) {
    for (rank, winner) in winners.enumerated() where winner != Self.stayed {
      body(order[rank], order[winner])
    }
  }

  /// Fills `ranks` and `groupEnds` by counting.
  private mutating func deal(_ groups: [Int]?, groupCount: Int) {
    groupEnds.refill(0, count: groupCount)
    ranks.refill(0, count: order.count)
    guard let groups else {
      for rank in ranks.indices { ranks[rank] = rank }
      groupEnds[0] = order.count
      return
    }
    for rank in ranks.indices { groupEnds[groups[order[rank]]] += 1 }
    var start = 0
    for group in groupEnds.indices {
      start += groupEnds[group]
      groupEnds[group] = start - groupEnds[group]
    }
    // Each start moves to the end of its group.
    for rank in ranks.indices {
      let group = groups[order[rank]]
      ranks[groupEnds[group]] = rank
      groupEnds[group] += 1
    }
  }

  private mutating func collect(atMost limit: Int) {
    kept.removeAll(keepingCapacity: true)
    for rank in winners.indices where winners[rank] == Self.stayed {
      if kept.count >= limit { return }
      kept.append(order[rank])
    }
  }
}

extension Array {
  /// Makes the array `count` times `element`, in the memory that it has if that is enough.
  mutating func refill(_ element: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(element, count: count))
  }
}
