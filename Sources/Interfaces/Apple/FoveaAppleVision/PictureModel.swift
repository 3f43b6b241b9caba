// Fovea - what a model finds in a picture.
// SPDX-License-Identifier: Apache-2.0
package import CoreML
package import FoveaApple
package import FoveaGeometry
internal import FoveaModelValues
internal import FoveaRuntime
package import FoveaVision

/// How a model looks at a picture.
package struct PictureLook {
  package var input: String
  package var others: (any MLFeatureProvider)?
  package var region: NormalizedRect
  package var action: ImageCropAndScaleAction

  package init(
    input: String, others: (any MLFeatureProvider)?, region: CGRect,
    action: ImageCropAndScaleAction
  ) throws(VisionFailure) {
    (self.input, self.others, self.action) = (input, others, action)
    self.region = try NormalizedRect(regionOfInterest: region)
  }
}

/// What a model finds in a picture: objects, classes, or its outputs as they are.
package enum PictureFindings {
  case objects([RecognizedObjectObservation])
  case classes([(name: String, confidence: Float)])
  case pictures([(name: String, pixels: CVPixelBuffer)])
  case values([(name: String, value: MLFeatureValue)])
}

/// A model that reads a picture.
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

  package func findings(
    in picture: VisionImage, _ look: PictureLook
  ) throws -> PictureFindings {
    guard pictureInputs.contains(look.input) else {
      throw VisionFailure(
        .invalidModel,
        "the model has no picture '\(look.input)'; it has "
          + pictureInputs.map { "'\($0)'" }.joined(separator: ", "))
    }
    switch kind {
    case .objects(let request): return .objects(try objects(request, picture, look))
    case .classes:
      let values = try values(picture, look)
      let file = engine.model.specification
      let chances = values[file.predictedProbabilitiesName]?.dictionaryValue ?? [:]
      return .classes(
        chances.map { label, chance in (name: "\(label)", confidence: chance.floatValue) }
          .sorted { ($1.confidence, $0.name) < ($0.confidence, $1.name) })
    case .values:
      let values = try values(picture, look).sorted { $0.key < $1.key }
      let pictures = values.compactMap { name, value in
        value.imageBufferValue.map { (name: name, pixels: $0) }
      }
      if !pictures.isEmpty { return .pictures(pictures) }
      return .values(values.map { (name: $0.key, value: $0.value) })
    }
  }

  private func objects(
    _ request: DetectObjectsRequest, _ picture: VisionImage, _ look: PictureLook
  ) throws -> [RecognizedObjectObservation] {
    var request = request
    request.regionOfInterest = look.region
    request.cropAndScaleAction = look.action
    if let others = look.others, let stage = engine.model.suppression {
      let numbers = try engine.numbers(others)
      request.iouThreshold = numbers[stage.iouThresholdInputName]
      request.minimumConfidence = numbers[stage.confidenceThresholdInputName].map { Float($0) }
    }
    if case .file = picture.source { return try picture.handler().perform(request) }
    return try picture.withPlanes { planes in
      try request.result(
        onPlanes: planes, PlanesView(orientation: picture.orientation)
      ).observations
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
