// Fovea - the functions of fovea_detect.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaLibc
internal import FoveaVision
public import CFovea.Detect

/// See fovea_detect.h.
@c @implementation public func fovea_setting_name(_ index: Int) -> UnsafePointer<CChar>! {
  SettingNames.all.indices.contains(index) ? SettingNames.all[index] : nil
}

/// The names of settings in memory that C programs look into.
private enum SettingNames {
  nonisolated(unsafe) static let all = DetectionNumber.all.map { UnsafePointer(strdup($0.name)) }
}

/// See fovea_detect.h.
@c @implementation public func fovea_detect_options_init(
  _ options: UnsafeMutablePointer<fovea_detect_options>!, _ size: Int
) {
  CallerMemory.fill(options, size: size, with: LookingOptions.defaults)
}

// MARK: Detecting

/// See fovea_detect.h.
@c @implementation public func fovea_detect_file(
  _ model: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let path = try CallerMemory.text(path, "path of a picture")
    let detection = try look.detection()
    return try look.naming(path) { () throws(DetectionError) in
      try look.detect(detection, ImageFile(toDetectIn: path))
    }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_detect_bytes(
  _ model: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ byte_count: Int,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let file = try imageFile(bytes, byte_count)
    let detection = try look.detection()
    return try look.naming(nil) { () throws(DetectionError) in try look.detect(detection, file) }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_detect_pixels(
  _ model: OpaquePointer!, _ pixels: UnsafePointer<fovea_pixels>!,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let pixels = try CallerPixels(pixels)
    let detection = try look.detection()
    return try look.naming(nil) { () throws(DetectionError) in try look.detect(detection, pixels) }
  }
}

// MARK: Classifying

/// See fovea_detect.h.
@c @implementation public func fovea_classify_file(
  _ model: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let path = try CallerMemory.text(path, "path of a picture")
    let request = try look.classificationRequest()
    return try look.naming(path) { () throws(DetectionError) in
      try look.classify(request, ImageFile(toDetectIn: path))
    }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_classify_bytes(
  _ model: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ byte_count: Int,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let file = try imageFile(bytes, byte_count)
    let request = try look.classificationRequest()
    return try look.naming(nil) { () throws(DetectionError) in try look.classify(request, file) }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_classify_pixels(
  _ model: OpaquePointer!, _ pixels: UnsafePointer<fovea_pixels>!,
  _ options: UnsafePointer<fovea_detect_options>!,
  _ out_result: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  look(model, options, out_result, out_message) { look throws(CallFailure) in
    let pixels = try CallerPixels(pixels)
    let request = try look.classificationRequest()
    return try look.naming(nil) { () throws(DetectionError) in try look.classify(request, pixels) }
  }
}

// MARK: Looking

func look(
  _ handle: OpaquePointer?, _ options: UnsafePointer<fovea_detect_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ outMessage: OutMessage?,
  _ body: (Look) throws(CallFailure) -> FoundResult
) -> fovea_status {
  answer(outMessage) { () throws(CallFailure) in
    let target = try CallerMemory.target(out, "out_result")
    let (model, engine) = try HandleTable.shared.model(handle)
    let look = Look(model: model, engine: engine, options: try LookingOptions(options))
    target.pointee = HandleTable.shared.insert(try body(look))
  }
}

func imageFile(
  _ bytes: UnsafeRawPointer?, _ count: Int
) throws(CallFailure) -> ImageFile {
  let bytes = try CallerMemory.bytes(bytes, count: count)
  do throws(ImageError) {
    return try ImageFile(bytes: bytes)
  } catch {
    throw CallFailure(error)
  }
}

// MARK: What was found

/// What a handle stands for; `nil` for one that was freed, and for no result.
func found(_ result: OpaquePointer?) -> FoundResult? { HandleTable.shared.object(result) }

/// See fovea_detect.h.
@c @implementation public func fovea_result_object_count(_ result: OpaquePointer!) -> Int {
  found(result)?.objects.count ?? 0
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_object(
  _ result: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_object>! {
  found(result)?.objects[index]
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_label_count(_ result: OpaquePointer!) -> Int {
  found(result)?.labels.count ?? 0
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_label(
  _ result: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_label>! {
  found(result)?.labels[index]
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_picture(
  _ result: OpaquePointer!
) -> UnsafePointer<fovea_picture_info>! {
  found(result)?.picture.map { UnsafePointer($0) }
}
