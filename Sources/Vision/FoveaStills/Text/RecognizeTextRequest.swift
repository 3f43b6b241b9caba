// Fovea - a request that reads the text in a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Reads the text in a picture, line by line. Vision's name is `VNRecognizeTextRequest`, too.
///
///     for line in try RecognizeTextRequest().perform(on: ImageFile(contentsOf: "receipt.jpg")) {
///       print(line.topCandidates(1)[0].string)
///     }
///
/// Fovea finds the lines, turns and rectifies them, and enlarges them where they are small. Tesseract
/// reads them in a process of its own, or a network that `recognizer` names.
public struct RecognizeTextRequest: StillRequest {
  /// How much is done to read well.
  public enum RecognitionLevel: String, CaseIterable, Hashable, Codable, Sendable {
    /// Lines that were read badly are read again, and pages upside down if they make no sense.
    case accurate
    /// Each line is read once. A `recognizer` sees lines narrower, and again at nearly the full width where
    /// it is not sure. It computes in integers of 8 bits, and so does the detector that looks for text.
    case fast
  }

  /// How much is done to read well.
  public var recognitionLevel = RecognitionLevel.accurate
  /// The languages that Tesseract reads, the most likely one first: "en-US", "de", or names of its
  /// data, "deu". Debian's packages are `tesseract-ocr-eng`, `tesseract-ocr-deu` and so on. A network
  /// reads those that it was trained for.
  public var recognitionLanguages = ["en-US"]
  /// Whether Tesseract prefers words of the languages' dictionaries.
  public var usesLanguageCorrection = true
  /// Words that Tesseract prefers, beside those of its dictionaries. They count only with
  /// `usesLanguageCorrection`, as in Vision. Tesseract weighs them lightly: they decide between
  /// readings that are nearly as likely.
  public var customWords: [String] = []
  /// The least height of a line's ink, as a fraction of the height of the picture; lower lines are left
  /// out. 0, the default, leaves out none. (Vision's default of 1/32 leaves out none either: it is the
  /// height from which it promises to read.)
  public var minimumTextHeightFraction: Float = 0
  /// A network that reads in the place of Tesseract; `nil`, the default, for Tesseract.
  public var recognizer: TextRecognizer?
  /// A network that finds lines; `nil`, the default, for Fovea's own way.
  public var detector: TextDetector?
  /// The part of the upright image to look at. Results are fractions of the full image all the same.
  public var regionOfInterest = NormalizedRect.fullImage

  /// A request with Vision's defaults.
  public init() {}

  /// The lines of text in a picture, in the order in which they are read.
  ///
  /// - Throws: `.invalidRequest`; without a `recognizer` also `.traitDisabled`, `.libraryUnavailable`
  ///   for Tesseract and the data of each language, `.libraryFailed`; `.detection` from networks.
  /// - Complexity: O(pixels of the picture), and some 20 ms for each line.
  public func result(
    in picture: StillPicture
  ) throws(StillError) -> [RecognizedTextObservation] {
    try picture.found { picture throws(StillError) in
      try lines(in: picture)
    } isFound: {
      !$0.isEmpty
    }
  }

  private func lines(
    in picture: StillPicture
  ) throws(StillError) -> [RecognizedTextObservation] {
    let part = try picture.part(regionOfInterest)
    let read: (_ groups: [TextGroup]) throws(StillError) -> [ReadLine]
    if let recognizer {
      if !customWords.isEmpty {
        throw .invalidRequest(
          "customWords needs Tesseract; the recognizer is a network, which knows no words")
      }
      read = { groups throws(StillError) in
        TextChoice.uncovered(
          try recognizer.read(groups.map(\.lines), of: part, level: recognitionLevel))
      }
    } else {
      let reading = TesseractReading(
        engine: try engine(), isAccurate: recognitionLevel == .accurate)
      read = { groups throws(StillError) in try reading.read(groups, of: part) }
    }
    let groups = try TextSearch(
      detector: detector, minimumHeightFraction: minimumTextHeightFraction, of: picture,
      isFast: recognizer != nil && recognitionLevel == .fast
    ).groups(in: part, isThorough: recognizer == nil && recognitionLevel == .accurate)
    return try read(groups).map { RecognizedTextObservation($0, in: part) }
  }

  private func engine() throws(StillError) -> TesseractEngine {
    guard !recognitionLanguages.isEmpty else {
      throw .invalidRequest("recognitionLanguages is empty; expected at least one language")
    }
    var languages: [String] = []
    for language in recognitionLanguages {
      let name = try TesseractLanguage.name(of: language)
      if !languages.contains(name) { languages.append(name) }
    }
    return try TesseractEngine(
      languages: languages, usesDictionary: usesLanguageCorrection,
      customWords: usesLanguageCorrection ? customWords : [])
  }
}
