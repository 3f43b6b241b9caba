// Fovea - fovea text: reads the text in images.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaStills

/// Reads the text in images.
enum TextCommand: Subcommand {
  static let description = CommandDescription(
    name: "text", synopsis: "IMAGE... [OPTIONS]",
    summary: "Reads the text in images.",
    options: [
      .init(
        name: "--level", value: "NAME",
        help: "accurate reads again what was read badly; fast reads once, and with --recognizer in "
          + "integers and at two thirds of the width (default accurate)",
        choices: RecognizeTextRequest.RecognitionLevel.allCases.map(\.rawValue)),
      .init(
        name: "--language", value: "NAMES",
        help: "languages that Tesseract reads, the most likely first: eng+deu (default eng)"),
      .init(
        name: "--no-correction", help: "do not prefer words of the languages' dictionaries"),
      .init(name: "--word", value: "WORD", help: "a word to prefer", isRepeatable: true),
      .init(
        name: "--min-height", value: "0...1",
        help: "leave out lines lower than this fraction of the image's height (default 0)"),
      .init(
        name: "--recognizer", value: "FILE",
        help: "a network that reads lines in the place of Tesseract"),
      .init(
        name: "--dictionary", value: "FILE",
        help: "with --recognizer: its characters, one a line (default: those in its metadata)"),
      .init(
        name: "--detector", value: "FILE",
        help: "a network that finds lines in the place of Fovea's own way"),
      .draw,
    ] + StillRun.options,
    operandCount: 1...Int.max,
    notes: """
      Lines are found, turned and rectified; Tesseract reads them (packages libtesseract5 and
      tesseract-ocr-LANG), or a network. Networks are ONNX files of the kind of PP-OCR's.
      Images are JPEG, PNG or WebP files. When one image of several fails, the others are still done
      and the exit code is 1.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try StillRun(description, key: "lines", arguments)
    let draw = try DrawingOutput("--draw", arguments, images: run.images.count)
    let request = run.applied(to: try request(arguments))
    return try run.run(text: text) { picture, path in
      let found = try request.result(in: picture)
      try draw?.write(picture.image, named: path, boxes: found.map { .drawn($0) })
      return found.compactMap { LineReport($0, in: picture.fullSize) }
    }
  }

  private static func request(_ arguments: ArgumentList) throws -> RecognizeTextRequest {
    var request = RecognizeTextRequest()
    if let level = try arguments.choice("--level", RecognizeTextRequest.RecognitionLevel.self) {
      request.recognitionLevel = level
    }
    if let names = arguments.value("--language") {
      request.recognitionLanguages = names.split(separator: "+", omittingEmptySubsequences: false)
        .map(String.init)
    }
    request.usesLanguageCorrection = !arguments.has("--no-correction")
    request.customWords = arguments.values("--word")
    if let height = try arguments.fraction("--min-height") {
      request.minimumTextHeightFraction = Float(height)
    }
    try addNetworks(arguments, to: &request)
    return request
  }

  private static func addNetworks(
    _ arguments: ArgumentList, to request: inout RecognizeTextRequest
  ) throws {
    if let path = arguments.value("--recognizer") {
      for option in ["--language", "--no-correction", "--word"] where arguments.has(option) {
        throw UsageError("\(option) is for Tesseract; a network reads what it was trained for")
      }
      request.recognizer = try reporting(path) { () throws(StillError) in
        try TextRecognizer(contentsOf: path, dictionary: arguments.value("--dictionary"))
      }
    } else if arguments.has("--dictionary") {
      throw UsageError("--dictionary needs --recognizer")
    }
    if let path = arguments.value("--detector") {
      request.detector = try reporting(path) { () throws(StillError) in
        try TextDetector(contentsOf: path)
      }
    }
  }

  private static func reporting<Result>(
    _ path: String, _ body: () throws(StillError) -> Result
  ) throws -> Result {
    do throws(StillError) {
      return try body()
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  private static func text(_ lines: [LineReport]) -> String {
    lines.map { "  \($0.text)\n" }.joined()
  }
}

/// A line of text as JSON has it.
struct LineReport: Encodable {
  let text: String
  let confidence: Double
  let corners: CornersReport
  let words: [Word]

  /// A word.
  struct Word: Encodable {
    let text: String
    let corners: CornersReport
    let characters: [Character]
  }

  /// A character.
  struct Character: Encodable {
    let text: String
    let corners: CornersReport
  }

  /// A line of an image of `size`.
  init?(_ line: RecognizedTextObservation, in size: ImageSize) {
    guard let best = line.topCandidates(1).first else { return nil }
    text = best.string
    confidence = NumberText.rounded(Double(best.confidence), digits: 4)
    corners = CornersReport(line, in: size)
    words = best.words.map { word in
      Word(
        text: word.text, corners: CornersReport(word.quad, in: size),
        characters: word.characters.map {
          Character(text: $0.text, corners: CornersReport($0.quad, in: size))
        })
    }
  }
}
