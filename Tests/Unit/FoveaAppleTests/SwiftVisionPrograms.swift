// Fovea - programs as people write them for Vision's newer interface, in Swift 6.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Vision

/// Names what is in a picture.
func newerLabels(_ picture: URL, modelURL: URL) async throws -> [String] {
  let container = try CoreMLModelContainer(model: MLModel(contentsOf: modelURL))
  var request = CoreMLRequest(model: container)
  request.cropAndScaleAction = .centerCrop
  let results = try await request.perform(on: picture)
  return results.compactMap { $0 as? ClassificationObservation }
    .sorted { $0.confidence > $1.confidence }.map(\.identifier)
}

struct NewerDetector {
  let request: CoreMLRequest

  init(modelURL: URL) async throws {
    let model = try await MLModel.load(contentsOf: modelURL)
    request = CoreMLRequest(model: try CoreMLModelContainer(model: model, featureProvider: nil))
  }

  func boxes(
    _ image: CGImage, orientation: CGImagePropertyOrientation? = nil
  ) async throws -> [(label: String, confidence: Float, box: CGRect)] {
    let size = CGSize(width: image.width, height: image.height)
    let results = try await request.perform(on: image, orientation: orientation)
    return results.compactMap { $0 as? RecognizedObjectObservation }.map { object in
      (
        object.labels.first?.identifier ?? "", object.confidence,
        object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      )
    }
  }
}

/// The greatest score among the outputs of a network.
func newerGreatestScore(_ picture: Data, modelURL: URL) async throws -> Float? {
  let container = try CoreMLModelContainer(model: MLModel(contentsOf: modelURL))
  let observations = try await ImageRequestHandler(picture).perform(CoreMLRequest(model: container))
  for case let observation as CoreMLFeatureValueObservation in observations
  where observation.featureName == "confidence" {
    if let array = observation.featureValue.shapedArrayValue(of: Double.self) {
      return array.scalars.max().map { Float($0) }
    }
    return observation.featureValue.shapedArrayValue(of: Float.self)?.scalars.max()
  }
  return nil
}

/// Codes, rectangles and lines of one picture at once, and one after the other.
func newerPage(
  _ url: URL
) async throws -> (codes: [String], rectangles: Int, lines: [String], streamed: [String]) {
  let handler = ImageRequestHandler(url)
  var rectangles = DetectRectanglesRequest()
  rectangles.maximumObservations = 0
  var codes = DetectBarcodesRequest()
  codes.symbologies = [.qr, .ean13, .code128, .dataMatrix]
  var text = RecognizeTextRequest()
  text.recognitionLevel = .fast
  text.recognitionLanguages = [Locale.Language(identifier: "en-US")]
  let (foundCodes, foundRectangles, foundLines) = try await handler.perform(
    codes, rectangles, text)
  var streamed: [String] = []
  let requests: [any VisionRequest] = [codes, rectangles]
  for await result in handler.performAll(requests) {
    switch result {
    case .detectBarcodes(let request, let found):
      streamed.append("codes \(found.count) of \(request.symbologies.count) kinds")
    case .detectRectangles(_, let found): streamed.append("rectangles \(found.count)")
    case .error(let request, let error): streamed.append("\(request) failed: \(error)")
    default: streamed.append("something else")
    }
  }
  return (
    foundCodes.compactMap(\.payloadString), foundRectangles.count,
    foundLines.map { $0.topCandidates(1)[0].string }, streamed
  )
}
