// Fovea - fuzzing: the C interface, called with any numbers.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import FoveaLibc
import FoveaTestSupport

/// Calls of the C interface with numbers of any bits. Pointers lead to memory of exactly the bytes that are stated, so that
/// the address sanitizer sees every step beyond. A call fails with a message and leaves nothing, or leaves a handle.
enum CInterfaceFuzzing {
  static func call(_ bytes: [UInt8]) {
    var numbers = FuzzedNumbers(bytes)
    var handles = FuzzedHandles()
    while !numbers.isEmpty, handles.count < 24 {
      switch numbers.byte() % 8 {
      case 0: open(&numbers, &handles)
      case 1: run(&numbers, &handles)
      case 2: look(&numbers, &handles)
      case 3: copy(&numbers, &handles)
      case 4: draw(&numbers, &handles)
      case 5: handles.close(numbers.integer())
      case 6: watch(&numbers, &handles)
      default: describe(handles.any(&numbers), numbers.integer())
      }
    }
    handles.closeAll()
  }

  private static let models = [ColorClassifier.bytes(), rectifier]

  /// A network that gives what is above 0 of an array [2, n], n from 1 to 5.
  private static let rectifier: [UInt8] = {
    let input = ModelBuilder.feature("image") { type in
      type.message(5) { array in
        array.integers(1, [2, 3])
        array.integer(2, 65_568)
        array.message(31) { ranges in
          for upper in [2, 5] {
            ranges.message(1) { range in
              range.integer(1, upper == 2 ? 2 : 1)
              range.integer(2, upper)
            }
          }
        }
      }
    }
    return ModelBuilder.model(
      inputs: [input], outputs: [ModelBuilder.array("y", [])], type: 500
    ) { network in
      network.data(
        1, ModelBuilder.layer(130, inputs: ["image"]) { $0.message(10) { _ in } })
      network.integer(5, 1)
    }
  }()

  // MARK: Calls

  private static func open(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    var options = fovea_model_options()
    fovea_model_options_init(&options, MemoryLayout<fovea_model_options>.size)
    let choice = Int(numbers.byte())
    if choice & 8 != 0 { options.size = numbers.integer() }
    if choice & 16 != 0 { options.backend = numbers.int32() }
    if choice & 32 != 0 { options.outputs = numbers.int32() }
    if choice & 64 != 0 { options.last_stage = numbers.int32() }
    if choice & 128 != 0 {
      (options.width, options.height) = (Int64(numbers.integer()), Int64(numbers.integer()))
    }
    options.threads = choice & 4 != 0 ? min(numbers.int32(), 3) : 1
    var model = models[choice & 1]
    if choice & 2 != 0 { model[Int(numbers.byte()) % model.count] = numbers.byte() }
    handles.keep { fovea_model_open_bytes(model, model.count, &options, $0, $1) }
  }

  private static func run(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    let model = handles.any(&numbers)
    let memory = FuzzedMemory(&numbers)
    let shape = (0..<Int(numbers.byte() % 5)).map { _ in Int64(numbers.integer()) }
    let strides = shape.map { _ in Int64(numbers.integer()) &- 3 }
    let choice = numbers.byte()
    withName(choice & 1 == 0 ? "image" : "y") { name in
      var array = fovea_array()
      array.size = choice & 2 == 0 ? MemoryLayout<fovea_array>.size : numbers.integer()
      (array.name, array.type) = (name, numbers.int32())
      array.rank = choice & 4 == 0 ? Int32(shape.count) : min(numbers.int32(), Int32(shape.count))
      (array.data, array.byte_count) = (memory.start, memory.count)
      array.offset = choice & 8 == 0 ? 0 : numbers.integer()
      shape.withUnsafeBufferPointer { shape in
        strides.withUnsafeBufferPointer { strides in
          array.shape = shape.baseAddress
          array.strides = choice & 16 == 0 ? nil : strides.baseAddress
          let inputs = [array]
          handles.keep { fovea_model_run(model, inputs, 1, $0, $1) }
          let status = fovea_model_run_into(model, inputs, 1, inputs, Int(choice >> 7), nil)
          promise(status.rawValue < 100, "the status \(status.rawValue)")
        }
      }
    }
  }

