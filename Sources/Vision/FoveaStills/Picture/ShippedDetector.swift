// Fovea - the detector that comes with Fovea, as requests on pictures use it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCodesAndText
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// The detector that comes with Fovea, loaded at first use.
enum ShippedDetector {
  /// All threads work on one picture.
  private static let whole = Result { () throws(DetectionError) in try request(.codesAndText) }
  /// Each picture has one thread.
  private static let alone = Result { () throws(DetectionError) in
    try request(.codesAndText, threadCount: 1)
  }
  /// Each picture has one thread, and numbers are integers of 8 bits.
  private static let fast = Result { () throws(DetectionError) in
    var options = Model.Options(backend: .int8)
    options.usesSyntheticImages = false
    return try request(.codesAndText(options: options), threadCount: 1)
  }

  private static func request(
    _ model: @autoclosure () throws(FoveaError) -> Model, threadCount: Int? = nil
  ) throws(DetectionError) -> DetectObjectsRequest {
    let (loaded, pool): (Model, ThreadPool?)
    do throws(FoveaError) {
      loaded = try model()
      pool = try threadCount.map { count throws(FoveaError) in try ThreadPool(threadCount: count) }
    } catch {
      throw .runtime(error)
    }
    var request = try DetectObjectsRequest(model: loaded, pool: pool)
    request.minimumConfidence = 0.05
    return request
  }

  /// What lies in an upright image, at a confidence of at least 0.05. Boxes are fractions of the image.
  ///
  /// - Throws: `.detection`.
  static func find(in image: Image) throws(StillError) -> [RecognizedObjectObservation] {
    try perform(whole, on: image, region: .fullImage)
  }

  /// What lies in a part of an upright image. Several parts can be looked at at the same time, each on
  /// the thread that asks. Boxes are fractions of the image.
  ///
  /// - Throws: `.detection`.
  static func find(
    in image: Image, region: NormalizedRect, isFast: Bool
  ) throws(StillError) -> [RecognizedObjectObservation] {
    try perform(isFast ? fast : alone, on: image, region: region)
  }

  private static func perform(
    _ request: Result<DetectObjectsRequest, DetectionError>, on image: Image, region: NormalizedRect
  ) throws(StillError) -> [RecognizedObjectObservation] {
    do throws(DetectionError) {
      var request = try request.get()
      request.regionOfInterest = region
      return try request.perform(on: image)
    } catch {
      throw .detection(error)
    }
  }
}
