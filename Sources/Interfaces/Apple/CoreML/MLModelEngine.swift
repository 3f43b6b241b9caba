// Fovea - a loaded model, and the sessions that run it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
package import FoveaGeometry
internal import FoveaModelValues
package import FoveaRuntime
package import FoveaVision

/// A loaded model, and the sessions that run it. Any number of threads may use it.
package final class MLModelEngine: Sendable {
  package let model: Model
  private let variants = ModelVariants<Shapes, Variant>()

  /// Shapes of inputs; those that are not named have the file's.
  private struct Shapes: Equatable {
    var images: [String: ImageSize]
    var arrays: [String: [Int]]
  }

  /// The model for some shapes.
  private struct Variant {
    var model: Model
    var sessions: SessionCache
  }

  /// All models share the threads. One that finds them busy works alone.
  private static let pool = Result { () throws(FoveaError) in try ThreadPool() }

  package static func threads() throws(FoveaError) -> ThreadPool { try pool.get() }

  package init(contentsOf path: String, function: String?) throws(FoveaError) {
    var options = Model.Options(function: function)
    // Outputs stay as the file declares them.
    options.decodesHead = false
    model = try Model(contentsOf: path, options: options)
  }

  /// The outputs for some inputs.
  ///
  /// - Throws: `MLModelError`.
  package func outputs(of features: any MLFeatureProvider) throws -> [String: MLFeatureValue] {
    var values: [String: MLFeatureValue] = [:]
    for port in model.inputs {
      guard let value = features.featureValue(for: port.name), !value.isUndefined else {
        throw MLModelError(
          .generic,
          "the input '\(port.name)' is missing; the model needs "
            + model.inputs.map { "'\($0.name)'" }.joined(separator: ", "))
      }
      values[port.name] = value
    }
    let numbers = try numbers(features)
    let shaped: Model
    let outcome: Result<[String: Tensor], any Error>
    do throws(DetectionError) {
      let (model, sessions) = try sessions(for: values)
      shaped = model
      outcome = try sessions.withSession { session, _ throws(DetectionError) in
        Result {
          for port in model.inputs {
            if let value = values[port.name] { try Self.fill(session, port, value) }
          }
          session.run()
          return try model.outputs(of: session, numbers: numbers)
        }
      }
    } catch {
      throw MLModelError(error)
    }
    do {
      return try ModelResults(shaped).values(of: outcome.get())
    } catch let error as DetectionError {
      throw MLModelError(error)
    }
  }

  /// The numbers for thresholds of suppression that are given.
  package func numbers(_ features: any MLFeatureProvider) throws(MLModelError) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for name in model.numberInputs {
      guard let value = features.featureValue(for: name), !value.isUndefined else { continue }
      guard value.type == .double || value.type == .int64 else {
        throw MLModelError(.featureType, "the input '\(name)' takes a number")
      }
      numbers[name] = value.type == .double ? value.doubleValue : Double(value.int64Value)
    }
    return numbers
  }

  // MARK: Shapes

  /// The sessions for the shapes of some values. Shapes that the file does not allow are left to
  /// the session, which says what it expects.
  private func sessions(
    for values: [String: MLFeatureValue]
  ) throws(DetectionError) -> (Model, SessionCache) {
    var images: [String: ImageSize] = [:]
    var arrays: [String: [Int]] = [:]
    if model.isFlexible {
      for port in model.inputs {
        if let buffer = values[port.name]?.imageBufferValue {
          let size = ImageSize(width: buffer.columns, height: buffer.rows)
          if [size.height, size.width] != Array(port.shape.prefix(2)) { images[port.name] = size }
        } else if let array = values[port.name]?.multiArrayValue, array.sizes != port.shape {
          arrays[port.name] = array.sizes
        }
      }
    }
    return try sessions(images: images, arrays: arrays)
  }

  /// The sessions for shapes of inputs; those of the file for inputs that are not named.
  package func sessions(
    images: [String: ImageSize] = [:], arrays: [String: [Int]] = [:]
  ) throws(DetectionError) -> (Model, SessionCache) {
    do throws(FoveaError) {
      let shapes = Shapes(images: images, arrays: arrays)
      let found = try variants.variant(for: shapes) { () throws(FoveaError) in
        let isOwn = images.isEmpty && arrays.isEmpty
        let model = isOwn ? model : try model.reshaped(images: images, arrays: arrays)
        return Variant(model: model, sessions: try SessionCache(model: model, pool: Self.threads()))
      }
      return (found.model, found.sessions)
    } catch {
      throw .runtime(error)
    }
  }

  // MARK: Inputs

  /// Writes an input of a session.
  ///
  /// - Throws: `MLModelError` with the code `featureType` for a value of another kind or shape.
  package static func fill(
    _ session: Session, _ port: Model.Port, _ value: MLFeatureValue
  ) throws {
    if port.image != nil, port.type == .uint8 {
      return try fill(session, port, picture: value.imageBufferValue)
    }
    guard let array = value.multiArrayValue, array.sizes == port.shape else {
      let given = value.multiArrayValue.map { "an array of the shape \($0.sizes)" } ?? "\(value)"
      throw MLModelError(
        .featureType,
        "the input '\(port.name)' takes an array of the shape \(port.shape); "
          + "\(given) was given")
    }
    do throws(FoveaError) {
      let target = try session.inputBytes(port.name).bindMemory(to: Float.self)
      if array.isContiguous, array.dataType == .float32 {
        UnsafeMutableRawBufferPointer(target).copyMemory(
          from: UnsafeRawBufferPointer(start: array.dataPointer, count: target.count * 4))
      } else {
        var next = 0
        array.forEachPlace { _, place in
          target[next] = Float(array.number(at: place))
          next += 1
        }
      }
      withExtendedLifetime(array) {}
    } catch {
      throw MLModelError(error)
    }
  }

  private static func fill(
    _ session: Session, _ port: Model.Port, picture: CVPixelBuffer?
  ) throws(MLModelError) {
    let (height, width) = (port.shape[0], port.shape[1])
    guard let picture, (picture.columns, picture.rows) == (width, height),
      let planes = picture.pixelPlanes
    else {
      let given = picture.map { "one of \($0.columns) x \($0.rows)" } ?? "none"
      throw MLModelError(
        .featureType,
        "the input '\(port.name)' takes a picture of \(width) x \(height) pixels "
          + "in 8 bits; \(given) was given")
    }
    do throws(FoveaError) {
      try session.fillImageInput(port.name, from: planes)
    } catch {
      throw MLModelError(error)
    }
    withExtendedLifetime(picture) {}
  }
}