  private static func pixels(
    _ numbers: inout FuzzedNumbers, _ memory: FuzzedMemory
  ) -> fovea_pixels {
    var pixels = fovea_pixels()
    fovea_pixels_init(&pixels, MemoryLayout<fovea_pixels>.size)
    let choice = numbers.byte()
    if choice & 1 != 0 { pixels.size = numbers.integer() }
    (pixels.format, pixels.alpha, pixels.yuv) =
      (Int32(choice >> 5), Int32(choice >> 4 & 1), Int32(choice >> 1 & 3))
    (pixels.width, pixels.height) = (Int64(numbers.integer()), Int64(numbers.integer()))
    if choice & 8 != 0 {
      pixels.row_bytes = Int64(numbers.integer())
      pixels.chroma_offset = Int64(numbers.integer())
      pixels.chroma_row_bytes = Int64(numbers.integer())
    }
    (pixels.data, pixels.byte_count) = (UnsafeRawPointer(memory.start), memory.count)
    return pixels
  }

  private static func look(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    let model = handles.any(&numbers)
    let memory = FuzzedMemory(&numbers)
    var pixels = pixels(&numbers, memory)
    var options = fovea_detect_options()
    fovea_detect_options_init(&options, MemoryLayout<fovea_detect_options>.size)
    let choice = numbers.byte()
    if choice & 1 != 0 { options.size = numbers.integer() }
    if choice & 2 != 0 { options.crop_and_scale = numbers.int32() }
    if choice & 4 != 0 { options.orientation = numbers.int32() }
    if choice & 8 != 0 { options.filter = numbers.int32() }
    if choice & 16 != 0 {
      (options.region_x, options.region_y) = (numbers.double(), numbers.double())
      (options.region_width, options.region_height) = (numbers.double(), numbers.double())
    }
    if choice & 32 != 0 { options.confidence = numbers.double() }
    handles.keep { fovea_classify_pixels(model, &pixels, &options, $0, $1) }
    if choice & 64 != 0 { handles.keep { fovea_detect_pixels(model, &pixels, &options, $0, $1) } }
  }

  /// Opens what is no video with any options, and asks any handle for its next picture.
  private static func watch(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    let handle = handles.any(&numbers)
    var options = fovea_video_options()
    fovea_video_options_init(&options, MemoryLayout<fovea_video_options>.size)
    let choice = numbers.byte()
    if choice & 1 != 0 { options.size = numbers.integer() }
    if choice & 2 != 0 { (options.keep, options.paced) = (numbers.int32(), numbers.int32()) }
    if choice & 4 != 0 { (options.track, options.camera_moves) = (1, numbers.int32()) }
    if choice & 8 != 0 { options.maximum_reconnects = numbers.int32() }
    if choice & 16 != 0 { options.decoder_threads = numbers.int32() }
    if choice & 32 != 0 { options.deadline = numbers.double() }
    if choice & 64 != 0 {
      options.camera_width = Int64(numbers.integer())
      options.camera_rate = numbers.double()
    }
    handles.keep { fovea_video_open(handle, "/dev/null", nil, &options, $0, $1) }
    var isReady: Int32 = 0
    // A wait of a whole day would find nothing.
    let seconds = choice & 128 != 0 ? -numbers.double().magnitude : 0.001
    _ = fovea_video_wait(handle, seconds, &isReady, nil)
    handles.keep { fovea_video_next(handle, $0, $1) }
    handles.keep { fovea_result_copy_picture(handle, $0, $1) }
    _ = fovea_result_track(handle, numbers.integer())
  }

  private static func copy(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    let memory = FuzzedMemory(&numbers)
    var pixels = pixels(&numbers, memory)
    let orientation = numbers.int32()
    guard
      let copied = handles.keep({ fovea_picture_copy(&pixels, orientation, $0, $1) })
    else { return }
    let picture = fovea_picture_pixels(copied)?.pointee
    promise(
      picture.map { Int64($0.byte_count) == 3 * pixels.width * pixels.height } == true,
      "a copy of another size")
  }

