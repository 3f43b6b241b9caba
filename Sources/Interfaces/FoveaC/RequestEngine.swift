// Fovea - what runs an open model.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVision

/// What runs an open model: requests and sessions, each made when it is first needed.
final class RequestEngine: Sendable {
  let model: Model
  private let pool: ThreadPool?
  private let detection = Locked<DetectObjectsRequest?>(nil)
  private let classification = Locked<ClassifyImageRequest?>(nil)
  private let maps = Locked<[MapRequest.Kind: MapRequest]>([:])
  private let arrays = Locked<Model?>(nil)
  private let runners = ModelVariants<[String: [Int]], ModelRunner>()

  /// - Parameter pool: The threads that share the work; `nil` for the calling thread alone.
  init(_ model: Model, pool: ThreadPool?) {
    self.model = model
    self.pool = pool
  }

  /// The request that detects; every call sets the options of its copy.
  func detectionRequest() throws(DetectionError) -> DetectObjectsRequest {
    try detection.withLock { request throws(DetectionError) in
      if let request { return request }
      let made = try DetectObjectsRequest(model: model, pool: ownPool())
      request = made
      return made
    }
  }

  /// The request that classifies; every call sets the options of its copy.
  func classificationRequest() throws(DetectionError) -> ClassifyImageRequest {
    try classification.withLock { request throws(DetectionError) in
      if let request { return request }
      let made = try ClassifyImageRequest(model: model, pool: ownPool())
      request = made
      return made
    }
  }

  /// The request for maps of a kind; every call sets the options of its copy.
  func mapRequest(_ kind: MapRequest.Kind) throws(DetectionError) -> MapRequest {
    try maps.withLock { requests throws(DetectionError) in
      if let request = requests[kind] { return request }
      let made = try MapRequest(kind, model, ownPool())
      requests[kind] = made
      return made
    }
  }

  /// The model as it runs on arrays: another one where detections give it pictures in their place.
  func arrayModel() throws(DetectionError) -> Model {
    if model.picture == nil { return model }
    return try arrays.withLock { arrays throws(DetectionError) in
      if let arrays { return arrays }
      do throws(FoveaError) {
        let made = try model.readingArrays()
        arrays = made
        return made
      } catch {
        throw .runtime(error)
      }
    }
  }

  /// What runs the model on inputs of certain shapes.
  ///
  /// - Parameter shapes: By the names of inputs, images as [height, width, ...]; those that are
  ///   missing are the model's own.
  func runner(for shapes: [String: [Int]]) throws(DetectionError) -> ModelRunner {
    let model = try arrayModel()
    var wanted: [String: [Int]] = [:]
    if model.isFlexible {
      for port in model.inputs { wanted[port.name] = shapes[port.name] ?? port.shape }
    }
    return try runners.variant(for: wanted) { () throws(DetectionError) in
      try makeRunner(model, for: wanted)
    }
  }

  private func makeRunner(
    _ model: Model, for shapes: [String: [Int]]
  ) throws(DetectionError) -> ModelRunner {
    let pool = try ownPool()
    do throws(FoveaError) {
      let isOwn = model.inputs.allSatisfy { shapes[$0.name] == nil || shapes[$0.name] == $0.shape }
      return try ModelRunner(isOwn ? model : Self.reshaped(model, shapes), pool: pool)
    } catch {
      throw .runtime(error)
    }
  }

  private static func reshaped(
    _ model: Model, _ shapes: [String: [Int]]
  ) throws(FoveaError) -> Model {
    var images: [String: ImageSize] = [:]
    var arrays: [String: [Int]] = [:]
    for port in model.inputs {
      let shape = shapes[port.name] ?? port.shape
      if port.image == nil {
        arrays[port.name] = shape
      } else {
        images[port.name] = ImageSize(width: shape[1], height: shape[0])
      }
    }
    return try model.reshaped(images: images, arrays: arrays)
  }

  private func ownPool() throws(DetectionError) -> ThreadPool {
    if let pool { return pool }
    do throws(FoveaError) {
      return try ThreadPool(threadCount: 1)
    } catch {
      throw .runtime(error)
    }
  }
}
