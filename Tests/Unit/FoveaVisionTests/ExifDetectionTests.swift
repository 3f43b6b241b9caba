// Fovea - tests that EXIF orientation puts boxes where the objects are.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct ExifDetectionTests {
  static let files =
    (1...8).map { "images/exif/orientation-\($0).jpg" } + [
      "images/exif/orientation-6-bigendian.jpg"
    ]

  private static let request = Result {
    try DetectObjectsRequest(
      model: Model(contentsOf: SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path))
  }

  /// The variants are JPEG files of their own, each with its own loss, and the first is upright.
  @Test(arguments: files)
  func variantsShowTheSameObjects(_ file: String) throws {
    let request = try Self.request.get()
    let upright = try request.result(
      on: ImageFile(contentsOf: SharedData.url(Self.files[0]).path))
    let fromFile = try request.result(on: ImageFile(contentsOf: SharedData.url(file).path))
    let fromMemory = try request.result(on: ImageFile(bytes: SharedData.bytes(file)))
    #expect(fromFile.observations == fromMemory.observations)
    #expect(fromFile.imageSize == upright.imageSize && fromFile.imageSize.width == 128)
    #expect(!upright.observations.isEmpty)
    var rest = fromFile.observations
    for object in upright.observations {
      let box = object.boundingBox.toImageCoordinates(upright.imageSize)
      let match = rest.firstIndex { other in
        let found = other.boundingBox.toImageCoordinates(upright.imageSize)
        return other.bestLabel?.identifier == object.bestLabel?.identifier
          && abs(other.topConfidence - object.topConfidence) <= 0.03
          && [\ImageRect.minX, \.minY, \.maxX, \.maxY].allSatisfy {
            abs(found[keyPath: $0] - box[keyPath: $0]) <= 1.5
          }
      }
      if let match { rest.remove(at: match) } else { Issue.record("\(file): missed \(object)") }
    }
    #expect(rest.isEmpty, "\(file)")
  }
}