  private static func draw(_ numbers: inout FuzzedNumbers, _ handles: inout FuzzedHandles) {
    let picture = handles.any(&numbers)
    withName("box") { name in
      var box = fovea_box()
      box.size = numbers.byte() & 1 == 0 ? MemoryLayout<fovea_box>.size : numbers.integer()
      (box.label, box.class_index, box.confidence) = (
        name, numbers.int32(), Float(numbers.double())
      )
      (box.x, box.y) = (numbers.double() * 8, numbers.double() * 8)
      (box.width, box.height) = (numbers.double() * 8, numbers.double() * 8)
      let boxes = [box]
      handles.keep { fovea_picture_draw(picture, boxes, 1, $0, $1) }
      var style = fovea_drawing_style(size: box.size, line_width: box.width, font_size: box.height)
      handles.keep { fovea_picture_draw_styled(picture, boxes, 1, &style, $0, $1) }
    }
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    let status = fovea_picture_encode(
      picture, fovea_file_format(UInt32(numbers.byte() & 3)), numbers.int32(), &bytes, &count, nil)
    promise((status == fovea_status_ok) == (bytes != nil && count > 0), "bytes and a failure")
    fovea_free(bytes)
  }

  /// Looks at everything that a handle lends.
  private static func describe(_ handle: OpaquePointer?, _ index: Int) {
    if let info = fovea_model_get_info(handle)?.pointee { promise(info.size > 0, "no size") }
    for text in [
      fovea_model_label(handle, index), fovea_model_function(handle, index),
      fovea_model_metadata_key(handle, index), fovea_model_metadata_value(handle, index),
    ] { if let text { _ = String(cString: text) } }
    for feature in [fovea_model_input(handle, index), fovea_model_output(handle, index)] {
      guard let feature = feature?.pointee else { continue }
      for place in 0..<Int(feature.rank) { promise(feature.shape[place] >= -1, "a size below -1") }
    }
    if let array = fovea_result_array(handle, index)?.pointee {
      promise(array.byte_count % 4 == 0, "parts of floats")
    }
    promise(
      (fovea_result_label(handle, index) != nil)
        == (index >= 0 && index < fovea_result_label_count(handle)), "labels beyond their count")
    _ = fovea_result_object(handle, index)
    _ = fovea_result_picture(handle)
  }

  private static func withName(_ name: String, _ body: (UnsafePointer<CChar>) -> Void) {
    name.withCString(body)
  }
}

/// Memory of a length that a fuzzer chooses; not a byte more.
private final class FuzzedMemory {
  let start: UnsafeMutableRawPointer?
  let count: Int

  init(_ numbers: inout FuzzedNumbers) {
    count = Int(numbers.byte()) * (1 + Int(numbers.byte() & 3))
    start = count == 0 ? nil : malloc(count)
    if let start { memset(start, Int32(numbers.byte()), count) }
  }

  deinit { free(start) }
}

/// The handles of one input: of models, pictures and results, open and closed.
private struct FuzzedHandles {
  private var handles: [OpaquePointer?] = [nil, OpaquePointer(bitPattern: 0x1234)]

  var count: Int { handles.count }

  func any(_ numbers: inout FuzzedNumbers) -> OpaquePointer? {
    handles[Int(numbers.byte()) % handles.count]
  }

  /// Keeps the handle that a call leaves.
  @discardableResult
  mutating func keep(
    _ call: (
      UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> fovea_status
  ) -> OpaquePointer? {
    var handle: OpaquePointer?
    var message: UnsafeMutablePointer<CChar>?
    let status = call(&handle, &message)
    promise((status == fovea_status_ok) == (handle != nil), "a handle and the status \(status)")
    promise((status == fovea_status_ok) == (message == nil), "a message and the status \(status)")
    promise(message.map { strlen($0) > 0 } != false, "an empty message")
    fovea_free(message)
    if let handle { handles.append(handle) }
    return handle
  }

  func close(_ number: Int) {
    guard handles.indices.contains(number) else { return }
    fovea_model_close(handles[number])
    fovea_result_free(handles[number])
    fovea_picture_close(handles[number])
  }

  func closeAll() { for number in handles.indices { close(number) } }
}

extension FuzzedNumbers {
  fileprivate mutating func int32() -> Int32 { Int32(truncatingIfNeeded: integer()) }
}
