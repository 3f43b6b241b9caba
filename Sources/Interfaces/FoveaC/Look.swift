// Fovea - one look of a model at a picture, for C programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaVision

/// One look of a model at a picture.
struct Look {
  let model: OpenModel
  let engine: RequestEngine
  let options: LookingOptions

  /// A request, and its settings, which are resolved once.
  struct Detection {
    let request: DetectObjectsRequest
    let settings: DetectionSettings
  }

  /// A wrong option is found here, before a file is read. Errors name the model, as those of the
  /// command do.
  func detection() throws(CallFailure) -> Detection {
    try naming(model.reference) { () throws(DetectionError) in
      var request = try engine.detectionRequest()
      options.apply(to: &request)
      return Detection(request: request, settings: try request.resolvedSettings())
    }
  }

  /// Errors name the model, as those of the command do.
  func classificationRequest() throws(CallFailure) -> ClassifyImageRequest {
    try naming(model.reference) { () throws(DetectionError) in
      var request = try engine.classificationRequest()
      options.apply(to: &request)
      return request
    }
  }

  func detect(
    _ detection: Detection, _ image: some ImageConvertible
  ) throws(DetectionError) -> FoundResult {
    FoundResult(
      try detection.request.result(
        on: image, orientation: options.orientation, settings: detection.settings),
      model.description)
  }

  func detect(
    _ detection: Detection, _ pixels: CallerPixels
  ) throws(DetectionError) -> FoundResult {
    FoundResult(
      try detection.request.result(
        onPixels: pixels.bytes.bytes, layout: pixels.layout,
        orientation: options.orientation ?? .up, settings: detection.settings),
      model.description)
  }

  func classify(
    _ request: ClassifyImageRequest, _ image: some ImageConvertible
  ) throws(DetectionError) -> FoundResult {
    FoundResult(
      try request.perform(on: image, orientation: options.orientation), model.description)
  }

  func classify(
    _ request: ClassifyImageRequest, _ pixels: CallerPixels
  ) throws(DetectionError) -> FoundResult {
    FoundResult(
      try request.perform(
        onPixels: pixels.bytes.bytes, layout: pixels.layout,
        orientation: options.orientation ?? .up), model.description)
  }

  /// Does what may fail; errors name the file.
  func naming<Result>(
    _ file: String?, _ body: () throws(DetectionError) -> Result
  ) throws(CallFailure) -> Result {
    do throws(DetectionError) {
      return try body()
    } catch {
      throw CallFailure(error).naming(file)
    }
  }
}
