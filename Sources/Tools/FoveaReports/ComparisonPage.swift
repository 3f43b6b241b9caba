// Fovea - the page of a comparison.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
package import FoveaEvaluation
internal import FoveaFiles
package import FoveaImaging

/// What two sides find in the same images, as a page: a verdict, the images on which they disagree
/// most, a table of all, and the layers that lose most.
package struct ComparisonPage {
  /// An image with what both sides find.
  package struct Entry: Sendable {
    package var path: String
    package var first: [DetectedObject]
    package var second: [DetectedObject]
    package var agreement: DetectionAgreement

    package init(
      path: String, first: [DetectedObject], second: [DetectedObject],
      agreement: DetectionAgreement
    ) {
      (self.path, self.first, self.second, self.agreement) = (path, first, second, agreement)
    }
  }

  /// What both sides are called.
  package var sides: (first: String, second: String)
  package var entries: [Entry]
  /// The agreement of all.
  package var total: DetectionAgreement
  /// Labels by the numbers of categories.
  package var labels: [Int: String]
  /// Layers with what each loses in decibels, the worst first; empty where nobody asked.
  package var layers: [(name: String, decibels: Double)]

  package init(
    sides: (first: String, second: String), entries: [Entry], total: DetectionAgreement,
    labels: [Int: String], layers: [(name: String, decibels: Double)]
  ) {
    (self.sides, self.entries, self.total) = (sides, entries, total)
    (self.labels, self.layers) = (labels, layers)
  }

  private static let pictureCount = 20

  /// Writes the folder.
  ///
  /// - Throws: `FileError`, or what `load` throws.
  package func write(to path: String, load: (String) throws -> ImageFile) throws {
    let agreements = entries.map(\.agreement)
    var page = HTMLPage(title: "Comparison of \(sides.first) and \(sides.second)")
    page.add("<h1>\(HTMLPage.text(sides.first)) and \(HTMLPage.text(sides.second))</h1>")
    page.add("<p class=\"verdict\">\(HTMLPage.text(verdict))</p>")
    if !layers.isEmpty {
      page.section(
        "Layers that lose most", "How far a layer's signal lies below the worst of what it reads.",
        HTMLPage.table(
          [.text("layer"), .number("lost dB")],
          layers.map { [$0.name, NumberText.fixed($0.decibels, digits: 1)] }))
    }
    let order = Self.order(agreements)
    var pictures = ReportPictures()
    let figures = try order.filter { agreements[$0].lostCount + agreements[$0].newCount > 0 }
      .prefix(Self.pictureCount).map { place in
        try figure(entries[place], &pictures, load)
      }
    page.section(
      "Images with most disagreement",
      "Green boxes have a partner of their label that they overlap by half or more. Red ones are "
        + "lost on the left, or new on the right.",
      figures.isEmpty
        ? "<p>Both sides find the same objects in every image.</p>"
        : "<div class=\"pictures\">\(figures.joined(separator: "\n"))</div>")
    page.section(
      "All images", "",
      Self.table(order.map { (entries[$0].path, agreements[$0]) } + [("all", total)]))
    try ReportFolder.write(page, pictures, to: path)
  }

  private var verdict: String {
    let first = total.matchedCount + total.lostCount
    guard first + total.newCount > 0 else {
      return "Neither side finds anything in \(entries.count) images."
    }
    var text =
      "Of \(first) objects that the first side finds in \(entries.count) images, the second "
    text +=
      "finds \(total.matchedCount), loses \(total.lostCount), and finds \(total.newCount) more."
    if let overlap = total.meanOverlap {
      text += " Pairs overlap by \(NumberText.fixed(overlap, digits: 3)) on average; the greatest "
      text += "difference of confidences is "
      text += NumberText.fixed(total.largestScoreDifference, digits: 3) + "."
    }
    return text
  }

  /// The images with most disagreement first.
  private static func order(_ agreements: [DetectionAgreement]) -> [Int] {
    func weight(_ place: Int) -> (Int, Double) {
      let agreement = agreements[place]
      return (agreement.lostCount + agreement.newCount, agreement.largestScoreDifference)
    }
    return agreements.indices.sorted { left, right in
      let (one, other) = (weight(left), weight(right))
      return one == other ? left < right : one > other
    }
  }

  private func figure(
    _ entry: Entry, _ pictures: inout ReportPictures, _ load: (String) throws -> ImageFile
  ) throws -> String {
    let pairs = DetectionAgreement.pairs(entry.first, entry.second)
    let (left, right) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
    func boxes(_ objects: [DetectedObject], _ paired: Set<Int>) -> [ReportBox] {
      objects.indices.reversed().map { place in
        let object = objects[place]
        let label = labels[object.category] ?? "\(object.category)"
        return ReportBox(
          object.box, "\(label) \(EvaluationPage.percent(object.score))",
          paired.contains(place) ? .right : .wrong)
      }
    }
    let elements = try pictures.add(
      try load(entry.path), [boxes(entry.first, left), boxes(entry.second, right)])
    let (name, agreement) = (FilePath.name(of: entry.path), entry.agreement)
    return """
      <figure><div class="pair"><div><span>\(HTMLPage.text(sides.first))</span>\(elements[0])</div>\
      <div><span>\(HTMLPage.text(sides.second))</span>\(elements[1])</div></div>\
      <figcaption><b>\(HTMLPage.text(name))</b>: \(agreement.matchedCount) pairs, \
      \(agreement.lostCount) lost, \(agreement.newCount) new</figcaption></figure>
      """
  }

  private static func table(_ rows: [(path: String, agreement: DetectionAgreement)]) -> String {
    HTMLPage.table(
      [
        .text("image"), .number("matched"), .number("lost"), .number("new"), .number("mean IoU"),
        .number("shift px"), .number("confidence"),
      ],
      rows.map { path, agreement in
        [
          FilePath.name(of: path), "\(agreement.matchedCount)",
          "\(agreement.lostCount)", "\(agreement.newCount)",
          EvaluationPage.number(agreement.meanOverlap),
          agreement.matchedCount > 0 ? NumberText.fixed(agreement.largestShift, digits: 2) : "-",
          EvaluationPage.number(agreement.meanScoreDifference),
        ]
      })
  }
}
