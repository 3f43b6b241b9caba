// Fovea - what the numbers of a training run advise.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// What the numbers of a training run advise, the most useful first.
package struct TrainingAdvice: Sendable {
  /// A class with its boxes.
  package struct ClassNumbers: Sendable {
    package var name: String
    /// Boxes that were learned from.
    package var learned: Int
    /// Boxes that were measured on.
    package var measured: Int
    /// The average precision at an overlap of 0.50.
    package var precision: Double?

    package init(name: String, learned: Int, measured: Int, precision: Double?) {
      (self.name, self.learned, self.measured) = (name, learned, measured)
      self.precision = precision
    }
  }

  package var classes: [ClassNumbers] = []
  /// Average precision at an overlap of 0.50 on pictures that were learned from; `nil` if unknown.
  package var learnedPrecision: Double?
  /// The same on pictures that were not learned from.
  package var measuredPrecision: Double?
  package var measuredPictures = 0
  /// The same at each evaluation of the run.
  package var history: [(step: Int, precision: Double)] = []
  package var bestStep = 0
  package var steps = 0
  package var stoppedEarly = false
  /// The command that makes the run longer.
  package var resumption = ""
  /// Smaller files with what they lose.
  package var losses: [(name: String, loss: Double)] = []
  /// Labels that are doubted strongly.
  package var suspiciousLabels = 0
  /// The share of the boxes that the network sees with fewer than 8 pixels, and its side.
  package var smallShare = 0.0
  package var side = 0
  /// How views were composed; `nil` where pictures were labeled.
  package var composition: Composition?

  /// How views were composed of starters.
  package struct Composition: Sendable {
    /// Whether results are measured on composed pictures.
    package var isMeasured: Bool
    package var hasBackgrounds: Bool

    package init(isMeasured: Bool, hasBackgrounds: Bool) {
      (self.isMeasured, self.hasBackgrounds) = (isMeasured, hasBackgrounds)
    }
  }

  package init() {}

  /// The sentences.
  package var sentences: [String] {
    [
      withoutMeasurement, nothingFound, stillRising, gap, drawnBackgrounds, composedMeasurement,
      rarestClass, unmeasuredClasses, suspicions, smallObjects, loss, fewPictures,
    ].compactMap(\.self)
  }

  // MARK: Sentences

  private var withoutMeasurement: String? {
    measuredPictures > 0
      ? nil
      : "No pictures were left to measure on. Label at least five more, or name some with "
        + "--validation."
  }

  private var nothingFound: String? {
    guard let measuredPrecision, measuredPrecision < 0.01, !isRising else { return nil }
    return "Almost nothing is found. Train longer (\(resumption)), and see whether the boxes are "
      + "where they belong: fovea annotations draw."
  }

  /// Whether the last quarter of the run still brought something.
  private var isRising: Bool {
    guard !stoppedEarly, history.count >= 4, let last = history.last else { return false }
    let before = history.filter { 4 * $0.step <= 3 * last.step }.map(\.precision).max() ?? 0
    let late = history.filter { 4 * $0.step > 3 * last.step }.map(\.precision).max() ?? 0
    return late > before + 0.01 && 10 * bestStep >= 8 * steps
  }

  private var stillRising: String? {
    isRising ? "AP50 was still rising at the end. Go on with: \(resumption)" : nil
  }

  private var gap: String? {
    guard let learnedPrecision, let measuredPrecision, measuredPictures > 0,
      learnedPrecision > measuredPrecision + 0.2, learnedPrecision > 0.3
    else { return nil }
    guard composition == nil else {
      return "AP50 is \(text(learnedPrecision)) on composed pictures and "
        + "\(text(measuredPrecision)) on photographs: backgrounds from where it is to work help, "
        + "and more starters of a class, in a folder of its name."
    }
    return "AP50 is \(text(learnedPrecision)) on the pictures that were learned from and "
      + "\(text(measuredPrecision)) on others: more pictures help, not more minutes."
  }

  private var drawnBackgrounds: String? {
    guard let composition, !composition.hasBackgrounds else { return nil }
    return "Backgrounds were drawn. Pictures from where it is to work help much: --backgrounds."
  }

  private var composedMeasurement: String? {
    guard let composition, composition.isMeasured else { return nil }
    return "These numbers are of composed pictures. Photographs are harder: label some, and name "
      + "them with --validation."
  }

  private var rarestClass: String? {
    guard composition == nil, let rarest = classes.min(by: { $0.learned < $1.learned }) else {
      return nil
    }
    let best = classes.compactMap(\.precision).max() ?? 0
    let isWeak = (rarest.precision ?? 0) < best && 10 * rarest.learned < mostBoxes
    guard rarest.learned < 50 || isWeak else { return nil }
    let boxes = rarest.learned == 1 ? "1 box" : "\(rarest.learned) boxes"
    return "\(rarest.name): \(boxes); more pictures help most here."
  }

  private var mostBoxes: Int { classes.map(\.learned).max() ?? 0 }

  private var unmeasuredClasses: String? {
    let names = classes.filter { $0.measured == 0 }.map(\.name)
    guard measuredPictures > 0, !names.isEmpty else { return nil }
    return "Nothing tells how well these are found, since no picture to measure on has one: "
      + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and others." : ".")
  }

  private var suspicions: String? {
    guard suspiciousLabels > 0 else { return nil }
    return suspiciousLabels == 1
      ? "The detector doubts one label strongly: see the labels to look at."
      : "The detector doubts \(suspiciousLabels) labels strongly: see the labels to look at."
  }

  private var smallObjects: String? {
    guard smallShare > 0.1, side > 0 else { return nil }
    return "The network sees \(EvaluationPage.percent(smallShare)) of the boxes with fewer than "
      + "8 pixels. A larger input helps: --size \(side * 3 / 2 / 32 * 32)."
  }

  private var loss: String? {
    guard let worst = losses.max(by: { $0.loss < $1.loss }), worst.loss > 0.01 else { return nil }
    return "The \(worst.name) file loses \(text(worst.loss)) of AP: prefer another one."
  }

  private var fewPictures: String? {
    guard (1..<20).contains(measuredPictures) else { return nil }
    return "With \(measuredPictures) pictures to measure on, numbers may be off by a tenth. "
      + "Name more with --validation to know better."
  }

  private func text(_ value: Double) -> String { NumberText.fixed(value, digits: 2) }
}
