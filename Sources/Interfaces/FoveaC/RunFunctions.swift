// Fovea - the functions of fovea_run.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaVision
public import CFovea.Detect

// MARK: Running

/// See fovea_run.h.
@c @implementation public func fovea_model_run(
  _ model: OpaquePointer!, _ inputs: UnsafePointer<fovea_array>!, _ input_count: Int,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let target = try CallerMemory.target(out_result, "out_result")
    try run(model, inputs, input_count) { outputs, description throws(CallFailure) in
      target.pointee = HandleTable.shared.insert(try FoundResult(outputs, description))
    }
  }
}

/// See fovea_run.h.
@c @implementation public func fovea_model_run_into(
  _ model: OpaquePointer!, _ inputs: UnsafePointer<fovea_array>!, _ input_count: Int,
  _ outputs: UnsafePointer<fovea_array>!, _ output_count: Int, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    var wanted: [CallerArray] = []
    for array in try CallerMemory.structures(outputs, count: output_count, "fovea_array") {
      wanted.append(try CallerArray(array, isOutput: true))
    }
    try run(model, inputs, input_count) { outputs, _ throws(CallFailure) in
      for array in wanted {
        try outputs.withOutput(array.name) { shape, floats throws(CallFailure) in
          guard array.shape == shape else {
            throw CallFailure(
              fovea_status_shape_mismatch,
              "output '\(array.name)' has the shape \(shape); memory for \(array.shape) was given")
          }
          array.write(floats)
        }
      }
    }
  }
}

private func run(
  _ handle: OpaquePointer?, _ inputs: UnsafePointer<fovea_array>?, _ count: Int,
  _ body: (borrowing RunOutputs, LentModelInfo) throws(CallFailure) -> Void
) throws(CallFailure) {
  let (model, engine) = try HandleTable.shared.model(handle)
  func naming<Made>(
    _ make: () throws(DetectionError) -> Made
  ) throws(CallFailure) -> Made {
    do throws(DetectionError) { return try make() } catch {
      throw CallFailure(error).naming(model.reference)
    }
  }
  let arrayModel = try naming { () throws(DetectionError) in try engine.arrayModel() }
  let arrays = try InputArrays(inputs, count: count, for: arrayModel)
  let runner = try naming { () throws(DetectionError) in
    try engine.runner(for: arrays.shapes(for: arrayModel))
  }
  do throws(CallFailure) {
    try runner.run(arrays) { outputs throws(CallFailure) in try body(outputs, model.description) }
  } catch {
    throw error.naming(model.reference)
  }
}

// MARK: Results

/// See fovea_run.h.
@c @implementation public func fovea_result_array_count(_ result: OpaquePointer!) -> Int {
  HandleTable.shared.object(result, FoundResult.self)?.arrays.count ?? 0
}

/// See fovea_run.h.
@c @implementation public func fovea_result_array(
  _ result: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_array>! {
  HandleTable.shared.object(result, FoundResult.self)?.arrays[index]
}

/// See fovea_run.h.
@c @implementation public func fovea_result_free(_ result: OpaquePointer!) {
  HandleTable.shared.remove(result, FoundResult.self)
}
