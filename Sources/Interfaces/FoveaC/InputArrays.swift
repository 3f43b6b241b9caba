// Fovea - the arrays that a C program runs a model on.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaRuntime
internal import FoveaVision

/// The arrays that a C program runs a model on, checked against the model.
struct InputArrays {
  private var arrays: [String: CallerArray] = [:]
  /// The thresholds of a suppression stage.
  private(set) var numbers: [String: Double] = [:]

  /// Takes the arrays for the inputs of a model.
  init(_ pointer: UnsafePointer<fovea_array>?, count: Int, for model: Model) throws(CallFailure) {
    let numberNames = model.numberInputs
    for array in try CallerMemory.structures(pointer, count: count, "fovea_array") {
      let array = try CallerArray(array, isOutput: false)
      guard arrays[array.name] == nil, numbers[array.name] == nil else {
        throw .invalid("input '\(array.name)' is given twice")
      }
      if numberNames.contains(array.name), array.count == 1 {
        numbers[array.name] = array.firstElement
      } else {
        arrays[array.name] = array
      }
    }
    do throws(DetectionError) {
      try model.checkNames(arrays: arrays.keys, numbers: numbers.keys)
    } catch {
      throw CallFailure(error)
    }
  }

  /// The shapes of the inputs, as far as another size of the model could be meant.
  func shapes(for model: Model) -> [String: [Int]] {
    var shapes: [String: [Int]] = [:]
    for port in model.inputs {
      guard let array = arrays[port.name], !Self.isNumber(array, for: port),
        array.shape.allSatisfy({ $0 > 0 })
      else { continue }
      if port.image != nil {
        guard array.type == fovea_type_uint8, array.shape.count == port.shape.count,
          array.shape.dropFirst(2) == port.shape.dropFirst(2)
        else { continue }
      }
      shapes[port.name] = array.shape
    }
    return shapes
  }

  /// Writes the inputs of a session.
  func write(to session: Session) throws(CallFailure) {
    for port in session.model.inputs {
      guard let array = arrays[port.name] else { continue }
      guard array.shape == port.shape || Self.isNumber(array, for: port) else {
        throw CallFailure(
          fovea_status_shape_mismatch,
          "input \"\(port.name)\" takes \(port.type.rawValue) of shape \(port.shape); shape"
            + " \(array.shape) was given")
      }
      let target: UnsafeMutableRawBufferPointer
      do throws(FoveaError) { target = try session.inputBytes(port.name) } catch {
        throw CallFailure(error)
      }
      if port.type == .float32 {
        array.copyFloats(to: target.bindMemory(to: Float.self))
      } else {
        guard array.type == fovea_type_uint8 else {
          throw .invalid(
            "input \"\(port.name)\" is an image and takes uint8; \(array.typeName) was given")
        }
        array.copyBytes(to: target.bindMemory(to: UInt8.self))
      }
    }
  }

  /// Whether an array of one number stands for an input of one, whatever their dimensions.
  private static func isNumber(_ array: CallerArray, for port: Model.Port) -> Bool {
    array.count == 1 && port.count == 1
  }
}
