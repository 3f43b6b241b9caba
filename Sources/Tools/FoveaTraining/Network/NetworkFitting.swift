// Fovea - a start that is fitted to the classes of a set.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaLibc

/// What became of the heads of a start.
package struct FittedHeads: Sendable {
  /// The classes of the set whose rows the start had.
  package var keptLabels: [String]
}

extension TrainableNetwork {
  /// Scores of objects before anything is learned: one box of a hundred.
  private static let firstBias = Float(-4.595)
  /// A score of almost 1, for the only class.
  private static let certainBias: Float = 12

  /// Fits the heads to classes. Rows of classes that the start knows are kept, others made anew.
  ///
  /// - Parameter anchors: Makes sizes for heads that are made anew.
  package mutating func fit(
    to wanted: [String], seed: UInt64, anchors: (Int) -> [AnchorHead.Side]
  ) -> FittedHeads {
    let known = wanted.map { labels.firstIndex(of: $0) }
    let kept = zip(wanted, known).filter { $1 != nil }.map(\.0)
    switch heads {
    case .anchors(let old):
      let isNew = kept.isEmpty
      heads = .anchors(
        isNew
          ? renewed(old, labels: wanted.count, seed, anchors)
          : remade(old, known, seed))
    case .distances(let heads):
      for head in heads {
        remake(head.labels, rows: known, fresh: Self.firstBias, seed)
      }
    }
    labels = wanted
    return FittedHeads(keptLabels: kept)
  }

  // MARK: Anchors

  /// Heads with new rows, whose centers reach into the cells beside their own.
  private mutating func renewed(
    _ old: [AnchorHead], labels: Int, _ seed: UInt64, _ anchors: (Int) -> [AnchorHead.Side]
  ) -> [AnchorHead] {
    let sides = anchors(old.reduce(0) { $0 + $1.anchors.count })
    // The finest grid finds the smallest boxes.
    let order = old.indices.sorted { area(old[$0].value) > area(old[$1].value) }
    var result = old
    var first = 0
    for place in order {
      let count = old[place].anchors.count
      result[place].anchors = Array(sides[first..<first + count])
      result[place].isSquared = true
      result[place].spread = 2
      first += count
      replace(old[place].value, outputs: count * (5 + labels), seed) { row in
        switch row % (5 + labels) {
        case 4: Self.firstBias
        case 5... where labels == 1: Self.certainBias
        case 5...: -log(Float(labels - 1))
        default: 0
        }
      }
      if labels == 1 { clearRows(old[place].value) { $0 % 6 == 5 } }
    }
    return result
  }

  private func area(_ value: Int) -> Int { sizes[value].height * sizes[value].width }

  /// Heads as they are, with the rows of other classes.
  private mutating func remade(
    _ heads: [AnchorHead], _ known: [Int?], _ seed: UInt64
  ) -> [AnchorHead] {
    let old = labels.count
    for head in heads {
      var rows: [Int?] = []
      for anchor in head.anchors.indices {
        let first = anchor * (5 + old)
        rows += (0..<5).map { first + $0 }
        rows += known.map { $0.map { first + 5 + $0 } }
      }
      remake(head.value, rows: rows, fresh: -2, seed)
    }
    return heads
  }

  // MARK: Rows

  /// Chooses rows of the convolution that makes a value; `nil` makes one anew.
  private mutating func remake(_ value: Int, rows: [Int?], fresh: Float, _ seed: UInt64) {
    guard case .convolution(let old) = nodes[value - 1].operation else { return }
    replace(value, outputs: rows.count, seed) { _ in fresh }
    guard case .convolution(var own) = nodes[value - 1].operation else { return }
    let length = old.weights.count / old.bias.count
    for (row, source) in rows.enumerated() {
      guard let source else { continue }
      own.weights.replaceSubrange(
        row * length..<(row + 1) * length,
        with: old.weights[source * length..<(source + 1) * length])
      own.bias[row] = old.bias[source]
    }
    let kept = rows.compactMap { $0 }
    own.stored = kept.count == rows.count ? old.stored?.rows(kept, length: length) : nil
    nodes[value - 1].operation = .convolution(own)
  }

  /// Makes all rows of a convolution anew.
  private mutating func replace(
    _ value: Int, outputs: Int, _ seed: UInt64, bias: (Int) -> Float
  ) {
    guard case .convolution(var own) = nodes[value - 1].operation else { return }
    let length = own.weights.count / own.bias.count
    var random = CounterRandom(seed, UInt64(value), 0x4EAD)
    own.geometry.output_channels = outputs
    own.stored = nil
    let deviation = 1 / Float(length).squareRoot() * 0.5
    own.weights = (0..<outputs * length).map { _ in deviation * Float(random.normal()) }
    own.bias = (0..<outputs).map(bias)
    nodes[value - 1].operation = .convolution(own)
    sizes[value].channels = outputs
  }

  private mutating func clearRows(_ value: Int, where isCleared: (Int) -> Bool) {
    guard case .convolution(var own) = nodes[value - 1].operation else { return }
    let length = own.weights.count / own.bias.count
    for row in own.bias.indices where isCleared(row) {
      for place in row * length..<(row + 1) * length { own.weights[place] = 0 }
    }
    nodes[value - 1].operation = .convolution(own)
  }

  /// Multiplies the learning rate of all layers but the last ones.
  mutating func setRate(ofOldLayers rate: Float) {
    let last = Set(heads.values)
    for place in nodes.indices where !last.contains(place + 1) {
      guard case .convolution(var own) = nodes[place].operation else { continue }
      own.rate = rate
      nodes[place].operation = .convolution(own)
    }
  }
}
