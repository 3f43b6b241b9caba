// Fovea - linear codes of a layer, one of which stands for zero.
// SPDX-License-Identifier: Apache-2.0

/// Finds scales, zero points and codes of a layer: weight = scale * (code - zero), where the zero
/// point is a code itself.
///
/// A row's first scale spans its weights and 0. With calibration, codes are chosen with error feedback;
/// scales and codes are then refined in turn. Zero points stay.
struct ZeroPointSolver {
  var bits: Int
  /// Whether all rows have one scale and one zero point.
  var sharesScale: Bool
  /// Whether scales are stored as halves.
  var isHalf: Bool
  /// Rounds of refinement.
  var rounds: Int

  func solve(_ problem: LayerProblem) -> LayerSolution {
    var solution = start(problem)
    for (index, row) in problem.rows.enumerated() {
      solution.codes[index] = RowCoding.withFeedback(
        row, solution.levels, solution.scales[index], problem.form(index))
    }
    guard problem.forms.contains(where: { $0.matrix != nil }) else { return solution }
    for _ in 0..<rounds {
      fitScales(problem, &solution)
      for index in problem.rows.indices {
        RowCoding.descend(
          &solution.codes[index], problem.rows[index], solution.levels, solution.scales[index],
          problem.form(index), sweeps: LayerSolver.sweeps)
      }
    }
    return solution
  }

  private func start(_ problem: LayerProblem) -> LayerSolution {
    let greatest = (1 << bits) - 1
    var ranges = problem.rows.map { (min($0.min() ?? 0, 0), max($0.max() ?? 0, 0)) }
    if sharesScale {
      let range = (ranges.map(\.0).min() ?? 0, ranges.map(\.1).max() ?? 0)
      ranges = ranges.map { _ in range }
    }
    var zeros: [UInt8] = []
    let scales = ranges.map { low, high -> RowScale in
      let step = stored(high > low ? (high - low) / Double(greatest) : 1)
      let zero = min(max((-low / step).rounded(), 0), Double(greatest))
      zeros.append(UInt8(zero))
      return RowScale(scale: step, offset: -step * zero)
    }
    return LayerSolution(
      levels: (0...greatest).map(Double.init), scales: scales,
      codes: problem.rows.map { [UInt8](repeating: 0, count: $0.count) }, zeros: zeros)
  }

  /// The scales with the least error for given codes and zero points.
  private func fitScales(_ problem: LayerProblem, _ solution: inout LayerSolution) {
    var products: [(tt: Double, tw: Double)] = []
    for (index, row) in problem.rows.enumerated() {
      let zero = Int(solution.zeros?[index] ?? 0)
      let coded = solution.codes[index].map { Double(Int($0) - zero) }
      let applied = problem.form(index).applied(to: coded)
      let weight = sharesScale ? problem.importance[index] : 1
      products.append(
        (weight * RowCoding.dot(applied, coded), weight * RowCoding.dot(applied, row)))
    }
    if sharesScale {
      let sum = products.reduce((0, 0)) { ($0.0 + $1.tt, $0.1 + $1.tw) }
      products = products.map { _ in sum }
    }
    for (index, (tt, tw)) in products.enumerated() {
      let scale = stored(tw / tt)
      guard tt > 0, scale > 0, scale.isFinite else { continue }
      solution.scales[index] = RowScale(
        scale: scale, offset: -scale * Double(solution.zeros?[index] ?? 0))
    }
  }

  /// A scale as the file will have it; positive ones do not vanish.
  private func stored(_ scale: Double) -> Double {
    guard isHalf else { return Double(Float(scale)) }
    return scale > 0
      ? max(Double(HalfPrecision.rounded(Float(scale))), 0x1p-24)
      : Double(HalfPrecision.rounded(Float(scale)))
  }
}
