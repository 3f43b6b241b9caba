// Fovea - codes of one row of weights.
// SPDX-License-Identifier: Apache-2.0

/// The numbers that codes of one row stand for: weight = scale * level[code] + offset.
struct RowScale: Equatable {
  var scale: Double
  var offset: Double
}

/// Chooses the codes of one row of weights.
enum RowCoding {
  /// The nearest level for every weight.
  static func nearest(_ row: [Double], _ levels: [Double], _ scale: RowScale) -> [UInt8] {
    levels.withUnsafeBufferPointer { levels in
      row.map {
        UInt8(
          truncatingIfNeeded: OptimalTable.nearest(($0 - scale.offset) / scale.scale, in: levels))
      }
    }
  }

  /// Codes with error feedback: weights get their levels one after another, and what each one loses is
  /// made up for by those that have none yet.
  ///
  /// GPTQ (Frantar, Ashkboos, Hoefler and Alistarh, "GPTQ: Accurate Post-Training Quantization for
  /// Generative Pre-trained Transformers", 2022), after Optimal Brain Quantization: with
  /// H^-1 = U^T U the error of weight j, divided by U[j][j], is taken from weights k > j in proportion to
  /// U[j][k]. Inputs with large moments go first.
  static func withFeedback(
    _ row: [Double], _ levels: [Double], _ scale: RowScale, _ form: ErrorForm
  ) -> [UInt8] {
    guard let factor = form.inverseFactor else { return nearest(row, levels, scale) }
    let size = form.size
    var rest = form.order.map { row[$0] }
    var codes = [UInt8](repeating: 0, count: size)
    levels.withUnsafeBufferPointer { levels in
      factor.withUnsafeBufferPointer { factor in
        rest.withUnsafeMutableBufferPointer { rest in
          for index in 0..<size {
            let code = OptimalTable.nearest((rest[index] - scale.offset) / scale.scale, in: levels)
            codes[form.order[index]] = UInt8(truncatingIfNeeded: code)
            let start = index * size
            let error =
              (rest[index] - scale.scale * levels[code] - scale.offset) / factor[start + index]
            for later in index + 1..<max(size, index + 1) {
              rest[later] -= error * factor[start + later]
            }
          }
        }
      }
    }
    return codes
  }

  /// Changes codes one at a time while that lessens the error of the row, in at most `sweeps` rounds.
  static func descend(
    _ codes: inout [UInt8], _ row: [Double], _ levels: [Double], _ scale: RowScale,
    _ form: ErrorForm, sweeps: Int
  ) {
    guard let matrix = form.matrix else {
      codes = nearest(row, levels, scale)
      return
    }
    let size = form.size
    var gradient = form.applied(to: residual(row, codes, levels, scale))
    matrix.withUnsafeBufferPointer { matrix in
      levels.withUnsafeBufferPointer { levels in
        gradient.withUnsafeMutableBufferPointer { gradient in
          for _ in 0..<sweeps {
            var isSettled = true
            for index in 0..<size {
              let start = index * size
              let curvature = matrix[start + index]
              let old = scale.scale * levels[Int(codes[index])] + scale.offset
              let wanted = old + gradient[index] / curvature
              let code = OptimalTable.nearest((wanted - scale.offset) / scale.scale, in: levels)
              let change = scale.scale * levels[code] + scale.offset - old
              // Ties and rounding must not go round in circles.
              let gain = change * (2 * gradient[index] - change * curvature)
              guard code != Int(codes[index]), gain > 1e-12 * curvature * change * change else {
                continue
              }
              codes[index] = UInt8(truncatingIfNeeded: code)
              isSettled = false
              for other in 0..<size { gradient[other] -= change * matrix[start + other] }
            }
            if isSettled { break }
          }
        }
      }
    }
  }

  /// What the codes lose.
  static func residual(
    _ row: [Double], _ codes: [UInt8], _ levels: [Double], _ scale: RowScale
  ) -> [Double] {
    zip(row, codes).map { $0 - scale.scale * levels[Int($1)] - scale.offset }
  }

  /// The scale with the least error for given codes; with `fitsOffset` the offset as well.
  static func fit(
    _ row: [Double], _ codes: [UInt8], _ levels: [Double], _ form: ErrorForm, old: RowScale,
    fitsOffset: Bool
  ) -> RowScale {
    let coded = codes.map { levels[Int($0)] }
    let applied = form.applied(to: coded)
    let (tt, tw) = (dot(applied, coded), dot(applied, row))
    guard tt > 0 else { return old }
    guard fitsOffset else {
      let scale = tw / tt
      return scale > 0 && scale.isFinite ? RowScale(scale: scale, offset: 0) : old
    }
    let ones = form.applied(to: [Double](repeating: 1, count: row.count))
    let (t1, w1) = (dot(ones, coded), dot(ones, row))
    let oo = ones.reduce(0, +)
    let determinant = tt * oo - t1 * t1
    guard determinant > 1e-9 * tt * oo else { return old }
    let scale = (tw * oo - t1 * w1) / determinant
    guard scale > 0, scale.isFinite else { return old }
    return RowScale(scale: scale, offset: (w1 - scale * t1) / oo)
  }

  static func dot(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
