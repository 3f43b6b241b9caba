// Fovea - sorting scores, best first.
// SPDX-License-Identifier: Apache-2.0

/// Indices of scores by descending score, ties by ascending index, in memory that is kept.
struct ScoreOrder: Sendable {
  /// Above, the score as a key that ascends where scores descend; below, the index: no two are
  /// equal, and their ascending order is the order wanted.
  private var elements: [UInt64] = []
  private var spare: [UInt64] = []
  private var starts: [Int] = []

  /// The number of scores that reached the threshold.
  var count: Int { elements.count }

  /// The index of the score that is `rank`-th, 0 being the best.
  subscript(rank: Int) -> Int { Int(truncatingIfNeeded: elements[rank] & 0xFFFF_FFFF) }

  /// Sorts the scores that reach `threshold`; NaN does not.
  mutating func sort(_ scores: [Float], threshold: Float) {
    precondition(scores.count <= UInt32.max, "more scores than 32 bits can count")
    elements.removeAll(keepingCapacity: true)
    for (index, score) in scores.enumerated() where score >= threshold {
      // Adding 0 makes -0, which equals 0, the same key.
      let bits = (score + 0).bitPattern
      let descending = bits >> 31 == 0 ? ~bits & 0x7FFF_FFFF : bits
      elements.append(UInt64(descending) << 32 | UInt64(index))
    }
    if elements.count <= 64 {
      insertionSort()
    } else {
      // The index is in order already, and a stable sort leaves it so.
      for shift: UInt64 in [32, 43, 54] { sortByDigit(at: shift) }
    }
  }

  private mutating func insertionSort() {
    for end in elements.indices.dropFirst() {
      let element = elements[end]
      var place = end
      while place > 0, elements[place - 1] > element {
        elements[place] = elements[place - 1]
        place -= 1
      }
      elements[place] = element
    }
  }

  /// A stable sort by 11 bits.
  private mutating func sortByDigit(at shift: UInt64) {
    let digits = 1 << 11
    starts.refill(0, count: digits)
    spare.refill(0, count: elements.count)
    elements.withUnsafeBufferPointer { elements in
      spare.withUnsafeMutableBufferPointer { spare in
        starts.withUnsafeMutableBufferPointer { starts in
          for element in elements { starts[Int(element &>> shift) & (digits - 1)] &+= 1 }
          var start = 0
          for digit in 0..<digits {
            start &+= starts[digit]
            starts[digit] = start &- starts[digit]
          }
          for element in elements {
            let digit = Int(element &>> shift) & (digits - 1)
            spare[starts[digit]] = element
            starts[digit] &+= 1
          }
        }
      }
    }
    swap(&elements, &spare)
  }
}
