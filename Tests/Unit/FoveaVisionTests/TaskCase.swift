// Fovea - networks that say more than boxes, and what independent programs read of them.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Foundation
import Testing

/// A case of `shared/data/tasks`: a network, a picture, and the objects in it.
struct TaskCase: Decodable {
  struct Options: Decodable {
    var confidence: Float?
    var iou: Double?
  }

  struct Object: Decodable {
    var `class`: Int?
    var confidence: Float?
    /// Edges in pixels from the upper left.
    var box: [Double]?
    var mask: MaskRunLengths?
    var keypoints: [[Double]]?
    var corners: [[Double]]?
    var xywhr: [Double]?
  }

  struct Tolerances: Decodable {
    var confidence: Float?
    var pixels: Double?
    var mask_iou: Double?
    var keypoint_confidence: Double?
  }

  var task: String
  var model: String
  var crop_and_scale: ImageCropAndScaleAction
  var options: Options?
  var objects: [Object]?
  var tolerances: Tolerances?

  static let folder = "tasks"

  static func named(_ name: String) throws -> TaskCase {
    let bytes = try SharedData.bytes("\(folder)/\(name)/expected.json")
    return try JSONDecoder().decode(TaskCase.self, from: Data(bytes))
  }

  func path(_ file: String, of name: String) -> String {
    SharedData.url("\(Self.folder)/\(name)/\(file)").path
  }

  func request(_ name: String, options: Model.Options = .init()) throws -> DetectObjectsRequest {
    var options = options
    options.pictures = options.pictures ?? PictureInput()
    var request = try DetectObjectsRequest(
      model: Model(contentsOf: path(model, of: name), options: options))
    request.cropAndScaleAction = crop_and_scale
    if let confidence = self.options?.confidence { request.minimumConfidence = confidence }
    if let iou = self.options?.iou { request.iouThreshold = iou }
    return request
  }
}

extension MaskRunLengths {
  /// The intersection over union of two masks of one image.
  func overlap(with other: MaskRunLengths) -> Double {
    let shared = intersection(with: other)
    return Double(shared) / Double(max(area + other.area - shared, 1))
  }
}
