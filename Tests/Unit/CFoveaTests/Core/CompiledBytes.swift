// Fovea - a model as the bytes of a compiled file, for tests.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

/// What a model is saved as, where it can be loaded from for as long as this lives.
final class CompiledBytes {
  let bytes: UnsafeMutableRawBufferPointer

  init(of model: OpaquePointer, description: [UInt8] = []) throws {
    var written: [UInt8] = []
    var diagnostic = fov_diagnostic()
    let status = withUnsafeMutablePointer(to: &written) { written in
      fov_model_save(
        model, description, description.count,
        { context, bytes, count in
          context!.assumingMemoryBound(to: [UInt8].self).pointee.append(
            contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
          return true
        }, written, &diagnostic)
    }
    guard status == .ok else { throw CoreFailure(status: status, message: "\(diagnostic)") }
    bytes = .allocate(byteCount: written.count, alignment: 64)
    bytes.copyBytes(from: written)
  }

  deinit { bytes.deallocate() }

  func load(_ options: fov_model_options) throws -> OpaquePointer {
    var options = options
    options.ranges = nil
    options.range_count = 0
    options.float_layers = nil
    options.float_layer_count = 0
    options.int16_layers = nil
    options.int16_layer_count = 0
    var model: OpaquePointer?
    var diagnostic = fov_diagnostic()
    let status = fov_model_load(bytes.baseAddress!, bytes.count, &options, &model, &diagnostic)
    guard status == .ok, let model else {
      throw CoreFailure(status: status, message: "\(diagnostic)")
    }
    return model
  }
}
