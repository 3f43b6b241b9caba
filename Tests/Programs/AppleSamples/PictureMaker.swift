// Fovea - a program as people write it: a picture made of a picture.
// SPDX-License-Identifier: Apache-2.0
import CoreGraphics
import CoreImage
import CoreML
import ImageIO
import Vision

/// Runs a model that makes pictures, and writes what it made.
public func stylize(_ input: URL, with modelURL: URL, to output: URL) throws -> CGSize {
  let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: modelURL)))
  request.imageCropAndScaleOption = VNImageCropAndScaleOption.scaleFill
  guard let source = CGImageSourceCreateWithURL(input as CFURL, nil),
    let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
  else { throw CocoaError(.fileReadCorruptFile) }
  let handler = VNImageRequestHandler(ciImage: CIImage(cgImage: image))
  try handler.perform([request])
  guard let observation = request.results?.first as? VNPixelBufferObservation else { return .zero }
  let made = CIImage(cvPixelBuffer: observation.pixelBuffer)
  let context = CIContext()
  guard let result = context.createCGImage(made, from: made.extent),
    let destination = CGImageDestinationCreateWithURL(
      output as CFURL, "public.png" as CFString, 1, nil)
  else { return .zero }
  CGImageDestinationAddImage(destination, result, nil)
  return CGImageDestinationFinalize(destination) ? made.extent.size : .zero
}
