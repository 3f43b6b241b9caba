// Fovea - requests that find text and read it.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaStills

public let VNRecognizeTextRequestRevision1 = 1
public let VNRecognizeTextRequestRevision2 = 2
public let VNRecognizeTextRequestRevision3 = 3

public enum VNRequestTextRecognitionLevel: Int, Sendable {
  case accurate, fast
}

public typealias VNRequestProgressHandler = (VNRequest, Double, (any Error)?) -> Void

/// A request that reads text, line by line.
public final class VNRecognizeTextRequest: VNImageBasedRequest {
  public var recognitionLevel = VNRequestTextRecognitionLevel.accurate
  /// The languages, the most likely one first. Tesseract needs the data of each.
  public var recognitionLanguages = ["en-US"]
  public var usesLanguageCorrection = true
  /// Words that are preferred, with `usesLanguageCorrection`.
  public var customWords: [String] = []
  /// The least height of a line, as a fraction of the picture's. Lines are left out where it is
  /// above the default, which is the height from which reading is promised.
  public var minimumTextHeight = VNRecognizeTextRequest.promisedHeight
  /// No language is detected: those of `recognitionLanguages` are read either way.
  public var automaticallyDetectsLanguage = false
  /// Called once, when all is read.
  public var progressHandler: VNRequestProgressHandler?

  package static let promisedHeight: Float = 1 / 32

  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  /// The languages whose data is installed, English first.
  public func supportedRecognitionLanguages() throws -> [String] {
    FoveaStills.RecognizeTextRequest.installedLanguages
  }

  /// The languages whose data is installed; levels and revisions all have the same.
  public class func supportedRecognitionLanguages(
    for recognitionLevel: VNRequestTextRecognitionLevel, revision requestRevision: Int
  ) throws -> [String] { FoveaStills.RecognizeTextRequest.installedLanguages }

  public var results: [VNRecognizedTextObservation]? { found as? [VNRecognizedTextObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = FoveaStills.RecognizeTextRequest()
    request.recognitionLevel = recognitionLevel == .fast ? .fast : .accurate
    request.recognitionLanguages = recognitionLanguages
    request.usesLanguageCorrection = usesLanguageCorrection
    request.customWords = customWords
    if minimumTextHeight > Self.promisedHeight {
      request.minimumTextHeightFraction = minimumTextHeight
    }
    let lines = try picture.found(request, in: regionOfInterest).map {
      VNRecognizedTextObservation($0)
    }
    progressHandler?(self, 1, nil)
    return lines
  }
}

/// A line of text that was read.
public final class VNRecognizedTextObservation: VNRectangleObservation {
  package let line: FoveaStills.RecognizedTextObservation
  private let candidates: [VNRecognizedText]

  init(_ line: FoveaStills.RecognizedTextObservation) {
    self.line = line
    candidates = line.topCandidates(10).map { VNRecognizedText($0) }
    super.init(Quadrilateral(line), confidence: line.confidence)
  }

  /// The best readings, at most 10, by falling confidence.
  public func topCandidates(_ maxCandidateCount: Int) -> [VNRecognizedText] {
    Array(candidates.prefix(max(0, maxCandidateCount)))
  }
}

/// What a line of text may say.
public final class VNRecognizedText: NSObject, NSCopying {
  private let text: FoveaStills.RecognizedText

  init(_ text: FoveaStills.RecognizedText) {
    self.text = text
    super.init()
  }

  public var string: String { text.string }
  public var confidence: VNConfidence { text.confidence }

  /// The least rectangle around a part of the text; `nil` where its place is not known.
  public func boundingBox(for range: Range<String.Index>) throws -> VNRectangleObservation? {
    text.boundingBox(for: range).map { VNRectangleObservation($0, confidence: confidence) }
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override var description: String { "\(string) confidence=\(confidence)" }
}

/// A request that finds lines of text without reading them.
public final class VNDetectTextRectanglesRequest: VNImageBasedRequest {
  /// Whether boxes around characters are wanted.
  public var reportCharacterBoxes = false

  public var results: [VNTextObservation]? { found as? [VNTextObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = FoveaStills.DetectTextRectanglesRequest()
    request.reportCharacterBoxes = reportCharacterBoxes
    return try picture.found(request, in: regionOfInterest).map { VNTextObservation($0) }
  }
}

/// A line of text that was not read.
public final class VNTextObservation: VNRectangleObservation {
  package let line: FoveaStills.TextObservation
  /// Around each character, from the left; `nil` unless the request asks for them.
  public let characterBoxes: [VNRectangleObservation]?

  init(_ line: FoveaStills.TextObservation) {
    self.line = line
    characterBoxes = line.characterBoxes?.map {
      VNRectangleObservation($0, confidence: line.confidence)
    }
    super.init(Quadrilateral(line), confidence: line.confidence)
  }
}
