// Fovea - requests on still pictures, by the names of Vision for Swift: text and faces.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaAppleVision
internal import FoveaStills

/// A request that finds lines of text without reading them.
public struct DetectTextRectanglesRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [TextObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  /// Whether boxes around characters are wanted.
  public var reportCharacterBoxes = false
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectTextRectanglesRequest(revision) }

  package func found(in picture: VisionImage) throws -> [TextObservation] {
    var request = FoveaStills.DetectTextRectanglesRequest()
    request.reportCharacterBoxes = reportCharacterBoxes
    return try picture.found(request, in: regionOfInterest.cgRect).map {
      TextObservation(Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request that reads text, line by line.
public struct RecognizeTextRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision3 = 3

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [RecognizedTextObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  public var recognitionLevel = RecognitionLevel.accurate
  /// The languages, the most likely one first. Tesseract needs the data of each.
  public var recognitionLanguages = [Locale.Language(identifier: "en-US")]
  public var usesLanguageCorrection = true
  /// Words that are preferred, with `usesLanguageCorrection`.
  public var customWords: [String] = []
  /// The least height of a line, as a fraction of the picture's; see `VNRecognizeTextRequest`.
  public var minimumTextHeightFraction: Float = 1 / 32
  /// No language is detected: those of `recognitionLanguages` are read either way.
  public var automaticallyDetectsLanguage = false
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .recognizeTextRequest(revision) }
  /// The languages whose data is installed, English first.
  public var supportedRecognitionLanguages: [Locale.Language] {
    FoveaStills.RecognizeTextRequest.installedLanguages.map { Locale.Language(identifier: $0) }
  }

  public enum RecognitionLevel: Hashable, Codable, Sendable, CaseIterable {
    case accurate, fast
  }

  package func found(in picture: VisionImage) throws -> [RecognizedTextObservation] {
    var request = FoveaStills.RecognizeTextRequest()
    request.recognitionLevel = recognitionLevel == .fast ? .fast : .accurate
    request.recognitionLanguages = recognitionLanguages.map { language in
      [language.languageCode?.identifier, language.script?.identifier, language.region?.identifier]
        .compactMap(\.self).joined(separator: "-")
    }
    request.usesLanguageCorrection = usesLanguageCorrection
    request.customWords = customWords
    if minimumTextHeightFraction > VNRecognizeTextRequest.promisedHeight {
      request.minimumTextHeightFraction = minimumTextHeightFraction
    }
    return try picture.found(request, in: regionOfInterest.cgRect).map {
      RecognizedTextObservation(
        sighting: Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request that finds faces, with a model that users name; see `VNDetectFaceRectanglesRequest`.
public struct DetectFaceRectanglesRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision3 = 3

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [FaceObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectFaceRectanglesRequest(revision) }

  package func found(in picture: VisionImage) throws -> [FaceObservation] {
    try picture.found(FaceModels.shared.faces(), in: regionOfInterest.cgRect).map {
      FaceObservation(
        sighting: Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request that finds landmarks of faces, with models that users name.
public struct DetectFaceLandmarksRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision3 = 3

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [FaceObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  /// The faces whose landmarks are wanted; `nil` for all that are found.
  public var inputFaceObservations: [FaceObservation]?
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectFaceLandmarksRequest(revision) }

  package func found(in picture: VisionImage) throws -> [FaceObservation] {
    let request = try FaceModels.shared.landmarks(
      of: inputFaceObservations?.map(\.sighting.value))
    return try picture.found(request, in: regionOfInterest.cgRect).map {
      FaceObservation(
        sighting: Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}
