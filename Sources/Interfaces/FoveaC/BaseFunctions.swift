// Fovea - the functions of fovea_base.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import CFovea
internal import FoveaLibc
public import CFovea.Detect

// The compiler compares each function with its declaration in the header, which documents it.

/// See fovea_base.h.
@c @implementation public func fovea_status_name(_ status: fovea_status) -> UnsafePointer<CChar>! {
  let name: StaticString =
    switch status {
    case fovea_status_ok: "ok"
    case fovea_status_invalid_argument: "invalid argument"
    case fovea_status_closed: "closed"
    case fovea_status_unsupported: "unsupported"
    case fovea_status_file: "file"
    case fovea_status_invalid_model: "invalid model"
    case fovea_status_invalid_picture: "invalid picture"
    case fovea_status_unsuitable_model: "unsuitable model"
    case fovea_status_invalid_video: "invalid video"
    case fovea_status_shape_mismatch: "shape mismatch"
    case fovea_status_buffer_too_small: "buffer too small"
    case fovea_status_invalid_output: "invalid output"
    case fovea_status_out_of_memory: "out of memory"
    case fovea_status_thread_failure: "thread failure"
    default: "unknown status"
    }
  return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See fovea_base.h.
@c @implementation public func fovea_free(_ memory: UnsafeMutableRawPointer!) { free(memory) }

/// See fovea_base.h.
@c @implementation public func fovea_version() -> UInt32 { fov_version() }

/// See fovea_base.h.
@c @implementation public func fovea_version_string() -> UnsafePointer<CChar>! {
  fov_version_string()
}
