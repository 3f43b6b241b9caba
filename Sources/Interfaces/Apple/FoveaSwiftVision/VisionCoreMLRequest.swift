// Fovea - the request that runs a model, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import CoreML
internal import FoveaApple
package import FoveaAppleVision
public import FoveaGeometry

/// A model that reads a picture.
public struct CoreMLModelContainer: @unchecked Sendable {  // because nothing changes the model
  let model: VNCoreMLModel
  /// The input that takes the picture; the first one that can, unless it is changed.
  public var inputImageFeatureName: String

  /// - Throws: `VisionError.invalidModel` for a model that reads no picture.
  public init(model: MLModel, featureProvider: (any MLFeatureProvider)? = nil) throws {
    do {
      self.model = try VNCoreMLModel(for: model)
    } catch {
      throw VisionError.invalidModel(error.localizedDescription)
    }
    self.model.featureProvider = featureProvider
    inputImageFeatureName = self.model.inputImageFeatureName
  }
}

extension CoreMLModelContainer: Hashable {
  public static func == (left: CoreMLModelContainer, right: CoreMLModelContainer) -> Bool {
    left.model === right.model && left.inputImageFeatureName == right.inputImageFeatureName
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(model)) }
}

/// A request that runs a model. What it finds depends on the model: classes, objects, pictures, or
/// the outputs as they are.
public struct CoreMLRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [any VisionObservation]

  public let modelContainer: CoreMLModelContainer
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill
  public var regionOfInterest = NormalizedRect.fullImage
  public let revision: Revision

  public init(model: CoreMLModelContainer, _ revision: Revision? = nil) {
    modelContainer = model
    self.revision = revision ?? .revision1
  }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .coreMLRequest(revision) }
  /// The classes that the model knows; `nil` for a model without.
  public var supportedIdentifiers: [String]? { modelContainer.model.run.labels }

  package func found(in picture: VisionImage) throws -> [any VisionObservation] {
    let model = modelContainer.model
    let look = try PictureLook(
      input: modelContainer.inputImageFeatureName, others: model.featureProvider,
      region: regionOfInterest.cgRect, action: cropAndScaleAction)
    let time = picture.time
    return switch try model.run.findings(in: picture, look) {
    case .objects(let objects):
      objects.map { RecognizedObjectObservation($0, by: descriptor, at: time) }
    case .classes(let classes):
      classes.map {
        ClassificationObservation(
          sighting: Sighting($0.name, confidence: $0.confidence, by: descriptor, at: time))
      }
    case .pictures(let pictures):
      pictures.map { PixelBufferObservation($0.name, $0.pixels, by: descriptor, at: time) }
    case .values(let values):
      values.map { CoreMLFeatureValueObservation($0.name, $0.value, by: descriptor, at: time) }
    }
  }
}
