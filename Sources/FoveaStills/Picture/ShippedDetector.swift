// Fovea - the detector that comes with Fovea, as requests on pictures use it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCodesAndText
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// The detector that comes with Fovea, loaded once at first use.
enum ShippedDetector {
  private static let request = Result { () throws(DetectionError) -> DetectObjectsRequest in
    let model: Model
    do throws(FoveaError) { model = try .codesAndText } catch { throw .runtime(error) }
    var request = try DetectObjectsRequest(model: model)
    request.minimumConfidence = 0.05
    return request
  }

  /// What lies in a part of an upright image, at a confidence of at least 0.05. Boxes are fractions of
  /// the image.
  ///
  /// - Throws: `.detection`.
  static func find(
    in image: Image, region: NormalizedRect = .fullImage
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
