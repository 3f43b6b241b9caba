// Fovea - the pages about what was evaluated, compared and quantized.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaMeasurement
internal import FoveaPlots
internal import FoveaQuantization
internal import FoveaReports

extension EvaluationReport {
  /// The page about it.
  func page(_ entries: [ExaminedImage]) -> EvaluationPage {
    let model = run.map { FilePath.name(of: $0.model) } ?? ""
    var costs: [(name: String, value: String)] = []
    if let run {
      let sum = run.times.means.values.reduce(0, +)
      costs.append(("ms an image", NumberText.fixed(sum, digits: 1)))
      let bytes = FilePath.byteCount(below: run.model)
      costs.append(("MB of the model", NumberText.fixed(Double(bytes) / 1e6, digits: 2)))
    }
    return EvaluationPage(
      model: model, backend: run?.backend.rawValue ?? "", metrics: metrics,
      names: categories.map { ($0.id, $0.name ?? "\($0.id)") }, entries: entries,
      curve: plot(categories: []).svgBytes(), costs: costs)
  }
}

extension AgreementReport {
  /// The page about it.
  ///
  /// - Parameter found: What both sides found in each of its images.
  func page(
    _ found: [(first: [DetectedObject], second: [DetectedObject])], labels: [Int: String]
  ) -> ComparisonPage {
    let names = sides.map { "\(FilePath.name(of: $0.model)) (\($0.backend.rawValue))" }
    return ComparisonPage(
      sides: (names[0], names[1]),
      entries: zip(images, found).map {
        .init(path: $0.path, first: $1.first, second: $1.second, agreement: $0.agreement)
      }, total: total, labels: labels,
      layers: layers.map { LayerAgreement.worst($0).map { ($0.layer, $0.loss) } } ?? [])
  }
}

extension ModelQuantizer.Result {
  /// The page about it.
  func page(of path: String, byteCountBefore: Int) -> QuantizationPage {
    QuantizationPage(
      model: FilePath.name(of: path),
      layers: layers.map {
        .init(
          name: $0.name, type: $0.type, weightCount: $0.weightCount, bits: $0.bits,
          byteCount: $0.byteCount, noise: $0.noise)
      }, byteCounts: (byteCountBefore, byteCount))
  }
}
