// Fovea - tables, scales and codes of a layer.
// SPDX-License-Identifier: Apache-2.0

/// Finds tables, scales and codes of a layer.
///
/// A first table is the optimal one for the weights, each with the importance that the diagonal of H gives
/// it; codes are chosen with error feedback. Then scales, table and codes are refined in turn, each the best
/// for the other two, so that the error never grows.
struct LayerSolver {
  private let form: CodeForm
  /// How the file stores codes.
  private let storage: CodeStorage
  /// Rounds of refinement.
  var rounds = 4

  static let sweeps = 4

  private var kind: QuantizationOptions.Kind { form.kind }
  private var bits: Int { form.bits }

  init(_ layer: QuantizableLayer, _ form: CodeForm, rounds: Int = 4) {
    self.form = form
    storage = layer.storage
    self.rounds = rounds
  }

  func solve(_ problem: LayerProblem) -> LayerSolution {
    if kind == .linear, form.sharesScale || storage.hasIntegerZeros {
      return ZeroPointSolver(
        bits: bits, sharesScale: form.sharesScale, isHalf: storage.isHalf, rounds: rounds
      ).solve(problem)
    }
    var solution = refined(problem)
    if storage.isHalf {
      solution.levels = solution.levels.map { Double(HalfPrecision.rounded(Float($0))) }
      descend(problem, &solution)
    }
    return solution
  }

  private func refined(_ problem: LayerProblem) -> LayerSolution {
    var solution = start(problem)
    code(problem, &solution, withFeedback: true)
    guard problem.isScalable || problem.forms.contains(where: { $0.matrix != nil }) else {
      return solution
    }
    for _ in 0..<rounds {
      fitScales(problem, &solution)
      if kind == .table { fitTable(problem, &solution) }
      descend(problem, &solution)
    }
    fitScales(problem, &solution)
    return solution
  }

  private func descend(_ problem: LayerProblem, _ solution: inout LayerSolution) {
    for index in problem.rows.indices {
      RowCoding.descend(
        &solution.codes[index], problem.rows[index], solution.levels, solution.scales[index],
        problem.form(index), sweeps: Self.sweeps)
    }
  }

  // MARK: The start

  private func start(_ problem: LayerProblem) -> LayerSolution {
    let count = 1 << bits
    let codes = problem.rows.map { [UInt8](repeating: 0, count: $0.count) }
    if kind == .linear {
      let scales = problem.rows.map { row -> RowScale in
        let (least, greatest) = (row.min() ?? 0, row.max() ?? 0)
        let step = (greatest - least) / Double(count - 1)
        return RowScale(scale: step > 0 ? step : 1, offset: least)
      }
      return LayerSolution(levels: (0..<count).map(Double.init), scales: scales, codes: codes)
    }
    let scales = problem.rows.map { row -> RowScale in
      let power = row.reduce(0) { $0 + $1 * $1 } / Double(max(row.count, 1))
      return RowScale(scale: problem.isScalable && power > 0 ? power.squareRoot() : 1, offset: 0)
    }
    var values: [Float] = []
    var importance: [Double] = []
    for (index, row) in problem.rows.enumerated() {
      let form = problem.form(index)
      let factor = problem.importance[index] * scales[index].scale * scales[index].scale
      for (column, weight) in row.enumerated() {
        values.append(Float(weight / scales[index].scale))
        importance.append(factor * form.diagonal(column))
      }
    }
    let table =
      kind == .table
      ? OptimalTable.means(of: values, importance: importance, count: count)
      : OptimalTable.evenlySpaced(over: values, count: count)
    return LayerSolution(levels: table.map(Double.init), scales: scales, codes: codes)
  }

  private func code(
    _ problem: LayerProblem, _ solution: inout LayerSolution, withFeedback: Bool
  ) {
    for (index, row) in problem.rows.enumerated() {
      solution.codes[index] = RowCoding.withFeedback(
        row, solution.levels, solution.scales[index], problem.form(index))
    }
  }

  // MARK: Refinement

  private func fitScales(_ problem: LayerProblem, _ solution: inout LayerSolution) {
    guard kind == .linear || problem.isScalable else { return }
    for (index, row) in problem.rows.enumerated() {
      solution.scales[index] = RowCoding.fit(
        row, solution.codes[index], solution.levels, problem.form(index),
        old: solution.scales[index], fitsOffset: kind == .linear)
    }
  }

  /// The table with the least error for given codes and scales: normal equations over the entries.
  private func fitTable(_ problem: LayerProblem, _ solution: inout LayerSolution) {
    let count = solution.levels.count
    var matrix = [Double](repeating: 0, count: count * count)
    var right = [Double](repeating: 0, count: count)
    for (index, row) in problem.rows.enumerated() {
      let form = problem.form(index)
      let scale = solution.scales[index].scale
      let factor = problem.importance[index] * scale
      let codes = solution.codes[index]
      let applied = form.applied(to: row)
      for (column, code) in codes.enumerated() { right[Int(code)] += factor * applied[column] }
      guard let moments = form.matrix else {
        for code in codes { matrix[Int(code) * count + Int(code)] += factor * scale }
        continue
      }
      matrix.withUnsafeMutableBufferPointer { matrix in
        moments.withUnsafeBufferPointer { moments in
          for (column, code) in codes.enumerated() {
            let (start, entry) = (column * form.size, Int(code) * count)
            for (other, otherCode) in codes.enumerated() {
              matrix[entry + Int(otherCode)] += factor * scale * moments[start + other]
            }
          }
        }
      }
    }
    // Entries that nothing uses stay where they are.
    let mean = (0..<count).reduce(0) { $0 + matrix[$1 * count + $1] } / Double(count)
    for entry in 0..<count {
      matrix[entry * count + entry] += 1e-9 * mean
      right[entry] += 1e-9 * mean * solution.levels[entry]
    }
    guard mean > 0, let levels = InverseFactor.solve(matrix, right) else { return }
    let order = levels.indices.sorted { (levels[$0], $0) < (levels[$1], $1) }
    var place = [UInt8](repeating: 0, count: count)
    for (new, old) in order.enumerated() { place[old] = UInt8(truncatingIfNeeded: new) }
    solution.levels = order.map { levels[$0] }
    for index in solution.codes.indices {
      solution.codes[index] = solution.codes[index].map { place[Int($0)] }
    }
  }
}
