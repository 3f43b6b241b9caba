// Fovea - tests: layers that change shapes.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct ShapeLayerTests {
  private func kind(
    _ type: Int, inputs: [String] = ["x"], outputs: [String] = ["y"],
    _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> LayerKind {
    try ModelBuilder.kind(type, inputs: inputs, outputs: outputs, fill)
  }

  private func code(
    _ type: Int, outputs: [String] = ["y"], _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> ModelFormatError.Code {
    try formatError { _ = try kind(type, outputs: outputs, fill) }.code
  }

  @Test func reshapes() throws {
    #expect(
      try kind(300) {
        $0.integers(1, [2, 3, 4])
        $0.integer(2, 1)
      } == .reshape(ReshapeLayer(targetShape: [2, 3, 4], order: .channelLast)))
    #expect(try code(300) { $0.integers(1, [2, 3]) } == .invalidValue)
    #expect(try code(300) { $0.integers(1, [2, 3, -1]) } == .invalidValue)
    #expect(try code(300) { $0.integers(1, [1 << 20, 1 << 20, 1]) } == .limitExceeded)
    #expect(try kind(1140) { $0.integers(1, [-1, 3]) } == .reshapeStatic(shape: [-1, 3]))
    #expect(try code(1140) { $0.integers(1, [-1, -1]) } == .invalidValue)
    #expect(try code(1140) { $0.integers(1, [0, 1]) } == .invalidValue)
    #expect(try code(1140) == .invalidValue)
    #expect(try kind(1150) { $0.integers(1, [0, -1]) } == .rankPreservingReshape(shape: [0, -1]))
    #expect(try kind(301) { $0.integer(1, 1) } == .flatten(.channelLast))
    #expect(try kind(1130) { $0.integer(1, -2) } == .flattenTo2D(axis: -2))
    #expect(
      try kind(1120) { $0.integers(1, [0]) } == .squeeze(SqueezeLayer(axes: [0])))
    #expect(
      try kind(1120) { $0.integer(2, 1) } == .squeeze(SqueezeLayer(axes: [], squeezesAll: true)))
    #expect(try kind(1125) { $0.integers(1, [0, -1]) } == .expandDimensions(axes: [0, -1]))
  }

  @Test func permutations() throws {
    #expect(try kind(310) { $0.integers(1, [0, 3, 1, 2]) } == .permute(axes: [0, 3, 1, 2]))
    #expect(try code(310) { $0.integers(1, [0, 1, 2]) } == .invalidValue)
    #expect(try code(310) { $0.integers(1, [0, 1, 2, 2]) } == .invalidValue)
    #expect(try kind(985) { $0.integers(1, [1, 0]) } == .transpose(axes: [1, 0]))
    #expect(try code(985) { $0.integers(1, [1, 2]) } == .invalidValue)
    #expect(try code(985) { $0.integers(1, [0, 1 << 62]) } == .invalidValue)
  }

  @Test func joinsAndPieces() throws {
    #expect(
      try kind(320, inputs: ["x", "z"]) { $0.integer(100, 1) } == .concat(alongSequence: true))
    #expect(
      try kind(980, inputs: ["x", "z"]) {
        $0.integer(1, -3)
        $0.integer(2, 1)
      } == .concatND(ConcatNDLayer(axis: -3, interleaves: true)))
    #expect(try kind(330, outputs: ["y", "z"]) { $0.integer(1, 2) } == .split(count: 2))
    #expect(try code(330) { $0.integer(1, 2) } == .invalidValue)
    #expect(
      try kind(975, outputs: ["y", "z"]) {
        $0.integer(1, 1)
        $0.integers(3, [5, 6])
      } == .splitND(SplitNDLayer(axis: 1, splitCount: 0, splitSizes: [5, 6])))
    #expect(try code(975) == .invalidValue)
    #expect(try kind(925, inputs: ["x", "z"]) { $0.integer(1, 1) } == .stack(axis: 1))
    #expect(try kind(920) { $0.integers(1, [2, 3]) } == .tile(repetitions: [2, 3]))
  }

  @Test func slices() throws {
    func slice(
      _ start: Int, _ end: Int, _ stride: Int = 1
    ) -> (inout ProtobufWriter) -> Void {
      {
        $0.integer(1, start)
        $0.integer(2, end)
        $0.integer(3, stride)
        $0.integer(4, 2)
      }
    }
    #expect(
      try kind(350, slice(1, -1, 2))
        == .slice(SliceLayer(start: 1, end: -1, stride: 2, axis: .width)))
    #expect(try code(350, slice(3, 3)) == .invalidValue)
    #expect(try code(350, slice(-1, -2)) == .invalidValue)
    #expect(try code(350, slice(0, 4, 0)) == .invalidValue)
    #expect(try code(350, slice(Int.min, -1)) == .invalidValue)
    #expect(try code(350, slice(0, Int.max)) == .limitExceeded)
    let full = try kind(995) {
      $0.integers(1, [0, Int.min])
      $0.integers(2, [0, 1])
      $0.integers(3, [4, Int.max])
      $0.integers(4, [1, 0])
      $0.integers(5, [1, -1])
    }
    let limit = Int(Int32.max)
    #expect(
      full
        == .sliceStatic(
          SliceStaticLayer(
            begins: [0, -limit], beginMasks: [false, true], ends: [4, limit],
            endMasks: [true, false], strides: [1, -1], squeezeMasks: [false, false])))
    #expect(try code(995) { $0.integers(1, [0]) } == .invalidValue)
  }

  @Test func constantsAndFills() throws {
    guard
      case .loadConstant(let constant) = try kind(
        290, inputs: [],
        {
          $0.integers(1, [1, 2, 2])
          $0.message(2, ModelBuilder.weights([1, 2, 3, 4]))
        })
    else { throw Missing(what: "a constant") }
    #expect(constant.shape == [1, 2, 2])
    #expect(constant.count == 4)
    #expect(try constant.data.decoded(count: 4) == [1, 2, 3, 4])
    #expect(
      try kind(1085, inputs: []) {
        $0.float(1, 7)
        $0.integers(2, [3])
      } == .fillStatic(FillStaticLayer(value: 7, shape: [3])))
    #expect(try kind(1105) { $0.integers(1, [4, 5]) } == .broadcastToStatic(shape: [4, 5]))
    #expect(
      try kind(1155) {
        $0.float(1, 1)
        $0.integers(2, [0, 1, 2, 3])
      } == .constantPad(ConstantPadLayer(value: 1, amounts: [0, 1, 2, 3])))
    #expect(try code(1155) { $0.integers(2, [1]) } == .invalidValue)
  }
}
