// Fovea - tests of looking at what nodes write.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// Collects what every node of a run writes.
final class NodeObserver {
  /// Of each node: the number of its value, `none` for conversions, and its elements.
  private let nodes: [(value: Int, count: Int)]
  private var seen: [Int: [Float]] = [:]
  /// The core's FOV_NO_VALUE.
  static let none = Int(bitPattern: UInt.max)
  private var order: [Int] = []

  init(_ model: OpaquePointer) throws {
    nodes = try (0..<fov_model_node_count(model)).map { index in
      try withUnsafeTemporaryAllocation(of: fov_node_information.self, capacity: 1) { buffer in
        try #require(fov_model_node(model, index, buffer.baseAddress!) == .ok)
        return (buffer[0].value, buffer[0].output.sizes.reduce(1, *))
      }
    }
  }

  /// What the last of some runs shows, by the number of the value.
  func values(of session: SessionUnderTest, frames: Int) throws -> [Int: [Float]] {
    let status = fov_session_set_observer(
      session.handle,
      { context, session, node in
        Unmanaged<NodeObserver>.fromOpaque(context!).takeUnretainedValue().look(session, node)
      }, Unmanaged.passUnretained(self).toOpaque())
    try #require(status == .ok)
    for _ in 0..<frames {
      order = []
      session.run()
      #expect(order == Array(nodes.indices))
    }
    try #require(fov_session_set_observer(session.handle, nil, nil) == .ok)
    seen[Self.none] = nil
    return seen
  }

  private func look(_ session: OpaquePointer, _ node: Int) {
    order.append(node)
    var elements = [Float](repeating: .nan, count: nodes[node].count)
    #expect(fov_session_read_node(session, node, &elements, elements.count) == .ok)
    #expect(fov_session_read_node(session, node, &elements, elements.count - 1) != .ok)
    #expect(fov_session_read_node(session, nodes.count, &elements, elements.count) != .ok)
    seen[nodes[node].value] = elements
  }
}

@Suite struct ObservationTests {
  /// Every value that a backend still has is, within rounding, what the layers one by one make of it,
  /// whatever is fused and wherever it lies: in planes, with channels last, inside a concatenation.
  @Test(arguments: [fov_backend.reference, .blas, .float32])
  func valuesAreThoseOfTheLayersOneByOne(_ backend: fov_backend) throws {
    for seed in 0..<20 as Range<UInt64> {
      let network = RandomNetwork(seed: seed)
      let expected = try NetworkRun(network, .reference, observes: true, keepsAllNodes: true)
      let found = try NetworkRun(network, backend, threads: 2, frames: 2, observes: true)
      #expect(!found.values.isEmpty && found.values.count <= expected.values.count)
      for (value, elements) in found.values {
        let exact = try #require(expected.values[value])
        #expect(signalToNoise(elements, exact) > 90, "seed \(seed), value \(value)")
      }
      let plain = try NetworkRun(network, backend, threads: 2)
      #expect(plain.bits == found.bits)
    }
  }

  /// Channels that were rescaled before they became codes are seen at their own scale: the values of a
  /// network whose channels differ by up to 2^7 are near, and so is each channel.
  @Test(arguments: [1, 2] as [Float])
  func rescaledCodesAreSeenAtTheirOwnScale(_ spread: Float) throws {
    let network = UnevenBottleneck(spread: spread)
    let expected = try NetworkRun(network, .float32, observes: true)
    let ranges = try NetworkRun(network, .float32, measures: true).ranges
    let found = try NetworkRun(network, .int8, ranges: ranges, observes: true)
    #expect(try NetworkRun(network, .int8, ranges: ranges).bits == found.bits)
    #expect(found.values.count >= 4)
    let plane = UnevenBottleneck.side * UnevenBottleneck.side
    for (value, elements) in found.values {
      let exact = try #require(expected.values[value])
      for channel in 0..<exact.count / plane {
        let part = channel * plane..<(channel + 1) * plane
        let decibels = signalToNoise(Array(elements[part]), Array(exact[part]))
        #expect(decibels > 12, "value \(value), channel \(channel): \(decibels) dB")
      }
    }
  }

  /// A channel that did not move during the calibration has a scale too, and the codes do not change
  /// because somebody looks.
  @Test func channelsThatNeverMovedChangeNothing() throws {
    let network = UnevenBottleneck(spread: 4)
    var ranges = try NetworkRun(network, .float32, measures: true).ranges
    for index in stride(from: 0, to: ranges.count, by: 3) { ranges[index] = fov_channel_summary() }
    let found = try NetworkRun(network, .int8, ranges: ranges, observes: true)
    #expect(try NetworkRun(network, .int8, ranges: ranges).bits == found.bits)
    #expect(found.values.values.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test func onlyModelsMadeForItAreObserved() throws {
    var graph: OpaquePointer?
    try #require(fov_graph_create(&graph) == .ok)
    try UnevenBottleneck(spread: 1).build(graph!)
    var options = fov_model_options_default()
    var (model, diagnostic) = (OpaquePointer?.none, fov_diagnostic())
    try #require(fov_model_create(graph!, &options, &model, &diagnostic) == .ok)
    defer { fov_model_destroy(model) }
    let session = try SessionUnderTest(of: model!, threads: 1)
    #expect(fov_session_set_observer(session.handle, { _, _, _ in }, nil) == .unsupported)
    #expect(fov_session_set_observer(session.handle, nil, nil) == .ok)
  }

  /// Following writers from the last node leads through every node of a chain to the input.
  @Test func writersLeadToTheInput() throws {
    var graph: OpaquePointer?
    try #require(fov_graph_create(&graph) == .ok)
    try UnevenBottleneck(spread: 1).build(graph!)
    var options = fov_model_options_default()
    options.backend = .float32
    var (model, diagnostic) = (OpaquePointer?.none, fov_diagnostic())
    try #require(fov_model_create(graph!, &options, &model, &diagnostic) == .ok)
    defer { fov_model_destroy(model) }
    var node = fov_model_node_count(model!) - 1
    var steps = 0
    while true {
      var writer = 0
      try #require(fov_model_node_writer(model!, node, 0, &writer) == .ok)
      if writer == NodeObserver.none { break }
      #expect(writer < node)
      (node, steps) = (writer, steps + 1)
    }
    #expect(node == 0 && steps >= 4)
    var writer = 0
    #expect(fov_model_node_writer(model!, 0, 1, &writer) == .invalid_argument)
    #expect(fov_model_node_writer(model!, 999, 0, &writer) == .invalid_argument)
  }
}
