// Fovea - defaults, ports and lists of layers: what a C program sees of a model.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct ModelInterfaceTests {
  @Test func theVersionIsOneNumberAndOneText() {
    let version = (FOV_VERSION_MAJOR, FOV_VERSION_MINOR, FOV_VERSION_PATCH)
    #expect(String(cString: fov_version_string()) == "\(version.0).\(version.1).\(version.2)")
    #expect(Int32(fov_version()) == version.0 * 1_000_000 + version.1 * 1000 + version.2)
  }

  /// Without BLAS the backend `blas` is three loops; nobody should get it without asking.
  @Test func defaultsAreFast() {
    let options = fov_model_options_default()
    #expect(options.backend == .float32)
    #expect(options.instruction_set == .automatic)
    #expect(options.uses_winograd)
    #expect(options.thread_count == 0)
    #expect(options.float_layer_count == 0 && options.int16_layer_count == 0)
  }

  /// A graph that reads a gray image, a color image and an array, and puts out all three.
  private func makeModel(
    _ change: (inout fov_model_options) -> Void = { _ in }
  ) throws -> OpaquePointer {
    var graph: OpaquePointer?
    try #require(fov_graph_create(&graph) == .ok)
    let inputs: [(String, fov_data_type, [Int])] = [
      ("gray", .uint8, [5, 7]), ("color", .uint8, [3, 4, 3]), ("array", .float32, [2, 6]),
    ]
    for (name, type, sizes) in inputs {
      var shape = fov_shape(sizes: sizes)
      var value = try addedValue { fov_graph_add_input(graph!, name, type, &shape, $0, $1) }
      if type == .uint8 {
        var pixels = fov_pixels()
        pixels.scale = 1
        value = try addedValue { fov_graph_add_pixels(graph!, &pixels, value, $0, $1) }
      }
      try check { fov_graph_mark_output(graph!, value, "\(name) out", $0) }
    }
    var options = fov_model_options_default()
    change(&options)
    var model: OpaquePointer?
    try check { fov_model_create(graph!, &options, &model, $0) }
    return model!
  }

  private struct Port: Equatable {
    var name: String
    var kind: fov_port_kind
    var size: [Int]
    var shape: [Int]
  }

  private func port(
    _ model: OpaquePointer, _ index: Int,
    _ read: (OpaquePointer, Int, UnsafeMutablePointer<fov_port>) -> fov_status
  ) throws -> Port {
    try withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) { buffer in
      let port = buffer.baseAddress!
      try #require(read(model, index, port) == .ok)
      return Port(
        name: String(cString: port.pointee.name), kind: port.pointee.kind,
        size: [port.pointee.width, port.pointee.height, port.pointee.channels],
        shape: port.pointee.shape.sizes)
    }
  }

  @Test func portsSayWhatTheyHold() throws {
    let model = try makeModel()
    defer { fov_model_destroy(model) }
    try #require(fov_model_input_count(model) == 3 && fov_model_output_count(model) == 3)
    #expect(
      try (0..<3).map { try port(model, $0, fov_model_input) } == [
        Port(name: "gray", kind: .image, size: [7, 5, 1], shape: [5, 7]),
        Port(name: "color", kind: .image, size: [4, 3, 3], shape: [3, 4, 3]),
        Port(name: "array", kind: .array, size: [0, 0, 0], shape: [2, 6]),
      ])
    #expect(
      try (0..<3).map { try port(model, $0, fov_model_output) } == [
        Port(name: "gray out", kind: .array, size: [0, 0, 0], shape: [1, 1, 5, 7]),
        Port(name: "color out", kind: .array, size: [0, 0, 0], shape: [1, 3, 3, 4]),
        Port(name: "array out", kind: .array, size: [0, 0, 0], shape: [2, 6]),
      ])
    withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) { port in
      #expect(fov_model_input(model, 3, port.baseAddress!) == .invalid_argument)
      #expect(fov_model_output(model, 3, port.baseAddress!) == .invalid_argument)
    }
  }

  @Test func aCountWithoutAListIsRefused() throws {
    for change in [
      { (options: inout fov_model_options) in options.float_layer_count = 1 },
      { (options: inout fov_model_options) in options.int16_layer_count = 1 },
    ] {
      let failure = try #require(throws: CoreFailure.self) { _ = try makeModel(change) }
      #expect(failure.status == .invalid_argument)
      #expect(failure.message.contains("no list"))
    }
  }
}
