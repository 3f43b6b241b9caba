// Fovea - fuzzing: annotations and detections.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaGeometry

enum AnnotationFuzzing {
  /// Objects are finite and can be evaluated, all twelve numbers within -1...1; or the text is refused with words.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    do throws(EvaluationError) {
      switch first % 3 {
      case 0:
        let file = try CocoInstances(json: rest)
        for image in file.images { check(file.objects(inImage: image.id)) }
      case 1:
        let file = try CocoResults(json: rest)
        for image in file.images {
          for object in file.detections(inImage: image) {
            promise(object.box.width.isFinite, "a detection that is not finite")
          }
        }
      default:
        let text = String(decoding: rest, as: UTF8.self)
        check(try YOLOLabels.objects(in: text, imageSize: ImageSize(width: 640, height: 480)))
      }
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }

  private static func check(_ objects: [GroundTruthObject]) {
    for object in objects {
      promise(object.box.x.isFinite && object.box.width >= 0, "an object that is not finite")
    }
  }
}
