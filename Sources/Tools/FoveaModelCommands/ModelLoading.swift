// Fovea - loading the model that a command names.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine
internal import FoveaQuantization

/// Loads the model that a command names.
package enum ModelLoading {
  /// Sizes of inputs that a command knows beside the arguments.
  package struct InputSizes {
    package var images: [String: ImageSize] = [:]
    package var arrays: [String: [Int]] = [:]
  }

  /// The model of `source` with backend, function and size as the arguments name them.
  ///
  /// - Parameters:
  ///   - pictures: What takes the place of an array that can be a picture.
  ///   - decodesHead: Whether scores and boxes are added to outputs of other forms.
  /// - Throws: `UsageError` for a wrong backend, `CommandFailure` for a model that cannot be used.
  package static func load(
    _ source: ModelSource, _ arguments: ArgumentList, lastStage: Int? = nil,
    sizes: InputSizes = InputSizes(), pictures: PictureInput?, decodesHead: Bool = true
  ) throws -> Model {
    var options = try Self.options(arguments)
    options.pictures = pictures
    options.backend = try self.backend(
      arguments, try arguments.choice("--backend", Backend.self) ?? .auto)
    options.lastStage = lastStage
    options.imageSizes = sizes.images
    options.arrayShapes = sizes.arrays
    if !decodesHead { options.decodesHead = false }
    if let images = arguments.value("--calibrate") {
      try CalibrationImages.calibrate(images, model: source, options: &options, arguments)
    }
    return try load(source, options)
  }

  /// The model of `source` for pictures, with backend, function and size as the arguments name them.
  ///
  /// - Throws: As `load(_:_:lastStage:sizes:pictures:decodesHead:)`.
  package static func load(_ source: ModelSource, _ arguments: ArgumentList) throws -> Model {
    try load(source, arguments, pictures: ArrayInputOptions.wish(arguments))
  }

  /// The model of `source` for pictures with `backend`, and with the ranges that the images of `calibration` give.
  ///
  /// - Parameter observesNodes: Whether what its layers write is to be looked at.
  /// - Throws: `CommandFailure` for a model that cannot be used, or images that cannot be read.
  package static func load(
    _ source: ModelSource, _ arguments: ArgumentList, backend: Backend, calibration: String?,
    observesNodes: Bool = false
  ) throws -> Model {
    var options = try Self.options(arguments)
    options.pictures = try ArrayInputOptions.wish(arguments)
    // Models that read images may stand on the other side.
    options.pictures?.mayBeIdle = true
    options.backend = BackendOptions(backend)
    options.observesNodes = observesNodes
    if let calibration {
      try CalibrationImages.calibrate(calibration, model: source, options: &options, arguments)
    }
    return try load(source, options)
  }

  /// What `--function`, `--size` and `--head` say.
  package static func options(_ arguments: ArgumentList) throws(UsageError) -> Model.Options {
    var options = Model.Options()
    options.function = arguments.value("--function")
    if arguments.value("--head") == "none" {
      options.decodesHead = false
    } else {
      options.head = try arguments.choice("--head", DetectorHead.self)
    }
    options.boxes = try arguments.choice("--boxes", BoxUnits.self)
    options.scores = try arguments.choice("--scores", ScoreForm.self)
    options.task = try arguments.choice("--task", DetectorTask.self)
    options.imageSize = try arguments.value("--size").map { text throws(UsageError) in
      let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        .map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else {
        throw UsageError("--size is '\(text)'; expected WIDTHxHEIGHT, such as 640x480")
      }
      return ImageSize(width: sides[0], height: sides[1])
    }
    return options
  }

  private static func load(
    _ source: ModelSource, _ options: Model.Options
  ) throws(CommandFailure) -> Model {
    do {
      return try source.load(options)
    } catch {
      throw CommandFailure(error, file: source.name)
    }
  }

  /// `backend` with the form of weights that the arguments name.
  ///
  /// - Throws: `UsageError` for an unknown form, or a backend that has one form only.
  package static func backend(
    _ arguments: ArgumentList, _ backend: Backend
  ) throws(UsageError) -> BackendOptions {
    guard let form = try arguments.choice("--weights", WeightForm.self) else {
      return BackendOptions(backend)
    }
    guard (backend == .auto || backend == .float) && !arguments.has("--calibrate") else {
      throw UsageError("--weights is for the backend float")
    }
    // A compiled file has a backend of its own and one form.
    return form == .expanded ? BackendOptions(backend) : .float(weights: form)
  }

  /// The threads that the arguments ask for.
  package static func threads(_ arguments: ArgumentList) throws -> ThreadPool {
    let count = try arguments.integer("--threads", in: ThreadPool.threadCounts)
    do {
      return try ThreadPool(threadCount: count)
    } catch {
      throw CommandFailure("no threads: \(error)")
    }
  }
}
