// Fovea - the Swift sample of README.md, which the tests build and run.
// SPDX-License-Identifier: Apache-2.0
import Fovea

let model = try Model(
  contentsOf: "YOLOv3TinyInt8LUT.mlmodel")
var request = try DetectObjectsRequest(model: model)
request.cropAndScaleAction = .scaleToFill
let photo = try ImageFile(contentsOf: "photo.jpg")
let handler = ImageRequestHandler(
  photo, orientation: .right)
for object in try handler.perform(request) {
  print(object.labels[0].identifier, object.confidence, object.boundingBox)
}
