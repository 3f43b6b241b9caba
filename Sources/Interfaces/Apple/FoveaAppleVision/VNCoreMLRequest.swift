// Fovea - requests that run a model.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaCoreML
package import FoveaGeometry
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaVision

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
    do {
      run = try PictureModel(model)
    } catch {
      throw VisionFailure(error).nsError
    }
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
    let look = PictureLook(
      input: model.inputImageFeatureName, others: model.featureProvider, region: try region(),
      action: ImageCropAndScaleAction(visionOption: imageCropAndScaleOption.rawValue)
        ?? .centerCrop)
    return try model.run.observations(in: picture, look)
  }
}

/// How a model looks at a picture.
package struct PictureLook {
  package var input: String
  package var others: (any MLFeatureProvider)?
  package var region: NormalizedRect
  package var action: ImageCropAndScaleAction

  package init(
    input: String, others: (any MLFeatureProvider)?, region: NormalizedRect,
    action: ImageCropAndScaleAction
  ) {
    (self.input, self.others, self.region, self.action) = (input, others, region, action)
  }
}

/// A model that reads a picture, and what it finds: objects, classes, or its outputs as they are.
package final class PictureModel: @unchecked Sendable {  // because nothing in it changes
  package let pictureInputs: [String]
  private let engine: MLModelEngine
  private let kind: Kind

  private enum Kind {
    case objects(DetectObjectsRequest)
    case classes
    case values
  }

  package init(_ model: MLModel) throws {
    engine = model.engine
    pictureInputs = engine.model.inputs.filter { $0.image != nil }.map(\.name)
    guard !pictureInputs.isEmpty else {
      throw VisionFailure(
        .invalidModel,
        "\(engine.model.name) reads no picture; its inputs are "
          + engine.model.inputs.map { "'\($0.name)'" }.joined(separator: ", "))
    }
    if !engine.model.specification.predictedFeatureName.isEmpty {
      kind = .classes
    } else if engine.model.suppression != nil {
      kind = .objects(
        try DetectObjectsRequest(model: engine.model, pool: MLModelEngine.threads()))
    } else {
      kind = .values
    }
  }

  /// The classes or objects that the model knows.
  package var labels: [String]? { engine.model.classLabels }

  package func observations(
    in picture: VisionImage, _ look: PictureLook
  ) throws -> [VNObservation] {
    guard pictureInputs.contains(look.input) else {
      throw VisionFailure(
        .invalidModel,
        "the model has no picture '\(look.input)'; it has "
          + pictureInputs.map { "'\($0)'" }.joined(separator: ", "))
    }
    switch kind {
    case .objects(let request): return try objects(request, picture, look)
    case .classes:
      let values = try values(picture, look)
      let file = engine.model.specification
      let chances = values[file.predictedProbabilitiesName]?.dictionaryValue ?? [:]
      return chances.map { label, chance in
        VNClassificationObservation(identifier: "\(label)", confidence: chance.floatValue)
      }.sorted { ($1.confidence, $0.identifier) < ($0.confidence, $1.identifier) }
    case .values:
      let values = try values(picture, look).sorted { $0.key < $1.key }
      let pictures = values.compactMap { name, value in
        value.imageBufferValue.map { VNPixelBufferObservation(name: name, pixelBuffer: $0) }
      }
      if !pictures.isEmpty { return pictures }
      return values.map { VNCoreMLFeatureValueObservation(name: $0.key, value: $0.value) }
    }
  }

  private func objects(
    _ request: DetectObjectsRequest, _ picture: VisionImage, _ look: PictureLook
  ) throws -> [VNObservation] {
    var request = request
    request.regionOfInterest = look.region
    request.cropAndScaleAction = look.action
    if let others = look.others, let stage = engine.model.suppression {
      let numbers = try engine.numbers(others)
      request.iouThreshold = numbers[stage.iouThresholdInputName]
      request.minimumConfidence = numbers[stage.confidenceThresholdInputName].map { Float($0) }
    }
    let found: [RecognizedObjectObservation]
    if case .file = picture.source {
      found = try picture.handler().perform(request)
    } else {
      found = try picture.withPlanes { planes in
        try request.result(
          onPlanes: planes, PlanesView(orientation: picture.orientation)
        ).observations
      }
    }
    return found.map { object in
      VNRecognizedObjectObservation(
        CGRect(object.boundingBox), confidence: object.confidence,
        labels: object.labels.map {
          VNClassificationObservation(identifier: $0.identifier, confidence: $0.confidence)
        })
    }
  }

  /// The outputs for a picture that is sampled where it lies.
  private func values(
    _ picture: VisionImage, _ look: PictureLook
  ) throws -> [String: MLFeatureValue] {
    let (model, sessions) = try engine.sessions()
    let numbers = try look.others.map { try engine.numbers($0) } ?? [:]
    let outcome = try sessions.withSession { session, _ throws(DetectionError) in
      Result {
        for port in model.inputs {
          if port.name == look.input {
            try fill(session, port, picture, look)
          } else if let value = look.others?.featureValue(for: port.name) {
            try MLModelEngine.fill(session, port, value)
          } else {
            throw VisionFailure(
              .missingOption, "the input '\(port.name)' is missing; give it by featureProvider")
          }
        }
        session.run()
        return try model.outputs(of: session, numbers: numbers)
      }
    }
    return try ModelResults(model).values(of: outcome.get())
  }

  private func fill(
    _ session: Session, _ port: Model.Port, _ picture: VisionImage, _ look: PictureLook
  ) throws {
    try picture.withPlanes { planes in
      let geometry: ImageGeometry
      do throws(GeometryError) {
        geometry = try ImageGeometry(
          storedSize: planes.size, orientation: picture.orientation,
          regionOfInterest: look.region, cropAndScaleAction: look.action,
          modelSize: ImageSize(width: port.shape[1], height: port.shape[0]))
      } catch {
        throw VisionFailure(.invalidArgument, error.description)
      }
      try session.fill(
        port.name, from: planes, PlanesView(orientation: picture.orientation),
        geometry: geometry, filter: .bilinear)
    }
  }
}
