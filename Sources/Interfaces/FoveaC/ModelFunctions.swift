// Fovea - the functions of fovea_model.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaCodesAndText
internal import FoveaRuntime
public import CFovea.Detect

/// See fovea_model.h.
@c @implementation public func fovea_model_options_init(
  _ options: UnsafeMutablePointer<fovea_model_options>!, _ size: Int
) {
  var defaults = fovea_model_options()
  defaults.last_stage = -1
  CallerMemory.fill(options, size: size, with: defaults)
}

// MARK: Opening

/// See fovea_model.h.
@c @implementation public func fovea_model_open(
  _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<fovea_model_options>!,
  _ out_model: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  open(options, out_model, out_message) { opening throws(CallFailure) in
    let path = try CallerMemory.text(path, "path of a model")
    return try openModel(path, opening) { options throws(FoveaError) in
      try Model(contentsOf: path, options: options)
    }
  }
}

/// See fovea_model.h.
@c @implementation public func fovea_model_open_bytes(
  _ bytes: UnsafeRawPointer!, _ byte_count: Int,
  _ options: UnsafePointer<fovea_model_options>!,
  _ out_model: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  open(options, out_model, out_message) { opening throws(CallFailure) in
    let bytes = try CallerMemory.bytes(bytes, count: byte_count)
    return try openModel(opening.name, opening) { options throws(FoveaError) in
      try Model(bytes: bytes, name: opening.name, options: options)
    }
  }
}

/// See fovea_model.h.
@c @implementation public func fovea_model_open_codes_and_text(
  _ options: UnsafePointer<fovea_model_options>!,
  _ out_model: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  open(options, out_model, out_message) { opening throws(CallFailure) in
    try openModel("CodesAndText", opening) { options throws(FoveaError) in
      try Model.codesAndText(options: options)
    }
  }
}

private func open(
  _ options: UnsafePointer<fovea_model_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ outMessage: OutMessage?, _ load: (ModelOpening) throws(CallFailure) -> OpenModel
) -> fovea_status {
  answer(outMessage) { () throws(CallFailure) in
    let target = try CallerMemory.target(out, "out_model")
    target.pointee = HandleTable.shared.insert(try load(ModelOpening(options)))
  }
}

/// Loads a model; errors name it.
private func openModel(
  _ reference: String, _ opening: ModelOpening,
  _ load: (Model.Options) throws(FoveaError) -> Model
) throws(CallFailure) -> OpenModel {
  let model: Model
  do throws(FoveaError) { model = try load(opening.model) } catch {
    throw CallFailure(error).naming(reference)
  }
  return try OpenModel(model, called: reference, options: opening)
}

/// See fovea_model.h.
@c @implementation public func fovea_model_close(_ model: OpaquePointer!) {
  HandleTable.shared.remove(model, OpenModel.self)
}

// MARK: Description

private func description(_ model: OpaquePointer?) -> LentModelInfo? {
  HandleTable.shared.object(model, OpenModel.self)?.description
}

extension Array {
  /// The element at an index; `nil` beyond the end.
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// See fovea_model.h.
@c @implementation public func fovea_model_get_info(
  _ model: OpaquePointer!
) -> UnsafePointer<fovea_model_info>! {
  description(model).map { UnsafePointer($0.info) }
}

/// See fovea_model.h.
@c @implementation public func fovea_model_label(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<CChar>! {
  description(model)?.labels[at: index]
}

/// See fovea_model.h.
@c @implementation public func fovea_model_function(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<CChar>! {
  description(model)?.functions[at: index]
}

/// See fovea_model.h.
@c @implementation public func fovea_model_metadata_key(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<CChar>! {
  description(model)?.metadata[at: index]?.key
}

/// See fovea_model.h.
@c @implementation public func fovea_model_metadata_value(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<CChar>! {
  description(model)?.metadata[at: index]?.value
}

/// See fovea_model.h.
@c @implementation public func fovea_model_input(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_feature>! {
  description(model)?.inputs[at: index]
}

/// See fovea_model.h.
@c @implementation public func fovea_model_output(
  _ model: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_feature>! {
  description(model)?.outputs[at: index]
}
