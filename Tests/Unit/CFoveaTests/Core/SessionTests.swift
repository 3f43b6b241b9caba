// Fovea - sessions: memory, repetition, threads.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct SessionTests {
  /// Two convolutions with an addition over a reshape between them: aliases, in-place operations
  /// and workspace in one plan.
  private func makeModel(threads: Int, backend: fov_backend = .blas) throws -> OpaquePointer {
    var random = SplitMix(seed: 21)
    var graph: OpaquePointer?
    try #require(fov_graph_create(&graph) == .ok)
    var diagnostic = fov_diagnostic()
    var shape = fov_shape(sizes: [1, 16, 20, 20])
    var input = fov_value()
    try #require(fov_graph_add_input(graph!, "x", .float32, &shape, &input, &diagnostic) == .ok)
    func convolve(_ value: fov_value) throws -> fov_value {
      let test = ConvolutionCase(
        input: [1, 16, 20, 20], outputChannels: 16, before: [1, 1], after: [1, 1])
      let codes = (0..<16 * 16 * 9).map { _ in UInt8.random(in: 0...255, using: &random) }
      let table = (0..<256).map { _ in Float.random(in: -0.1...0.1, using: &random) }
      var parameters = test.parameters
      var out = fov_value()
      let status = StoredWeights.table(codes, bits: 8, table: table).withDescription {
        fov_graph_add_convolution(graph!, &parameters, $0, nil, value, &out, &diagnostic)
      }
      try #require(status == .ok)
      return out
    }
    let first = try convolve(input)
    let second = try convolve(first)
    var sum = fov_value()
    try #require(fov_graph_add_binary(graph!, .add, second, first, &sum, &diagnostic) == .ok)
    var flat = fov_shape(sizes: [16, 400])
    var reshaped = fov_value()
    try #require(fov_graph_add_reshape(graph!, &flat, sum, &reshaped, &diagnostic) == .ok)
    var unary = fov_unary(function: .tanh, alpha: 0, beta: 0)
    var result = fov_value()
    try #require(fov_graph_add_unary(graph!, &unary, reshaped, &result, &diagnostic) == .ok)
    try #require(fov_graph_mark_output(graph!, result, "y", &diagnostic) == .ok)
    var options = fov_model_options_default()
    options.thread_count = threads
    options.backend = backend
    var model: OpaquePointer?
    try #require(fov_model_create(graph!, &options, &model, &diagnostic) == .ok)
    return model!
  }

  private func fill(_ session: OpaquePointer, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var data: UnsafeMutableRawPointer?
    var bytes = 0
    try #require(fov_session_input(session, 0, &data, &bytes) == .ok)
    try #require(bytes == 16 * 400 * 4)
    let floats = data!.bindMemory(to: Float.self, capacity: 16 * 400)
    for i in 0..<16 * 400 { floats[i] = Float.random(in: -1...1, using: &random) }
  }

  private func output(_ session: OpaquePointer) throws -> [Float] {
    var data: UnsafeRawPointer?
    var bytes = 0
    try #require(fov_session_output(session, 0, &data, &bytes) == .ok)
    return [Float](UnsafeRawBufferPointer(start: data, count: bytes).bindMemory(to: Float.self))
  }

  @Test func anyNumberOfThreadsGivesTheSameBytes() throws {
    var results: [[Float]] = []
    for threads in [1, 2, 3, 8] {
      let model = try makeModel(threads: threads)
      defer { fov_model_destroy(model) }
      let session = try SessionUnderTest(of: model, threads: threads)
      try fill(session.handle, seed: 1)
      for _ in 0..<5 {
        session.run()
        results.append(try session.output(0))
      }
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(results[0].contains { $0 != 0 })
  }

  @Test func aPoolLargerThanThePlanIsNoDanger() throws {
    let model = try makeModel(threads: 1)
    defer { fov_model_destroy(model) }
    let session = try SessionUnderTest(of: model, threads: 8)
    try fill(session.handle, seed: 1)
    session.run()
    #expect(try session.output(0).allSatisfy { $0.isFinite })
  }

  @Test func aSessionLivesInTheCallersMemory() throws {
    let model = try makeModel(threads: 2)
    defer { fov_model_destroy(model) }
    let bytes = fov_model_memory(model).session_bytes
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes + 64, alignment: 64)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: bytes + 64)
    var session: OpaquePointer?
    #expect(fov_session_create_in(model, nil, memory, bytes - 1, &session) == .buffer_too_small)
    #expect(fov_session_create_in(model, nil, memory + 4, bytes, &session) == .invalid_argument)
    try #require(fov_session_create_in(model, nil, memory, bytes, &session) == .ok)
    try fill(session!, seed: 9)
    fov_session_run(session!)
    let inPlace = try output(session!)
    fov_session_destroy(session)
    let behind = UnsafeRawBufferPointer(start: memory + bytes, count: 64)
    #expect(behind.allSatisfy { $0 == 0xA5 }, "written behind the session's memory")

    var other: OpaquePointer?
    try #require(fov_session_create(model, nil, &other) == .ok)
    defer { fov_session_destroy(other) }
    try fill(other!, seed: 9)
    fov_session_run(other!)
    #expect(try output(other!) == inPlace)
  }

  @Test func aRunKeepsItsInput() throws {
    let model = try makeModel(threads: 1, backend: .reference)
    defer { fov_model_destroy(model) }
    var session: OpaquePointer?
    try #require(fov_session_create(model, nil, &session) == .ok)
    defer { fov_session_destroy(session) }
    try fill(session!, seed: 2)
    fov_session_run(session!)
    let first = try output(session!)
    fov_session_run(session!)
    #expect(try output(session!) == first)
  }

  @Test func theArenaIsSmallerThanTheSumOfItsTensors() throws {
    let model = try makeModel(threads: 1, backend: .reference)
    defer { fov_model_destroy(model) }
    let plane = 16 * 400 * 4
    // Input, first, second: the addition, the reshape and tanh continue the second one's memory.
    let memory = fov_model_memory(model)
    #expect(memory.arena_bytes >= 3 * plane)
    #expect(memory.arena_bytes <= 3 * plane + memory.workspace_bytes + 64)
  }

  @Test func timesAddUp() throws {
    let model = try makeModel(threads: 1)
    defer { fov_model_destroy(model) }
    var session: OpaquePointer?
    try #require(fov_session_create(model, nil, &session) == .ok)
    defer { fov_session_destroy(session) }
    fov_session_set_timing(session!, true)
    fov_session_run(session!)
    var timing = fov_timing()
    try #require(fov_session_node_timing(session!, 0, &timing) == .ok)
    #expect(timing.multiplication > 0 && timing.gathering > 0 && timing.lookup > 0)
    #expect(timing.multiplication + timing.gathering + timing.lookup <= timing.total)
    #expect(fov_session_node_timing(session!, 99, &timing) == .invalid_argument)
  }
}
