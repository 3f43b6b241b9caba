// Fovea - which picture comes when.
// SPDX-License-Identifier: Apache-2.0

/// The order of pictures: each once in every pass, in an order of its own.
struct ViewOrder {
  private let count: Int
  private let seed: UInt64
  private var pass = -1
  private var order: [Int] = []

  init(count: Int, seed: UInt64) {
    (self.count, self.seed) = (count, seed)
  }

  /// The picture at a place of the whole run.
  mutating func picture(at place: Int) -> Int {
    if place / count != pass {
      pass = place / count
      var random = CounterRandom(seed, UInt64(pass), 0x0BDE)
      order = Array(0..<count)
      for index in order.indices.dropLast() {
        order.swapAt(index, index + random.place(count - index))
      }
    }
    return order[place % count]
  }
}
