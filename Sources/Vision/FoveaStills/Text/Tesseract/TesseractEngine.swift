// Fovea - Tesseract with its languages, asked in a process of its own.
// SPDX-License-Identifier: Apache-2.0
internal import CTextReader
internal import FoveaLibc
internal import FoveaReader

/// Tesseract with its languages, asked in a process of its own.
package struct TesseractEngine: Hashable, Sendable {
  /// How a picture is cut into lines. The numbers are those of Tesseract.
  package enum Segmentation: UInt32, Sendable {
    /// One block of lines.
    case block = 6
    /// One line.
    case line = 7
    /// Text anywhere.
    case sparse = 11
  }

  /// The languages as Tesseract names them: "eng", "deu", "chi_sim".
  package var languages: [String]
  /// Whether words of the languages' dictionaries are preferred.
  package var usesDictionary: Bool
  /// Words that are preferred, too.
  package var customWords: [String]

  /// Longer than any picture takes.
  private static let secondsPerQuestion = 120.0

  private static let reader = IsolatedReader(fov_text_reader())

  /// An engine that has not been started.
  ///
  /// - Throws: `.invalidRequest` for languages or words that cannot be told to Tesseract.
  package init(
    languages: [String], usesDictionary: Bool, customWords: [String] = []
  ) throws(StillError) {
    self.languages = languages
    self.usesDictionary = usesDictionary
    self.customWords = customWords
    for word in customWords
    where word.isEmpty || word.contains(where: { $0.isNewline || $0 == "\0" }) {
      throw .invalidRequest(
        "customWords has \"\(word)\"; expected words of at least one character, without line ends")
    }
    if customWords.reduce(0, { $0 + $1.utf8.count + 1 }) > 60_000 {
      throw .invalidRequest("customWords is too long; at most 60,000 bytes can be used")
    }
  }

  /// The words in a picture of dark letters on light paper.
  ///
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.libraryFailed`.
  package func words(
    in picture: GrayImage, _ segmentation: Segmentation
  ) throws(StillError) -> [TesseractWord] {
    let parameters = parameters(width: picture.width, height: picture.height, segmentation)
    let answer: [UInt8]
    do throws(IsolatedReader.Failure) {
      answer = try Self.reader.ask(
        0, parameters: parameters, picture: picture.pixels, seconds: Self.secondsPerQuestion)
    } catch {
      throw StillError(error)
    }
    guard
      let words = TesseractWord.words(answer, width: picture.width, height: picture.height)
    else { throw .libraryFailed("Tesseract's process gave no valid answer") }
    return words
  }

  private func parameters(
    width: Int, height: Int, _ segmentation: Segmentation
  ) -> [UInt8] {
    // The process has no variables of this one.
    let folder = getenv("TESSDATA_PREFIX").map { String(cString: $0) } ?? ""
    let flags: UInt32 = usesDictionary ? 1 : 0
    var bytes = [UInt32(width), UInt32(height), segmentation.rawValue, flags].flatMap(\.bytes)
    let words = customWords.map { $0 + "\n" }.joined()
    for text in [languages.joined(separator: "+"), folder, words] {
      bytes += UInt32(text.utf8.count).bytes + Array(text.utf8)
    }
    return bytes
  }
}

extension UInt32 {
  /// The least significant byte first.
  fileprivate var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}

extension StillError {
  /// Why Tesseract gave no answer.
  fileprivate init(_ failure: IsolatedReader.Failure) {
    switch failure {
    case .refused(let words):
      let rest = String(words.dropFirst())
      switch words.first {
      case "T": self = .traitDisabled("Text")
      case "L":
        self = .libraryUnavailable(
          "Tesseract cannot be opened (\(rest)); install the package libtesseract5")
      case "D":
        let names = rest.split(separator: "+").map {
          "tesseract-ocr-" + String($0.map { $0 == "_" ? "-" : $0 }).lowercased()
        }
        self = .libraryUnavailable(
          "Tesseract has no data for the language \(rest); install the package"
            + " \(names.joined(separator: " ")), or name its folder in TESSDATA_PREFIX")
      default: self = .libraryFailed("Tesseract's process did not understand the question")
      }
    case .cannotStart: self = .libraryFailed("the process that runs Tesseract cannot be started")
    case .ended: self = .libraryFailed("Tesseract ended its process at this picture")
    case .late: self = .libraryFailed("Tesseract took more than two minutes for this picture")
    case .malformed: self = .libraryFailed("Tesseract's process gave no valid answer")
    }
  }
}
