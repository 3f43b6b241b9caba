// Fovea - bits for each layer within a number of bytes.
// SPDX-License-Identifier: Apache-2.0

/// Chooses bits for each layer such that the noise that all layers bring to the outputs is least within a number of bytes.
///
/// Every layer's choices are reduced to the lower convex hull of noise over bytes; then the step that takes
/// away most noise per byte is taken again and again. That is the optimum by Lagrange's method (Shoham
/// and Gersho, "Efficient bit allocation for an arbitrary set of quantizers", 1988).
struct BitAllocation {
  /// One way to store a layer; without bits as it is.
  private struct Choice {
    var bits: Int?
    var byteCount: Int
    var noise: Double
  }

  /// The choices of each layer, larger and better ones later.
  private let choices: [[Choice]]
  private let storedByteCounts: [Int]

  private static let leastBits = 2

  /// Finds the noise of all choices; `gains` says how much of a layer's noise counts.
  init(
    layers: [QuantizableLayer], problems: [LayerProblem], options: QuantizationOptions,
    gains: [Double]
  ) {
    storedByteCounts = layers.map(\.storedByteCount)
    choices = layers.indices.map { index in
      var choices = [Choice(bits: nil, byteCount: layers[index].storedByteCount, noise: 0)]
      let allowed = layers[index].storage.bits(options.kind).filter { $0 <= options.bits }
      for bits in allowed where bits >= min(Self.leastBits, options.bits) {
        let form = options.form(bits: bits)
        let byteCount = layers[index].codedByteCount(form)
        if !layers[index].isSmaller(form) { continue }
        let solution = LayerSolver(layers[index], form, rounds: 1).solve(problems[index])
        choices.append(
          Choice(
            bits: bits, byteCount: byteCount, noise: gains[index] * problems[index].noise(solution))
        )
      }
      // Weights stay as they are only where no code is smaller. In programs a small layer may need
      // far fewer bits for that than are allowed; then it may stay, too.
      let mayStay = layers[index].storage != .network && choices.last?.bits != allowed.last
      if choices.count > 1, !mayStay { choices.removeFirst() }
      return Self.hull(choices)
    }
  }

  /// The change of the file's size with the fewest bits everywhere, in bytes.
  var leastChange: Int {
    zip(choices, storedByteCounts).reduce(0) { $0 + $1.0[0].byteCount - $1.1 }
  }

  /// The bits of each layer, `nil` where it stays as it is, such that the file's size changes by at most
  /// `change` bytes; `nil` when that is too few.
  func bits(forChange change: Int) -> [Int?]? {
    var place = [Int](repeating: 0, count: choices.count)
    var left = change - leastChange
    guard left >= 0 else { return nil }
    while true {
      var best: (layer: Int, slope: Double)?
      for (layer, choices) in choices.enumerated() where place[layer] + 1 < choices.count {
        let (now, next) = (choices[place[layer]], choices[place[layer] + 1])
        let cost = next.byteCount - now.byteCount
        let slope = (now.noise - next.noise) / Double(cost)
        if cost <= left, slope > best?.slope ?? 0 { best = (layer, slope) }
      }
      guard let best else { return zip(choices, place).map { $0[$1].bits } }
      let choices = choices[best.layer]
      left -= choices[place[best.layer] + 1].byteCount - choices[place[best.layer]].byteCount
      place[best.layer] += 1
    }
  }

  /// The choices that no mixture of two others beats, in the order of their bytes.
  private static func hull(_ choices: [Choice]) -> [Choice] {
    var hull: [Choice] = []
    for choice in choices.sorted(by: { ($0.byteCount, $0.noise) < ($1.byteCount, $1.noise) }) {
      if let last = hull.last, choice.noise >= last.noise { continue }
      while hull.count >= 2 {
        let (first, second) = (hull[hull.count - 2], hull[hull.count - 1])
        let direct = (first.noise - choice.noise) / Double(choice.byteCount - first.byteCount)
        let step = (first.noise - second.noise) / Double(second.byteCount - first.byteCount)
        if step > direct { break }
        hull.removeLast()
      }
      hull.append(choice)
    }
    return hull
  }
}
