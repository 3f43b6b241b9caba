// Fovea - the page of an evaluation.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
package import FoveaEvaluation
internal import FoveaFiles
package import FoveaImaging

/// What an evaluation found, as a page: a verdict, tables, curves, and the pictures with the worst
/// mistakes.
package struct EvaluationPage {
  package var model: String
  package var backend: String
  package var metrics: DetectionMetrics
  /// Categories with their names, in the order of the table.
  package var names: [(id: Int, name: String)]
  package var entries: [ExaminedImage]
  /// Precision over recall, as SVG.
  package var curve: [UInt8]
  /// Names and values such as milliseconds and bytes.
  package var costs: [(name: String, value: String)]

  package init(
    model: String, backend: String, metrics: DetectionMetrics, names: [(id: Int, name: String)],
    entries: [ExaminedImage], curve: [UInt8], costs: [(name: String, value: String)]
  ) {
    (self.model, self.backend, self.metrics) = (model, backend, metrics)
    (self.names, self.entries, self.curve, self.costs) = (names, entries, curve, costs)
  }

  /// How many pictures are shown.
  private static let pictureCount = 20
  /// How many categories the matrix shows.
  private static let matrixSide = 24

  /// Writes the folder.
  ///
  /// - Parameter load: The file of an image.
  /// - Throws: `FileError`, or what `load` throws.
  package func write(
    to path: String, load: (String) throws -> ImageFile
  ) throws {
    var balance = ConfidenceBalance()
    for entry in entries { balance.add(objects: entry.objects, detections: entry.detections) }
    let best = balance.best()
    let confidence = best?.confidence ?? 0.25
    let judged = entries.map {
      ImageJudgement(objects: $0.objects, detections: $0.detections, confidence: confidence)
    }
    var counts = ConfusionCounts()
    for judgement in judged { counts.add(judgement) }

    var page = HTMLPage(title: "Evaluation of \(model)")
    page.add("<h1>\(HTMLPage.text(model)) <small>(\(HTMLPage.text(backend)))</small></h1>")
    page.add("<p class=\"verdict\">\(HTMLPage.text(verdict(best, counts)))</p>")
    page.add(tiles)
    var pictures = ReportPictures()
    let worst = try worstPictures(judged, &pictures, load)
    page.section(
      "Worst pictures",
      "Most is wrong in the first. Left what is there, right what was found with at least "
        + "\(Self.percent(confidence)): green is right, red is wrong.",
      worst.isEmpty
        ? "<p>No picture has a mistake.</p>"
        : "<div class=\"pictures\">\(worst.joined(separator: "\n"))</div>")
    page.section("Categories", "", categoryTable(counts))
    page.section(
      "Precision, recall and scores",
      "The bars are right and wrong detections by their confidence; the dashed line is the "
        + "confidence with the best balance of both.",
      "<div class=\"charts\">\(svgElement)"
        + ReportCharts.histogram(balance.histogram(20), confidence: best?.confidence) + "</div>")
    let shown = matrixNames(counts)
    page.section(
      "What is taken for what",
      "At that confidence. Overlaps of half or more are pairs, of one category first. "
        + (shown.count < names.count ? "The \(shown.count) categories with most mistakes." : ""),
      ReportCharts.matrix(counts, shown))
    try ReportFolder.write(page, pictures, to: path)
  }

  // MARK: Words

  private func verdict(_ best: ConfidenceBalance.Choice?, _ counts: ConfusionCounts) -> String {
    let objects = metrics.categories.reduce(0) { $0 + $1.objectCount }
    guard objects > 0 else { return "There are no objects in the \(metrics.imageCount) images." }
    guard let best else {
      return "None of the \(objects) objects in \(metrics.imageCount) images was found."
    }
    var text = "At a confidence of \(Self.percent(best.confidence)), which balances both best, "
    text += "\(Self.percent(best.recall)) of the \(objects) objects are found, and "
    text += "\(Self.percent(best.precision)) of what is found is right."
    let known = metrics.categories.filter { $0.objectCount > 0 }
    let ranked = known.sorted {
      ($0.averagePrecision(threshold: 0) ?? 0) > ($1.averagePrecision(threshold: 0) ?? 0)
    }
    if ranked.count > 1, let first = ranked.first, let last = ranked.last {
      text += " It knows \(name(first.category)) best, and \(name(last.category)) least."
    }
    return text
  }

  private var tiles: String {
    let summary = metrics.summary
    let numbers: [(String, String)] = [
      ("AP, overlaps 0.50 ... 0.95", Self.number(summary.averagePrecision)),
      ("AP50", Self.number(summary.averagePrecision50)),
      ("AP75", Self.number(summary.averagePrecision75)),
      ("images", "\(metrics.imageCount)"),
      ("objects", "\(metrics.categories.reduce(0) { $0 + $1.objectCount })"),
    ]
    return HTMLPage.tiles(numbers + costs.map { ($0.name, $0.value) })
  }

  // MARK: Tables

  private func categoryTable(_ counts: ConfusionCounts) -> String {
    let rows = metrics.categories.filter { $0.objectCount + $0.detectionCount > 0 }.map {
      category in
      [
        name(category.category), "\(category.objectCount)",
        Self.number(category.averagePrecision()),
        Self.number(category.averagePrecision(threshold: 0)),
        Self.number(category.averageRecall()),
        "\(counts.count(there: category.category, found: category.category))",
        "\(counts.count(there: category.category, found: nil))",
        "\(counts.total(found: category.category) - counts.count(there: category.category, found: category.category))",
      ]
    }
    return HTMLPage.table(
      [
        .text("category"), .number("objects"), .number("AP"), .number("AP50"), .number("AR100"),
        .number("right"), .number("missed"), .number("wrong"),
      ], rows)
  }

  /// Those with most mistakes, in the order of the list.
  func matrixNames(_ counts: ConfusionCounts) -> [(id: Int, name: String)] {
    func mistakes(_ id: Int) -> Int {
      counts.total(there: id) + counts.total(found: id) - 2 * counts.count(there: id, found: id)
    }
    let used = names.filter { counts.total(there: $0.id) + counts.total(found: $0.id) > 0 }
    let chosen = Set(
      used.map(\.id).sorted { mistakes($0) > mistakes($1) }.prefix(Self.matrixSide))
    return used.filter { chosen.contains($0.id) }
  }

  // MARK: Pictures

  private func worstPictures(
    _ judged: [ImageJudgement], _ pictures: inout ReportPictures,
    _ load: (String) throws -> ImageFile
  ) throws -> [String] {
    let order = judged.indices.filter { judged[$0].badness > 0 }
      .sorted { (judged[$1].badness, $0) < (judged[$0].badness, $1) }
    var figures: [String] = []
    for place in order.prefix(Self.pictureCount) {
      let judgement = judged[place]
      let elements = try pictures.add(
        try load(entries[place].path), [there(judgement), found(judgement)])
      figures.append(
        """
        <figure><div class="pair"><div><span>there</span>\(elements[0])</div>\
        <div><span>found</span>\(elements[1])</div></div>\
        <figcaption>\(caption(place, judgement))</figcaption></figure>
        """)
    }
    return figures
  }

  private func there(_ judgement: ImageJudgement) -> [ReportBox] {
    judgement.objects.map { ReportBox($0.box, name($0.category), .there) }
  }

  private func found(_ judgement: ImageJudgement) -> [ReportBox] {
    let right = Set(judgement.right.map(\.detection))
    let wrong = Set(judgement.invented + judgement.confused.map(\.detection))
    return judgement.detections.indices.reversed().filter {
      right.contains($0) || wrong.contains($0)
    }
    .map { rank in
      let detection = judgement.detections[rank]
      return ReportBox(
        detection.box, "\(name(detection.category)) \(Self.percent(detection.score))",
        right.contains(rank) ? .right : .wrong)
    }
  }

  private func caption(_ place: Int, _ judgement: ImageJudgement) -> String {
    var words: [String] = []
    for pair in judgement.confused {
      words.append(
        "\(name(judgement.objects[pair.object].category)) taken for "
          + name(judgement.detections[pair.detection].category))
    }
    let near = judgement.invented.compactMap { rank in
      judgement.nearMiss(rank).map {
        "\(name(judgement.detections[rank].category)) too far off (overlap "
          + "\(NumberText.fixed(($0 * 100).rounded(.down) / 100, digits: 2)))"
      }
    }
    words += near
    if !judgement.missed.isEmpty { words.append("\(judgement.missed.count) missed") }
    if !judgement.invented.isEmpty { words.append("\(judgement.invented.count) not there") }
    let file = FilePath.name(of: entries[place].path)
    return "<b>\(HTMLPage.text(file))</b>: "
      + HTMLPage.text(words.prefix(6).joined(separator: "; "))
  }

  // MARK: Numbers

  func name(_ category: Int) -> String {
    names.first { $0.id == category }?.name ?? "\(category)"
  }

  private var svgElement: String { ReportCharts.element(curve) }

  static func percent(_ value: Double) -> String { NumberText.fixed(100 * value, digits: 0) + " %" }

  static func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, digits: 4) } ?? "-"
  }
}
