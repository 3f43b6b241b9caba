// Fovea - maps, pictures and embeddings through the C interface.
// SPDX-License-Identifier: Apache-2.0
public import CFovea.Detect
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// See fovea_detect.h.
@c @implementation public func fovea_map_file(
  _ model: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ map: Int32,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let path = try CallerMemory.text(path, "path of a picture")
    let request = try look.mapRequest(map)
    return try look.naming(path) { () throws(DetectionError) in
      try look.map(request, ImageFile(toDetectIn: path))
    }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_map_bytes(
  _ model: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ byte_count: Int, _ map: Int32,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let file = try imageFile(bytes, byte_count)
    let request = try look.mapRequest(map)
    return try look.naming(nil) { () throws(DetectionError) in try look.map(request, file) }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_map_pixels(
  _ model: OpaquePointer!, _ pixels: UnsafePointer<fovea_pixels>!, _ map: Int32,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let pixels = try CallerPixels(pixels)
    let request = try look.mapRequest(map)
    return try look.naming(nil) { () throws(DetectionError) in
      try look.map(request, PixelBuffer(copying: pixels.bytes.bytes, layout: pixels.layout))
    }
  }
}
