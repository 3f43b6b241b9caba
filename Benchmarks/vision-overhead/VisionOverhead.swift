// Fovea - what the names of Vision cost: VNCoreMLRequest beside DetectObjectsRequest.
// SPDX-License-Identifier: Apache-2.0
internal import CoreML
internal import FoveaApple
internal import FoveaAppleVision
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVision

/// `VisionOverhead MODEL PICTURE [ROUNDS]`: a pixel buffer of the picture is looked at by both
/// requests in turn. Prints the least and the median time of each, and the median of the ratios.
@main enum VisionOverhead {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3,
      let image = CIImage(contentsOf: URL(fileURLWithPath: arguments[2]))
    else { fatalError("expected MODEL PICTURE [ROUNDS]") }
    let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 200 : 200
    var made: CVPixelBuffer?
    let (width, height) = (Int(image.extent.width), Int(image.extent.height))
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
    guard let buffer = made else { fatalError("no buffer of \(width) x \(height)") }
    CIContext().render(image, to: buffer)
    let request = VNCoreMLRequest(
      model: try VNCoreMLModel(for: MLModel(contentsOf: URL(fileURLWithPath: arguments[1]))))
    request.imageCropAndScaleOption = .scaleFill
    var own = try DetectObjectsRequest(
      model: Model(contentsOf: arguments[1]), pool: MLModelEngine.threads())
    own.cropAndScaleAction = .scaleToFill
    var (first, second): ([Double], [Double]) = ([], [])
    for round in 0..<rounds + 5 {
      let a = try seconds { try own.result(onPlanes: buffer.pixelPlanes!).observations.count }
      let b = try seconds {
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        return request.results?.count ?? -1
      }
      guard a.count == b.count else { fatalError("\(a.count) objects, \(b.count) by Vision") }
      if round >= 5 {
        first.append(a.time)
        second.append(b.time)
      } else if round == 0 {
        print("\(a.count) objects")
      }
    }
    let ratios = zip(first, second).map { $1 / $0 }.sorted()
    print("DetectObjectsRequest", words(first), "VNCoreMLRequest", words(second))
    print("median of the ratios \(ratios[ratios.count / 2])")
  }

  private static func seconds(_ body: () throws -> Int) rethrows -> (count: Int, time: Double) {
    let start = MonotonicClock.seconds()
    let count = try body()
    return (count, MonotonicClock.seconds() - start)
  }

  private static func words(_ times: [Double]) -> String {
    let sorted = times.sorted()
    return "min \(sorted[0] * 1000) ms, median \(sorted[sorted.count / 2] * 1000) ms;"
  }
}
