// Fovea - a layer's weights and what their errors cost.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A layer's weights as rows, one per output channel, and what their errors cost.
struct LayerProblem {
  /// The weights of each output channel.
  var rows: [[Double]]
  /// How errors of a row matter, by group of rows.
  var forms: [ErrorForm]
  /// How much the errors of a row count: the factor on its output before the next layer sees it, squared, or
  /// for scalable rows without statistics 1 / the power of the row.
  var importance: [Double]
  /// The mean of the input by group; `nil` where means are not corrected.
  var means: [[Double]]?
  /// Whether rows may be written at any positive scale.
  var isScalable: Bool

  /// The form of a row.
  func form(_ row: Int) -> ErrorForm { forms[row / (rows.count / forms.count)] }

  /// Prepares a layer; without statistics all its weights matter alike.
  init(_ layer: QuantizableLayer, statistics: ActivationStatistics?, scalesRows: Bool) {
    let channels = layer.layout.channelCount
    let size = layer.layout.count / max(channels, 1)
    rows = Self.rows(layer)
    let normalization = layer.normalization
    importance =
      normalization.map { $0.gain.map { Double($0) * Double($0) } }
      ?? [Double](repeating: 1, count: channels)
    if importance.allSatisfy({ $0 == 0 }) { importance = importance.map { _ in 1 } }
    isScalable = scalesRows && normalization != nil
    // Where something after the layer can take the mean of the error, only the rest matters.
    let corrects = statistics != nil && (normalization != nil || layer.bias != nil)
    guard let statistics, statistics.count > 0, statistics.size == size,
      channels % statistics.groups == 0
    else {
      forms = [ErrorForm(identity: size)]
      // The normalization makes all channels alike in size. Where each may have its own scale, a small
      // gain must not be an excuse for coarse weights: errors count as parts of the channel.
      if isScalable {
        importance = rows.map { row in 1 / max(RowCoding.dot(row, row), .leastNormalMagnitude) }
      }
      return
    }
    forms = (0..<statistics.groups).map {
      ErrorForm(moments: statistics.moments($0, centered: corrects), size: size)
    }
    if corrects { means = (0..<statistics.groups).map { statistics.mean($0) } }
  }

  /// Weights by output channel, whatever their order in the file.
  private static func rows(_ layer: QuantizableLayer) -> [[Double]] {
    let layout = layer.layout
    var rows = [[Double]](repeating: [], count: layout.channelCount)
    for (index, weight) in layer.weights.enumerated() {
      rows[index / layout.channelStride % layout.channelCount].append(Double(weight))
    }
    return rows
  }

  /// The error of codes as a part of what the layer writes: noise power / signal power.
  func noise(_ solution: LayerSolution) -> Double {
    var (noise, signal) = (0.0, 0.0)
    for (index, row) in rows.enumerated() {
      let form = form(index)
      noise += importance[index] * form.energy(solution.residual(index, row))
      signal += importance[index] * form.energy(row)
    }
    return signal > 0 ? noise / signal : 0
  }
}

/// Codes for the weights of a layer.
struct LayerSolution {
  /// Ascending levels that all rows share.
  var levels: [Double]
  var scales: [RowScale]
  var codes: [[UInt8]]
  /// The codes that stand for 0, one for each row, where offsets are multiples of scales.
  var zeros: [UInt8]?

  /// What row `index` loses.
  func residual(_ index: Int, _ row: [Double]) -> [Double] {
    RowCoding.residual(row, codes[index], levels, scales[index])
  }
}
