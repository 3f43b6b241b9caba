// Fovea - a program that prints the objects of live pictures with their identifiers.
// SPDX-License-Identifier: Apache-2.0
//
// TrackingSample MODEL SOURCE
import Fovea
import FoveaTracking
import FoveaVideo

let model = try Model(contentsOf: CommandLine.arguments[1])
let request = try DetectObjectsRequest(model: model)
let camera = try VideoSource(named: CommandLine.arguments[2])
var options = TrackingOptions()
options.memory = 2  // seconds for which an object that is not seen keeps its identifier
for try await picture in request.results(in: camera).tracked(by: options) {
  for object in picture.tracks where !object.isPredicted {
    print(picture.result.time, object.identifier, object.label, object.boundingBox)
  }
}
