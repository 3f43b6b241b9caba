// Fovea - a program as people write it: what is in a picture.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import ImageIO
import Vision

public final class PictureClassifier {
  let modelURL: URL
  private let done = DispatchSemaphore(value: 0)
  public private(set) var text = ""

  public init(modelURL: URL) { self.modelURL = modelURL }

  lazy var classificationRequest: VNCoreMLRequest = {
    do {
      let model = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
      let request = VNCoreMLRequest(
        model: model,
        completionHandler: { [weak self] request, error in
          self?.processClassifications(for: request, error: error)
        })
      request.imageCropAndScaleOption = .centerCrop
      return request
    } catch {
      fatalError("Failed to load Vision ML model: \(error)")
    }
  }()

  public func updateClassifications(for image: CGImage) -> String {
    let orientation = CGImagePropertyOrientation(rawValue: 1)!
    DispatchQueue.global(qos: .userInitiated).async {
      let handler = VNImageRequestHandler(cgImage: image, orientation: orientation)
      do {
        try handler.perform([self.classificationRequest])
      } catch {
        print("Failed to perform classification.\n\(error.localizedDescription)")
      }
    }
    done.wait()
    return text
  }

  func processClassifications(for request: VNRequest, error: Error?) {
    defer { done.signal() }
    guard let results = request.results else {
      text = "Unable to classify image.\n\(error!.localizedDescription)"
      return
    }
    let classifications = results as! [VNClassificationObservation]
    if classifications.isEmpty {
      text = "Nothing recognized."
    } else {
      let topClassifications = classifications.prefix(2)
      let descriptions = topClassifications.map { classification in
        String(
          format: "(%.2f) %@", classification.confidence, classification.identifier as NSString)
      }
      text = descriptions.joined(separator: "\n")
    }
  }
}
