// Fovea - a program as people write it: pictures sorted by how alike they are.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Vision

public final class SimilarPictures {
  public init() {}

  func featureprintObservationForImage(atURL url: URL) -> VNFeaturePrintObservation? {
    let requestHandler = VNImageRequestHandler(url: url, options: [:])
    let request = VNGenerateImageFeaturePrintRequest()
    do {
      try requestHandler.perform([request])
      return request.results?.first as? VNFeaturePrintObservation
    } catch {
      print("Vision error: \(error)")
      return nil
    }
  }

  /// The pictures with their distances to the first one, the nearest first.
  public func ranked(_ originalURL: URL, _ others: [URL]) -> [(url: URL, distance: Float)] {
    guard let originalFPO = featureprintObservationForImage(atURL: originalURL) else { return [] }
    var ranking: [(url: URL, distance: Float)] = []
    for url in others {
      if let contestantFPO = featureprintObservationForImage(atURL: url) {
        do {
          var distance = Float(0)
          try contestantFPO.computeDistance(&distance, to: originalFPO)
          ranking.append((url, distance))
        } catch {
          print("Error computing distance between featureprints.")
        }
      }
    }
    return ranking.sorted { (a, b) -> Bool in a.distance < b.distance }
  }
}
