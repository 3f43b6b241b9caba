// Fovea - a program that prints what a detector finds in live pictures.
// SPDX-License-Identifier: Apache-2.0
//
// LiveSample MODEL SOURCE
import Fovea
import FoveaVideo

let model = try Model(contentsOf: CommandLine.arguments[1])
var request = try DetectObjectsRequest(model: model)
request.cropAndScaleAction = .scaleToFill
let camera = try VideoSource(named: CommandLine.arguments[2])
for try await picture in request.results(in: camera) {
  for object in picture.observations {
    let box = object.boundingBox.toImageCoordinates(picture.imageSize, origin: .upperLeft)
    print(picture.time, object.labels[0].identifier, object.confidence, box.x, box.y)
  }
}
