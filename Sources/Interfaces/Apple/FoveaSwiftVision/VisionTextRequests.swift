// Fovea - requests on still pictures, by the names of Vision for Swift: text and faces.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaAppleVision

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
    let request = VNDetectTextRectanglesRequest()
    request.reportCharacterBoxes = reportCharacterBoxes
    return try picture.found(request, regionOfInterest, as: VNTextObservation.self).map {
      TextObservation($0, descriptor)
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
    let names = (try? VNRecognizeTextRequest().supportedRecognitionLanguages()) ?? []
    return names.map { Locale.Language(identifier: $0) }
  }

  public enum RecognitionLevel: Hashable, Codable, Sendable, CaseIterable {
    case accurate, fast
  }

  package func found(in picture: VisionImage) throws -> [RecognizedTextObservation] {
    let request = VNRecognizeTextRequest()
    request.recognitionLevel = recognitionLevel == .fast ? .fast : .accurate
    request.recognitionLanguages = recognitionLanguages.map { language in
      [language.languageCode?.identifier, language.script?.identifier, language.region?.identifier]
        .compactMap(\.self).joined(separator: "-")
    }
    request.usesLanguageCorrection = usesLanguageCorrection
    request.customWords = customWords
    request.minimumTextHeight = minimumTextHeightFraction
    return try picture.found(request, regionOfInterest, as: VNRecognizedTextObservation.self)
      .map { RecognizedTextObservation($0, descriptor) }
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
    let request = VNDetectFaceRectanglesRequest()
    return try picture.found(request, regionOfInterest, as: VNFaceObservation.self).map {
      FaceObservation($0, descriptor)
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
    let request = VNDetectFaceLandmarksRequest()
    request.inputFaceObservations = inputFaceObservations?.map(\.older)
    return try picture.found(request, regionOfInterest, as: VNFaceObservation.self).map {
      FaceObservation($0, descriptor)
    }
  }
}
