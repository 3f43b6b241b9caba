// Fovea - fovea-bench text: reading text, against the library alone.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaStills

/// Compares the request for text with Tesseract on the whole picture.
enum TextReadingCommand: Subcommand {
  static let description = CommandDescription(
    name: "text", synopsis: "[OPTIONS] IMAGE...",
    summary: "Compares the request for text with Tesseract alone.",
    options: [StillRounds.option] + BenchReport.options,
    operandCount: 1...Int.max,
    notes: """
      Tesseract alone looks for text anywhere in the whole picture, in the same process of its own.
      Times are those of decoded pictures, the least of all rounds. Characters that were read may be
      wrong; Scripts/checks/text counts those.
      """)

  /// What is compared.
  private enum Way: String, CaseIterable {
    case library = "Tesseract alone"
    case fast = "request, fast"
    case accurate = "request, accurate"

    /// How many characters are read.
    func count(in picture: StillPicture) throws(StillError) -> Int {
      var request = RecognizeTextRequest()
      switch self {
      case .library:
        let engine = try TesseractEngine(languages: ["eng"], usesDictionary: true)
        return try engine.words(in: picture.gray, .sparse).reduce(0) { $0 + $1.text.count }
      case .fast: request.recognitionLevel = .fast
      case .accurate: break
      }
      return try request.result(in: picture)
        .reduce(0) { $0 + ($1.topCandidates(1).first?.string.count ?? 0) }
    }
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let ways = Way.allCases
    return try StillRounds(subject: "characters", ways: ways.map(\.rawValue))
      .run(arguments) { way, picture in try ways[way].count(in: picture) }
  }
}
