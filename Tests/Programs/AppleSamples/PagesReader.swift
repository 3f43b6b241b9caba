// Fovea - a program as people write it: what stands on a page.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Vision

public struct PageReport {
  public var codes: [String] = []
  public var lines: [String] = []
  public var characterCount = 0
  public var rectangles: [CGRect] = []
}

/// Reads codes, text and rectangles of a picture in one call, as command-line tools do.
public func readPage(at url: URL, fast: Bool = false) throws -> PageReport {
  var report = PageReport()

  let barcodes = VNDetectBarcodesRequest { request, error in
    guard let results = request.results, error == nil else { return }
    for result in results {
      if let barcode = result as? VNBarcodeObservation, let payload = barcode.payloadStringValue {
        report.codes.append("\(barcode.symbology.rawValue): \(payload)")
      }
    }
  }
  barcodes.symbologies = [.qr, .ean13, .code128, .dataMatrix]

  let text = VNRecognizeTextRequest()
  text.recognitionLevel = fast ? VNRequestTextRecognitionLevel.fast : .accurate
  text.recognitionLanguages = ["en-US"]
  text.usesLanguageCorrection = true

  let characters = VNDetectTextRectanglesRequest()
  characters.reportCharacterBoxes = true

  let rectangles = VNDetectRectanglesRequest()
  rectangles.maximumObservations = 8
  rectangles.minimumConfidence = 0.6
  rectangles.minimumAspectRatio = 0.3

  let handler = VNImageRequestHandler(url: url, options: [:])
  try handler.perform([barcodes, text, characters, rectangles])

  if let observations = text.results {
    report.lines = observations.compactMap { $0.topCandidates(1).first?.string }
  }
  for observation in characters.results ?? [] {
    report.characterCount += observation.characterBoxes?.count ?? 0
  }
  report.rectangles = rectangles.results?.map { $0.boundingBox } ?? []
  return report
}

/// Where a word stands on a page: the corners of its box.
public func place(of word: String, in url: URL) throws -> VNRectangleObservation? {
  let request = VNRecognizeTextRequest()
  try VNImageRequestHandler(url: url).perform([request])
  for observation in request.results ?? [] {
    guard let candidate = observation.topCandidates(1).first,
      let range = candidate.string.range(of: word)
    else { continue }
    return try candidate.boundingBox(for: range)
  }
  return nil
}
