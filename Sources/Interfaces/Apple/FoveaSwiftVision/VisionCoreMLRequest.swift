// Fovea - the request that runs a model, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
package import FoveaAppleVision
public import FoveaCoreML
internal import FoveaGeometry

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
    let request = VNCoreMLRequest(model: modelContainer.model)
    request.regionOfInterest = regionOfInterest.cgRect
    let look = PictureLook(
      input: modelContainer.inputImageFeatureName, others: modelContainer.model.featureProvider,
      region: try request.region(), action: cropAndScaleAction.engines)
    let found = picture.dated(try modelContainer.model.run.observations(in: picture, look))
    return found.compactMap { observation -> (any VisionObservation)? in
      switch observation {
      case let object as VNRecognizedObjectObservation:
        RecognizedObjectObservation(object, descriptor)
      case let name as VNClassificationObservation: ClassificationObservation(name, descriptor)
      case let value as VNCoreMLFeatureValueObservation:
        CoreMLFeatureValueObservation(value, descriptor)
      case let picture as VNPixelBufferObservation: PixelBufferObservation(picture, descriptor)
      default: nil
      }
    }
  }
}

extension ImageCropAndScaleAction {
  /// The same action by the name of the engine's type.
  fileprivate var engines: FoveaGeometry.ImageCropAndScaleAction {
    switch self {
    case .centerCrop: .centerCrop
    case .scaleToFit: .scaleToFit
    case .scaleToFill: .scaleToFill
    case .scaleToFitPlus90CCWRotation: .scaleToFitPlus90CCWRotation
    case .scaleToFillPlus90CCWRotation: .scaleToFillPlus90CCWRotation
    }
  }
}
