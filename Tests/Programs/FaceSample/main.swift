// Fovea - faces as command-line tools report them.
// SPDX-License-Identifier: Apache-2.0
//
// FOVEA_FACE_MODEL=MODEL FOVEA_FACE_LANDMARK_MODEL=MODEL FaceSample PICTURE
//
// Prints a line for every face: its box in pixels from the upper left, its roll in degrees, and what
// landmarks it has.
import Foundation
import ImageIO
import Vision

func fail(_ text: String) -> Never {
  FileHandle.standardError.write((text + "\n").data(using: .utf8)!)
  exit(EXIT_FAILURE)
}

guard CommandLine.arguments.count == 2 else { fail("usage: FaceSample PICTURE") }
let url = URL(fileURLWithPath: CommandLine.arguments[1])
guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
  let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
else { fail("cannot read \(url.path)") }

func report(_ face: VNFaceObservation) {
  let box = VNImageRectForNormalizedRect(face.boundingBox, image.width, image.height)
  let numbers = [box.minX, CGFloat(image.height) - box.maxY, box.width, box.height]
  let degrees = (face.roll?.doubleValue ?? 0) * 180 / .pi
  var line = numbers.map { String(Int($0.rounded())) }.joined(separator: " ")
  line += " roll \(Int(degrees.rounded()))"
  if let landmarks = face.landmarks, let leftEye = landmarks.leftEye {
    let points = leftEye.pointsInImage(imageSize: CGSize(width: image.width, height: image.height))
    line += " all \(landmarks.allPoints?.pointCount ?? 0)"
    line += " eye \(leftEye.pointCount)"
    if let first = points.first { line += " at \(Int(first.x)) \(image.height - Int(first.y))" }
  }
  print(line)
}

let faceRequest = VNDetectFaceRectanglesRequest { request, error in
  if let error = error { print("faces:", error.localizedDescription) }
}
let handler = VNImageRequestHandler(cgImage: image, orientation: .up, options: [:])
do {
  try handler.perform([faceRequest])
  guard let results = faceRequest.results, results.count > 0 else {
    print("no faces")
    exit(EXIT_SUCCESS)
  }
  for face in results { report(face) }
  let landmarksRequest = VNDetectFaceLandmarksRequest()
  landmarksRequest.inputFaceObservations = results
  try handler.perform([landmarksRequest])
  landmarksRequest.results?.forEach { report($0) }
} catch let error as NSError where error.domain == VNErrorDomain {
  if error.code == VNErrorCode.dataUnavailable.rawValue {
    fail("no model: \(error.localizedDescription)")
  }
  fail("\(error.code): \(error.localizedDescription)")
}
