// Fovea - what the numbers of a run advise.
// SPDX-License-Identifier: Apache-2.0
import FoveaReports
import Testing

@Suite("Advice from the numbers of a run")
struct TrainingAdviceTests {
  /// A run about which there is nothing to say.
  private static var good: TrainingAdvice {
    var advice = TrainingAdvice()
    advice.classes = [
      .init(name: "cup", learned: 200, measured: 50, precision: 0.8),
      .init(name: "plate", learned: 300, measured: 70, precision: 0.7),
    ]
    (advice.learnedPrecision, advice.measuredPrecision) = (0.8, 0.75)
    advice.measuredPictures = 60
    advice.history = (1...20).map { ($0 * 10, 0.75 - 0.5 / Double($0 * $0)) }
    (advice.bestStep, advice.steps, advice.side) = (120, 200, 320)
    advice.resumption = "fovea train --resume Mine-run --minutes 40"
    return advice
  }

  private func sentences(_ change: (inout TrainingAdvice) -> Void) -> String {
    var advice = Self.good
    change(&advice)
    return advice.sentences.joined(separator: "\n")
  }

  @Test("Good numbers need no advice")
  func silence() { #expect(Self.good.sentences.isEmpty) }

  @Test("Each number that could be better gets its sentence, and no other")
  func each() {
    let changes: [((inout TrainingAdvice) -> Void, String)] = [
      ({ $0.classes[0].learned = 14 }, "cup: 14 boxes; more pictures help most here."),
      ({ $0.learnedPrecision = 0.98 }, "more pictures help, not more minutes"),
      ({ $0.measuredPictures = 7 }, "With 7 pictures to measure on"),
      ({ $0.measuredPictures = 0 }, "No pictures were left to measure on"),
      ({ $0.classes[1].measured = 0 }, "no picture to measure on has one: plate."),
      ({ $0.suspiciousLabels = 3 }, "doubts 3 labels strongly"),
      (
        { $0.composition = .init(isMeasured: true, hasBackgrounds: true) },
        "Photographs are harder: label some, and name them with --validation."
      ),
      (
        { $0.composition = .init(isMeasured: false, hasBackgrounds: false) },
        "Pictures from where it is to work help much: --backgrounds."
      ),
      ({ $0.smallShare = 0.3 }, "--size 480"),
      ({ $0.losses = [("half", 0.001), ("int8", 0.03)] }, "The int8 file loses 0.03 of AP"),
      (
        {
          $0.history = (1...20).map { ($0 * 10, 0.035 * Double($0)) }
          $0.bestStep = 200
        },
        "AP50 was still rising at the end. Go on with: fovea train --resume Mine-run --minutes 40"
      ),
      (
        {
          $0.history = $0.history.map { ($0.step, 0) }
          ($0.measuredPrecision, $0.learnedPrecision) = (0, 0)
        }, "Almost nothing is found"
      ),
    ]
    for (change, words) in changes {
      let text = sentences(change)
      #expect(text.contains(words), "\(text)")
      #expect(!text.contains("\n"), "\(text)")
    }
  }

  @Test("A run that stopped early is not to be made longer")
  func stopped() {
    let text = sentences {
      $0.history = (1...20).map { ($0 * 10, 0.035 * Double($0)) }
      $0.bestStep = 200
      $0.stoppedEarly = true
    }
    #expect(text.isEmpty, "\(text)")
  }
}
