// Fovea - one look of a network for maps at a picture, for C programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaMaps
internal import FoveaRuntime
internal import FoveaVision

/// A request for a map of some kind.
enum MapRequest: Sendable {
  case classes(SegmentImageRequest)
  case depth(EstimateDepthRequest)
  case picture(TransformImageRequest)
  case embedding(ImageEmbeddingRequest)

  /// The kinds in the order of `fovea_map`.
  enum Kind: CaseIterable {
    case classes, depth, picture, embedding
  }

  /// A request on a model.
  init(_ kind: Kind, _ model: Model, _ pool: ThreadPool) throws(DetectionError) {
    switch kind {
    case .classes: self = .classes(try SegmentImageRequest(model: model, pool: pool))
    case .depth: self = .depth(try EstimateDepthRequest(model: model, pool: pool))
    case .picture: self = .picture(try TransformImageRequest(model: model, pool: pool))
    case .embedding: self = .embedding(try ImageEmbeddingRequest(model: model, pool: pool))
    }
  }

  /// The same request with another way to bring pictures to the network.
  func with(_ view: InputView) -> MapRequest {
    switch self {
    case .classes(var request):
      request.view = view
      return .classes(request)
    case .depth(var request):
      request.view = view
      return .depth(request)
    case .picture(var request):
      request.view = view
      return .picture(request)
    case .embedding(var request):
      request.view = view
      return .embedding(request)
    }
  }

  /// The map of a picture: its shape, and its elements row-major.
  func map(
    of image: some ImageConvertible, _ orientation: ImageOrientation?
  ) throws(DetectionError) -> (shape: [Int], floats: [Float]) {
    switch self {
    case .classes(let request):
      let map = try request.perform(on: image, orientation: orientation)
      return ([map.height, map.width], map.classes.map { Float($0) })
    case .depth(let request):
      let map = try request.perform(on: image, orientation: orientation)
      return ([map.height, map.width], map.values)
    case .picture(let request):
      let picture = try request.perform(on: image, orientation: orientation)
      return ([picture.height, picture.width, 3], picture.rgb.map { Float($0) })
    case .embedding(let request):
      let found = try request.perform(on: image, orientation: orientation)
      return ([found.values.count], found.values)
    }
  }
}

extension Look {
  /// The request for a map; errors name the model, as those of the command do.
  func mapRequest(_ number: Int32) throws(CallFailure) -> MapRequest {
    let kind = try CallerMemory.choice(number, MapRequest.Kind.allCases, "map")
    return try naming(model.reference) { () throws(DetectionError) in
      try engine.mapRequest(kind).with(options.view)
    }
  }

  func map(
    _ request: MapRequest, _ image: some ImageConvertible
  ) throws(DetectionError) -> FoundResult {
    let (shape, floats) = try request.map(of: image, options.orientation)
    return FoundResult(map: floats, shape, model.description)
  }
}
