// Fovea - requests that run a model.
// SPDX-License-Identifier: Apache-2.0
public import CoreML
internal import FoveaApple
internal import FoveaGeometry

public enum VNImageCropAndScaleOption: UInt, Sendable {
  case centerCrop = 0
  case scaleFit = 1
  case scaleFill = 2
  case scaleFitRotate90CCW = 0x101
  case scaleFillRotate90CCW = 0x102
}

public let VNCoreMLRequestRevision1 = 1

/// A model that reads a picture.
public final class VNCoreMLModel: NSObject {
  package let run: PictureModel
  /// The input that takes the picture; the first one that can, unless it is changed.
  public var inputImageFeatureName: String
  /// The values of other inputs.
  public var featureProvider: (any MLFeatureProvider)?

  /// - Throws: An error of `VNErrorDomain` with the code `invalidModel` for a model that reads no
  ///   picture.
  public init(for model: MLModel) throws {
    run = try VisionFailure.asNSError { try PictureModel(model) }
    inputImageFeatureName = run.pictureInputs[0]
    super.init()
  }
}

/// A request that runs a model.
open class VNCoreMLRequest: VNImageBasedRequest {
  public let model: VNCoreMLModel
  public var imageCropAndScaleOption = VNImageCropAndScaleOption.centerCrop

  public convenience init(model: VNCoreMLModel) {
    self.init(model: model, completionHandler: nil)
  }

  public init(model: VNCoreMLModel, completionHandler: VNRequestCompletionHandler? = nil) {
    self.model = model
    super.init(completionHandler: completionHandler)
  }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    let look = try PictureLook(
      input: model.inputImageFeatureName, others: model.featureProvider, region: regionOfInterest,
      action: ImageCropAndScaleAction(visionOption: imageCropAndScaleOption.rawValue)
        ?? .centerCrop)
    return switch try model.run.findings(in: picture, look) {
    case .objects(let objects): objects.map { VNRecognizedObjectObservation($0) }
    case .classes(let classes):
      classes.map { VNClassificationObservation(identifier: $0.name, confidence: $0.confidence) }
    case .pictures(let pictures):
      pictures.map { VNPixelBufferObservation(name: $0.name, pixelBuffer: $0.pixels) }
    case .values(let values):
      values.map { VNCoreMLFeatureValueObservation(name: $0.name, value: $0.value) }
    }
  }
}
