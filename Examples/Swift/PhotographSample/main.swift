// Fovea - the Swift sample of README.md, which the tests build and run.
// SPDX-License-Identifier: Apache-2.0
import Fovea

let model = try Model(contentsOf: "YOLOv3TinyInt8LUT.mlmodel")
let request = try DetectObjectsRequest(model: model)
for object in try request.perform(on: ImageFile(contentsOf: "dog.jpg")) {
  print(object.labels[0].identifier, object.confidence, object.boundingBox)  // fractions, upright
}
