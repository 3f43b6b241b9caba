// Fovea - the page of a training run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
package import FoveaEvaluation
internal import FoveaFiles
package import FoveaImaging

/// What came out of a training run, as one file: a verdict, advice, numbers and pictures.
package struct TrainingPage {
  /// A file that was written, with what it reaches.
  package struct Variant: Sendable {
    /// What its weights are, such as "half".
    package var name: String
    package var path: String
    package var metrics: DetectionMetrics
    package var byteCount: Int
    /// The mean of an image.
    package var milliseconds: Double

    package init(
      name: String, path: String, metrics: DetectionMetrics, byteCount: Int, milliseconds: Double
    ) {
      (self.name, self.path, self.metrics) = (name, path, metrics)
      (self.byteCount, self.milliseconds) = (byteCount, milliseconds)
    }
  }

  /// What the network sees of one picture or several.
  package struct View: Sendable {
    package var image: Image
    package var boxes: [ReportBox]

    package init(image: Image, boxes: [ReportBox]) { (self.image, self.boxes) = (image, boxes) }
  }

  /// The file with floats, measured on pictures that were not learned from.
  package var evaluation: EvaluationPage
  /// The confidence that the file holds.
  package var confidence: Double
  /// All files, that with floats first.
  package var variants: [Variant]
  /// Words about the run with their values.
  package var facts: [(name: String, value: String)]
  /// The boxes of each category that were learned from.
  package var learnedCounts: [Int: Int]
  /// What these counts are of.
  package var learnedWord = "Boxes"
  /// What results are measured on.
  package var measuredWord = "picture"
  /// Losses and precision over steps, as files of SVG.
  package var curves: [[UInt8]]
  package var views: [View]
  /// The images that suspicions speak of.
  package var examined: [ExaminedImage]
  package var suspicions: [LabelSuspicion]
  package var advice: [String]
  /// How to get the numbers again.
  package var command: String
  /// Where all suspicions stand.
  package var suspicionFiles: [String]

  package init(
    evaluation: EvaluationPage, confidence: Double, variants: [Variant],
    facts: [(name: String, value: String)], learnedCounts: [Int: Int], curves: [[UInt8]],
    views: [View], examined: [ExaminedImage], suspicions: [LabelSuspicion], advice: [String],
    command: String, suspicionFiles: [String]
  ) {
    (self.evaluation, self.confidence, self.variants) = (evaluation, confidence, variants)
    (self.facts, self.learnedCounts, self.curves) = (facts, learnedCounts, curves)
    (self.views, self.examined, self.suspicions) = (views, examined, suspicions)
    (self.advice, self.command, self.suspicionFiles) = (advice, command, suspicionFiles)
  }

  /// The page.
  ///
  /// - Parameter load: The file of an image.
  /// - Throws: `EvaluationError`, or what `load` throws.
  package func bytes(load: (String) throws -> ImageFile) throws -> [UInt8] {
    let mistakes = DetectionMistakes(evaluation.entries, confidence: confidence)
    var counts = ConfusionCounts()
    for judgement in mistakes.judgements { counts.add(judgement) }
    var pictures = ReportPictures(areEmbedded: true)
    var page = HTMLPage(title: "Training of \(evaluation.model)")
    page.add("<h1>\(HTMLPage.text(evaluation.model))</h1>")
    let totals = JudgementTotals(mistakes.judgements)
    page.add("<p class=\"verdict\">\(HTMLPage.text(verdict(totals)))</p>")
    page.add(tiles(totals))
    if !advice.isEmpty {
      page.section(
        "What to do next", "",
        "<ul>" + advice.map { "<li>\(HTMLPage.text($0))</li>" }.joined() + "</ul>")
    }
    page.section("Files", "Measured on the same pictures.", variantTable)
    page.section(
      "Classes",
      "\(learnedWord) that were learned from, and boxes that were measured on. Precision and recall are those at a confidence "
        + "of \(NumberText.fixed(confidence, digits: 3)), which the file holds.",
      classTable(counts))
    addCharts(to: &page)
    if !evaluation.entries.isEmpty {
      let shown = evaluation.matrixNames(counts)
      page.section(
        "What is taken for what", "At the same confidence. Overlaps of half or more are pairs.",
        ReportCharts.matrix(counts, shown))
      page.section(
        "Worst mistakes",
        "The worst of each kind in turn. Left what is labeled, right what was found.",
        try mistakeTable(mistakes) + mistakeFigures(mistakes, &pictures, load))
    }
    if !examined.isEmpty {
      page.section(
        "Labels to look at",
        "Where the detector doubts the labels of \(examined.count) pictures, also of those that it "
          + "has learned from. It is often wrong itself; the first lines are the most likely.",
        try suspicionFigures(&pictures, load) + suspicionTable)
    }
    page.section(
      "What the network sees first",
      "Views of the first steps with their boxes; gray ones are neither to be found nor missed.",
      try viewFigures(&pictures))
    page.section("The run", "", factTable)
    return page.bytes
  }

  // MARK: Words

  private func verdict(_ totals: JudgementTotals) -> String {
    let count = evaluation.entries.count
    guard count > 0 else {
      return "No pictures were kept to measure on, so nobody knows how good this detector is."
    }
    let pictures =
      count == 1 ? "one \(measuredWord) that was" : "\(count) \(measuredWord)s that were"
    guard totals.objectCount > 0 else {
      return "There are no objects in the \(pictures) not learned from."
    }
    let precision = EvaluationPage.number(evaluation.metrics.summary.averagePrecision50)
    var text = "On \(pictures) not learned from, AP50 is \(precision); at a confidence of "
    text += "\(NumberText.fixed(confidence, digits: 3)), \(totals.rightCount) of "
    text += "\(totals.objectCount) objects are found "
    text += "(recall \(EvaluationPage.percent(totals.recall ?? 0)))"
    if let precision = totals.precision {
      text += ", and \(EvaluationPage.percent(precision)) of what is found is right (precision)"
    }
    return text + "."
  }

  private func tiles(_ totals: JudgementTotals) -> String {
    let summary = evaluation.metrics.summary
    var tiles = [
      ("AP50", EvaluationPage.number(summary.averagePrecision50)),
      ("AP, overlaps 0.50 ... 0.95", EvaluationPage.number(summary.averagePrecision)),
      ("precision", totals.precision.map(EvaluationPage.percent) ?? "-"),
      ("recall", totals.recall.map(EvaluationPage.percent) ?? "-"),
      ("pictures measured on", "\(evaluation.entries.count)"),
      ("objects in them", "\(totals.objectCount)"),
    ]
    if let first = variants.first {
      tiles.append(("ms a picture", NumberText.fixed(first.milliseconds, digits: 1)))
      tiles.append(("MB", NumberText.fixed(Double(first.byteCount) / 1e6, digits: 2)))
    }
    return HTMLPage.tiles(tiles)
  }

  // MARK: Tables

  private var variantTable: String {
    HTMLPage.table(
      [
        .text("weights"), .text("file"), .number("AP"), .number("AP50"), .number("AP75"),
        .number("MB"), .number("ms a picture"),
      ],
      variants.map { variant in
        let summary = variant.metrics.summary
        return [variant.name, FilePath.name(of: variant.path)]
          + [
            summary.averagePrecision, summary.averagePrecision50, summary.averagePrecision75,
          ].map(EvaluationPage.number)
          + [
            NumberText.fixed(Double(variant.byteCount) / 1e6, digits: 2),
            NumberText.fixed(variant.milliseconds, digits: 1),
          ]
      })
  }

  private func classTable(_ counts: ConfusionCounts) -> String {
    let rows = evaluation.names.map { id, name in
      let metrics = evaluation.metrics.categories.first { $0.category == id }
      let right = counts.count(there: id, found: id)
      func share(_ all: Int) -> String {
        all > 0 ? EvaluationPage.percent(Double(right) / Double(all)) : "-"
      }
      return [
        name, "\(learnedCounts[id] ?? 0)", "\(metrics?.objectCount ?? 0)",
        EvaluationPage.number(metrics?.averagePrecision()),
        EvaluationPage.number(metrics?.averagePrecision(threshold: 0)),
        share(counts.total(found: id)), share(counts.total(there: id)),
        worstConfusion(of: id, counts),
      ]
    }
    return HTMLPage.table(
      [
        .text("class"), .number("learned from"), .number("measured on"), .number("AP"),
        .number("AP50"), .number("precision"), .number("recall"), .text("worst confusion"),
      ], rows)
  }

  private func worstConfusion(of id: Int, _ counts: ConfusionCounts) -> String {
    let others = evaluation.names.filter { $0.id != id }
      .map { (name: $0.name, count: counts.count(there: id, found: $0.id)) }
    if let worst = others.max(by: { $0.count < $1.count }), worst.count > 0 {
      return "taken for \(worst.name): \(worst.count)"
    }
    let missed = counts.count(there: id, found: nil)
    return missed > 0 ? "missed: \(missed)" : "-"
  }

  private var factTable: String {
    HTMLPage.table(
      [.text(""), .text("")], facts.map { [$0.name, $0.value] })
      + "<p>The same numbers again: <code>\(HTMLPage.text(command))</code></p>"
  }

  // MARK: Charts

  private func addCharts(to page: inout HTMLPage) {
    var charts = curves.map(ReportCharts.element)
    if !evaluation.entries.isEmpty {
      var balance = ConfidenceBalance()
      for entry in evaluation.entries {
        // What is below is by far the most, and would flatten all other bars.
        balance.add(
          objects: entry.objects, detections: entry.detections.filter { $0.score >= 0.05 })
      }
      charts.append(ReportCharts.element(evaluation.curve))
      charts.append(ReportCharts.histogram(balance.histogram(20), confidence: confidence))
    }
    guard !charts.isEmpty else { return }
    page.section(
      "Curves",
      "The bars are right and wrong detections by their confidence, from 0.05; the dashed line is "
        + "the confidence in the file.",
      "<div class=\"charts\">\(charts.joined(separator: "\n"))</div>")
  }
}
