// Fovea - what fovea compare prints.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaQuantization

/// How much two sides agree, image by image and in total.
struct AgreementReport {
  /// The two models with their backends.
  let sides: [(model: String, backend: Backend)]
  private(set) var images: [(path: String, agreement: DetectionAgreement)] = []
  private(set) var total = DetectionAgreement()
  /// Layer by layer; `nil` where nobody asked.
  var layers: [LayerAgreement]?

  init(sides: [(model: String, backend: Backend)]) { self.sides = sides }

  mutating func add(_ agreement: DetectionAgreement, of path: String) {
    images.append((path, agreement))
    total.add(agreement)
  }

  var text: String {
    let (hasMasks, hasPoints) = (total.masks.count > 0, total.largestPointShift != nil)
    var table = TextTable(
      [
        .left("image"), .right("matched"), .right("lost"), .right("new"), .right("mean IoU"),
        .right("shift px"), .right("confidence"), .right("most"),
      ] + (hasMasks ? [.right("mask IoU")] : []) + (hasPoints ? [.right("points px")] : []))
    for (name, agreement) in images.map({ (FilePath.name(of: $0.path), $0.agreement) })
      + [("all", total)]
    {
      var row = Self.row(name, agreement)
      if hasMasks { row.append(Self.cell(agreement.masks.mean, digits: 4)) }
      if hasPoints { row.append(Self.cell(agreement.largestPointShift, digits: 2)) }
      table.rows.append(row)
    }
    let names = sides.map { "\($0.model.printable) (\($0.backend.rawValue))" }
    return names.joined(separator: " and ") + "\n\n" + table.text()
      + (layers.map { "\n" + LayerAgreement.text(of: $0) } ?? "")
  }

  private static func cell(_ number: Double?, digits: Int) -> String {
    number.map { NumberText.fixed($0, digits: digits) } ?? "-"
  }

  private static func row(_ name: String, _ agreement: DetectionAgreement) -> [String] {
    let isMatched = agreement.matchedCount > 0
    return [
      name, "\(agreement.matchedCount)", "\(agreement.lostCount)", "\(agreement.newCount)",
      cell(agreement.meanOverlap, digits: 4),
      cell(isMatched ? agreement.largestShift : nil, digits: 2),
      cell(agreement.meanScoreDifference, digits: 4),
      cell(isMatched ? agreement.largestScoreDifference : nil, digits: 4),
    ]
  }
}

extension LayerAgreement {
  /// A table for people, and the names of the layers that lose most.
  fileprivate static func text(of layers: [Self]) -> String {
    var table = TextTable([
      .left("layer"), .left("operation"), .left("fused"), .left("output"), .right("dB"),
      .right("lost"),
    ])
    for layer in layers {
      table.rows.append([
        layer.layer, layer.operation, layer.activation, NumberText.shape(layer.outputShape),
        layer.noise == 0 ? "exact" : NumberText.fixed(layer.decibels, digits: 1),
        layer.loss > 0 ? NumberText.fixed(layer.loss, digits: 1) : "",
      ])
    }
    let worst = worst(layers).map {
      "\($0.layer.printable) (\(NumberText.fixed($0.loss, digits: 1)) dB)"
    }
    return table.text() + "\n"
      + (worst.isEmpty ? "no layer loses much" : "most is lost in " + worst.joined(separator: ", "))
      + "\n"
  }
}

/// The JSON document of `fovea compare`.
struct AgreementDocument: Encodable {
  /// The two models with their backends.
  var sides: [Side]
  var images: [Image]
  var total: Agreement
  /// In the order in which they run; absent unless asked for.
  var layers: [Layer]?
  /// The names of the layers that lose most, the worst first; absent unless asked for.
  var worstLayers: [String]?

  struct Side: Encodable {
    var model: String
    var backend: String
  }

  struct Image: Encodable {
    var image: String
    var agreement: Agreement
  }

  /// What one layer writes, compared.
  struct Layer: Encodable {
    var layer: String
    var operation: String
    var activation: String
    var shape: [Int]
    /// Absent where both sides write the same numbers, or the first writes zeros alone.
    var decibels: Double?
    /// Whether both sides write the same numbers.
    var isExact: Bool
    /// Decibels; absent where the first side writes zeros alone.
    var loss: Double?

    init(_ layer: LayerAgreement) {
      self.layer = layer.layer
      operation = layer.operation
      activation = layer.activation
      shape = layer.outputShape
      isExact = layer.noise == 0
      decibels = layer.decibels.isFinite ? NumberText.rounded(layer.decibels, digits: 4) : nil
      loss = layer.loss.isFinite ? NumberText.rounded(layer.loss, digits: 4) : nil
    }
  }

  /// Numbers about pairs are absent where there are none.
  struct Agreement: Encodable {
    var matched: Int
    var lost: Int
    var new: Int
    /// Of 0...1: pairs, divided by pairs and half of what has no partner.
    var share: Double
    var meanIoU: Double?
    var leastIoU: Double?
    /// Of the edge that moved most, in pixels.
    var meanShift: Double?
    var largestShift: Double?
    /// The second's less the first's.
    var meanConfidenceDifference: Double?
    /// Without its sign.
    var largestConfidenceDifference: Double?
    /// Of the masks of pairs.
    var meanMaskIoU: Double?
    var leastMaskIoU: Double?
    /// Of key points and corners, in pixels.
    var largestPointShift: Double?

    init(_ agreement: DetectionAgreement) {
      let isMatched = agreement.matchedCount > 0
      matched = agreement.matchedCount
      lost = agreement.lostCount
      new = agreement.newCount
      share = agreement.share
      meanIoU = agreement.meanOverlap
      leastIoU = isMatched ? agreement.leastOverlap : nil
      meanShift = agreement.meanShift
      largestShift = isMatched ? agreement.largestShift : nil
      meanConfidenceDifference = agreement.meanScoreDifference
      largestConfidenceDifference = isMatched ? agreement.largestScoreDifference : nil
      meanMaskIoU = agreement.masks.mean
      leastMaskIoU = agreement.masks.count > 0 ? agreement.masks.least : nil
      largestPointShift = agreement.largestPointShift
    }
  }

  init(_ report: AgreementReport) {
    sides = report.sides.map { Side(model: $0.model, backend: $0.backend.rawValue) }
    images = report.images.map { Image(image: $0.path, agreement: Agreement($0.agreement)) }
    total = Agreement(report.total)
    layers = report.layers?.map { Layer($0) }
    worstLayers = report.layers.map { LayerAgreement.worst($0).map(\.layer) }
  }
}
