// Fovea - a program as people write it: words for a picture.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Vision

public enum PictureTagger {
  /// The words of more than a confidence, and all that the network knows.
  public static func tags(
    _ url: URL, above confidence: VNConfidence
  ) throws -> (found: [String: VNConfidence], known: Int) {
    let handler = VNImageRequestHandler(url: url)
    let request = VNClassifyImageRequest()
    try handler.perform([request])
    guard let observations = request.results else { return ([:], 0) }
    let categories =
      observations
      .filter { $0.confidence > confidence }
      .reduce(into: [String: VNConfidence]()) { dict, observation in
        dict[observation.identifier] = observation.confidence
      }
    return (categories, try request.supportedIdentifiers().count)
  }
}
