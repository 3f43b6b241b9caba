// Fovea - the pictures on the page of a training run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFiles
internal import FoveaImaging

extension TrainingPage {
  /// How many mistakes are shown.
  private static let mistakeCount = 16
  /// How many suspicions are shown as pictures, and how many as lines.
  private static let suspicionCount = (pictures: 12, lines: 100)

  // MARK: Mistakes

  func mistakeTable(_ mistakes: DetectionMistakes) throws -> String {
    let now = evaluation.metrics.summary.averagePrecision50 ?? 0
    let categories = evaluation.metrics.categories.map(\.category)
    let rows = try DetectionMistake.Kind.allCases.map { kind in
      let count = mistakes.ofKind[kind]?.count ?? 0
      let repaired =
        count == 0 ? now : try mistakes.precision(repairing: kind, categories: categories) ?? now
      return [kind.rawValue, "\(count)", NumberText.fixed(max(repaired - now, 0), digits: 4)]
    }
    return HTMLPage.table(
      [.text("kind"), .number("mistakes"), .number("AP50 that they cost")], rows)
  }

  func mistakeFigures(
    _ mistakes: DetectionMistakes, _ pictures: inout ReportPictures,
    _ load: (String) throws -> ImageFile
  ) throws -> String {
    let figures = try mistakes.worst(Self.mistakeCount).map { mistake in
      let judgement = mistakes.judgements[mistake.image]
      let path = evaluation.entries[mistake.image].path
      let elements = try embed(
        path, [labeled(mistake, judgement), found(mistake, judgement)], &pictures, load)
      return HTMLPage.figure(
        [("labeled", elements[0]), ("found", elements[1])],
        caption: "<b>\(HTMLPage.text(mistake.kind.rawValue))</b>: "
          + HTMLPage.text(words(mistake, judgement) + ", " + FilePath.name(of: path)))
    }
    return figures.isEmpty
      ? "<p>No picture has a mistake.</p>"
      : "<div class=\"pictures medium\">\(figures.joined(separator: "\n"))</div>"
  }

  private func labeled(_ mistake: DetectionMistake, _ judgement: ImageJudgement) -> [ReportBox] {
    let others = judgement.objects.indices.filter { $0 != mistake.object }
      .map { ReportBox(judgement.objects[$0].box, "", .muted) }
    return others
      + (mistake.object.map {
        let object = judgement.objects[$0]
        return [ReportBox(object.box, evaluation.name(object.category), .there)]
      } ?? [])
  }

  private func found(_ mistake: DetectionMistake, _ judgement: ImageJudgement) -> [ReportBox] {
    let right = judgement.right.map {
      ReportBox(judgement.detections[$0.detection].box, "", .right)
    }
    let others = (judgement.confused.map(\.detection) + judgement.invented)
      .filter { $0 != mistake.detection }
      .map { ReportBox(judgement.detections[$0].box, "", .muted) }
    return right + others
      + (mistake.detection.map {
        let detection = judgement.detections[$0]
        return [ReportBox(detection.box, text(detection), .wrong)]
      } ?? [])
  }

  private func words(_ mistake: DetectionMistake, _ judgement: ImageJudgement) -> String {
    let object = mistake.object.map { judgement.objects[$0] }
    let detection = mistake.detection.map { judgement.detections[$0] }
    switch (object, detection) {
    case (let object?, let detection?):
      if object.category != detection.category {
        return "\(evaluation.name(object.category)) taken for \(text(detection))"
      }
      let overlap = object.box.intersectionOverUnion(with: detection.box)
      return "\(text(detection)), overlap \(NumberText.fixed(overlap, digits: 2))"
    case (let object?, nil):
      return "\(evaluation.name(object.category)), \(Self.size(of: object.box))"
    case (nil, let detection?): return text(detection)
    case (nil, nil): return ""
    }
  }

  private func text(_ detection: DetectedObject) -> String {
    "\(evaluation.name(detection.category)) \(EvaluationPage.percent(detection.score))"
  }

  private static func size(of box: PixelBox) -> String {
    "\(NumberText.fixed(box.width, digits: 0)) x \(NumberText.fixed(box.height, digits: 0)) pixels"
  }

  // MARK: Suspicions

  func suspicionFigures(
    _ pictures: inout ReportPictures, _ load: (String) throws -> ImageFile
  ) throws -> String {
    let figures = try suspicions.prefix(Self.suspicionCount.pictures).map { suspicion in
      let image = examined[suspicion.image]
      let labels = image.objects.filter { $0.box != suspicion.box }
        .map { ReportBox($0.box, "", $0.isCrowd ? .muted : .there) }
      let box = ReportBox(suspicion.box, words(suspicion), .wrong)
      let elements = try embed(image.path, [labels + [box]], &pictures, load)
      return HTMLPage.figure(
        [("", elements[0])],
        caption: "<b>\(HTMLPage.text(suspicion.kind.rawValue))</b>: "
          + HTMLPage.text(words(suspicion) + ", " + FilePath.name(of: image.path)))
    }
    return "<div class=\"pictures small\">\(figures.joined(separator: "\n"))</div>"
  }

  private func words(_ suspicion: LabelSuspicion) -> String {
    let label = evaluation.name(suspicion.category)
    let score = EvaluationPage.percent(suspicion.score)
    switch suspicion.kind {
    case .missingLabel: return "\(label) \(score)"
    case .otherClass:
      return "\(label), found as \(suspicion.found.map(evaluation.name) ?? "-") \(score)"
    case .nothingFound: return label
    }
  }

  var suspicionTable: String {
    if suspicions.isEmpty { return "<p>No label is suspicious.</p>" }
    let rows = suspicions.prefix(Self.suspicionCount.lines).enumerated().map { place, suspicion in
      let box = suspicion.box
      let numbers = [box.x, box.y, box.width, box.height].map { NumberText.fixed($0, digits: 0) }
      return [
        "\(place + 1)", FilePath.name(of: examined[suspicion.image].path),
        suspicion.kind.rawValue, evaluation.name(suspicion.category),
        suspicion.found.map(evaluation.name) ?? "-", numbers.joined(separator: ", "),
        NumberText.fixed(suspicion.score, digits: 3),
        NumberText.fixed(suspicion.suspicion, digits: 3),
      ]
    }
    let files = suspicionFiles.map { "<code>\(HTMLPage.text($0))</code>" }
    return HTMLPage.table(
      [
        .number(""), .text("file"), .text("what"), .text("class"), .text("found"),
        .text("x, y, width, height"), .number("confidence"), .number("suspicion"),
      ], rows)
      + "<p class=\"note\">The first \(rows.count) of \(suspicions.count). All stand in "
      + files.joined(separator: " and ") + ", which fovea annotations opens.</p>"
  }

  // MARK: Views

  func viewFigures(_ pictures: inout ReportPictures) throws -> String {
    let figures = try views.enumerated().map { place, view in
      let elements = try pictures.embed(
        "view \(place)", size: (view.image.width, view.image.height), [view.boxes]
      ) { view.image }
      return "<figure>\(elements[0])</figure>"
    }
    return "<div class=\"pictures small\">\(figures.joined(separator: "\n"))</div>"
  }

  private func embed(
    _ path: String, _ lists: [[ReportBox]], _ pictures: inout ReportPictures,
    _ load: (String) throws -> ImageFile
  ) throws -> [String] {
    let file = try load(path)
    return try pictures.embed(
      path, size: (file.header.uprightWidth, file.header.uprightHeight), lists
    ) {
      try file.decoded(reduction: .covering(width: 400, height: 400)).upright()
    }
  }
}
