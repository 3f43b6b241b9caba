// Fovea - a layer's codes and what else changes with them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A layer's codes, and the bias or the normalization that takes up their scales and the mean of their
/// error.
struct CodedLayer {
  private(set) var replacements: [WeightAddress: WrittenWeights] = [:]
  /// Noise power / signal power.
  let noise: Double

  init(_ layer: QuantizableLayer, _ problem: LayerProblem, _ form: CodeForm) {
    let solver = LayerSolver(layer, form)
    var solution = solver.solve(problem)
    if problem.isScalable {
      solution.balanceScales()
      // Halves end at 65504: a layer that would go beyond keeps its scales.
      if !Self.fits(layer, problem, solution) {
        var unscaled = problem
        unscaled.isScalable = false
        solution = solver.solve(unscaled)
      }
    }
    noise = problem.noise(solution)
    replacements[layer.address] = Self.stored(solution, layer, form)
    replaceNeighbors(layer, problem, solution)
  }

  /// A bias as a table of 8 bits; `nil` where that is not smaller.
  static func codedBias(_ values: [Float], isHalf: Bool) -> WrittenWeights? {
    guard values.count + (4 << 8) + 16 < values.count * (isHalf ? 2 : 4) else { return nil }
    let table = OptimalTable.means(of: values, count: 1 << 8)
    return .table(
      bits: 8, table: padded(table, 1 << 8), codes: OptimalTable.codes(of: values, in: table))
  }

  // MARK: Codes in the order of the file

  private static func stored(
    _ solution: LayerSolution, _ layer: QuantizableLayer, _ form: CodeForm
  ) -> WrittenWeights {
    let layout = layer.layout
    var next = [Int](repeating: 0, count: layout.channelCount)
    var codes: [UInt8] = []
    codes.reserveCapacity(layout.count)
    for index in 0..<layout.count {
      let channel = index / layout.channelStride % layout.channelCount
      codes.append(solution.codes[channel][next[channel]])
      next[channel] += 1
    }
    let bits = form.bits
    guard form.kind == .linear else {
      return .table(
        bits: bits, table: padded(solution.levels.map(Float.init), 1 << bits), codes: codes)
    }
    let scales = solution.scales.map { Float($0.scale) }
    guard let zeros = solution.zeros else {
      return .linear(
        bits: bits, scale: scales, bias: solution.scales.map { Float($0.offset) }, codes: codes)
    }
    let count = form.sharesScale ? 1 : scales.count
    return .shifted(
      bits: bits, scale: Array(scales.prefix(count)), zero: Array(zeros.prefix(count)),
      codes: codes)
  }

  /// Entries that no code names are 0, as in the files of coremltools.
  private static func padded(_ table: [Float], _ count: Int) -> [Float] {
    table + [Float](repeating: 0, count: max(0, count - table.count))
  }

  // MARK: What takes up scales and means

  /// gamma and mean of a normalization after rows of w / scale with the given error.
  private static func normalization(
    _ old: FollowingNormalization, _ problem: LayerProblem, _ solution: LayerSolution
  ) -> (gamma: [Float], mean: [Float]) {
    var (gamma, mean) = (old.gamma, old.mean)
    for index in gamma.indices {
      let scale = problem.isScalable ? solution.scales[index].scale : 1
      let shift = meanError(index, problem, solution)
      gamma[index] = Float(Double(gamma[index]) * scale)
      mean[index] = Float((Double(mean[index]) - shift) / scale)
    }
    return (gamma, mean)
  }

  /// The mean of what the codes of a row take from its output.
  private static func meanError(
    _ index: Int, _ problem: LayerProblem, _ solution: LayerSolution
  ) -> Double {
    guard let means = problem.means else { return 0 }
    let group = index / (problem.rows.count / means.count)
    return RowCoding.dot(solution.residual(index, problem.rows[index]), means[group])
  }

  private static func fits(
    _ layer: QuantizableLayer, _ problem: LayerProblem, _ solution: LayerSolution
  ) -> Bool {
    guard let old = layer.normalization else { return true }
    let new = normalization(old, problem, solution)
    let bias = zip(layer.bias?.values ?? [], solution.scales).map { $0 / Float($1.scale) }
    func fits(_ values: [Float], _ isHalf: Bool) -> Bool {
      values.allSatisfy { $0.isFinite && (!isHalf || $0.magnitude <= HalfPrecision.greatest) }
    }
    return fits(new.gamma, old.isHalf.gamma) && fits(new.mean, old.isHalf.mean)
      && fits(bias, layer.bias?.isHalf == true)
  }

  private mutating func replaceNeighbors(
    _ layer: QuantizableLayer, _ problem: LayerProblem, _ solution: LayerSolution
  ) {
    if let old = layer.normalization, problem.isScalable || problem.means != nil {
      let new = Self.normalization(old, problem, solution)
      if problem.isScalable {
        replacements[old.address.sibling(15)] = .floats(new.gamma, isHalf: old.isHalf.gamma)
      }
      replacements[old.address.sibling(17)] = .floats(new.mean, isHalf: old.isHalf.mean)
    }
    guard let bias = layer.bias else { return }
    if problem.isScalable {
      let values = zip(bias.values, solution.scales).map { Float(Double($0) / $1.scale) }
      replacements[bias.address] = .floats(values, isHalf: bias.isHalf)
    } else if layer.normalization == nil, problem.means != nil {
      let values = bias.values.indices.map {
        Float(Double(bias.values[$0]) + Self.meanError($0, problem, solution))
      }
      replacements[bias.address] = .floats(values, isHalf: bias.isHalf)
    }
  }
}

extension LayerSolution {
  /// Takes the common factor of the scales into the table, so that weights and normalization keep their
  /// orders of magnitude.
  mutating func balanceScales() {
    let logarithms = scales.map { Binary.logarithm($0.scale) }
    let mean = (logarithms.reduce(0, +) / Double(max(scales.count, 1))).rounded()
    let factor = Double(sign: .plus, exponent: Int(mean), significand: 1)
    levels = levels.map { $0 * factor }
    scales = scales.map { RowScale(scale: $0.scale / factor, offset: $0.offset) }
  }
}

/// Powers of two without a mathematical library.
private enum Binary {
  /// The logarithm of a positive number to base 2, linear between powers of two.
  static func logarithm(_ value: Double) -> Double {
    Double(value.exponent) + Double(value.significand) - 1
  }
}

extension WrittenWeights {
  /// Values in the precision that they had.
  static func floats(_ values: [Float], isHalf: Bool) -> WrittenWeights {
    isHalf ? .float16(values) : .float32(values)
  }

  /// Values that are no codes.
  var floats: [Float] {
    switch self {
    case .float32(let values), .float16(let values): values
    case .table, .linear, .shifted: []
    }
  }
}
