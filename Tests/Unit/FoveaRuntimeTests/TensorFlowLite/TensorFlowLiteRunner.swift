// Fovea - runs TensorFlow Lite files in tests.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

extension TensorFlowLiteWriter {
  /// Runs the file on arrays by the names of its inputs, and returns its first output.
  func run(
    _ inputs: [String: [Float]], _ backend: BackendOptions = .reference
  ) throws -> [Float] {
    let model = try Model(bytes: bytes(), name: "test", options: .init(backend: backend))
    let session = try Session(model: model)
    for port in model.inputs {
      let floats = try #require(inputs[port.name])
      try session.setInput(port.name, to: FoveaRuntime.Tensor(shape: port.shape, floats: floats))
    }
    session.run()
    return try session.output(model.outputs[0].name).floats()
  }

  /// The words with which the file is refused.
  func refusal(sourceLocation: SourceLocation = #_sourceLocation) -> String {
    do throws(FoveaError) {
      _ = try Model(bytes: bytes(), name: "test", options: .init(backend: .reference))
    } catch { return error.message }
    Issue.record("the file is not refused", sourceLocation: sourceLocation)
    return ""
  }

  /// A file of one operation that reads "x", whose weights and parameters are added by `fill`.
  static func one(
    _ shape: [Int32], to result: [Int32], _ kind: TensorFlowLiteKind,
    _ options: [Int: FlatValue] = [:],
    fill: (inout TensorFlowLiteWriter) -> [Tensor] = { _ in [] }
  ) -> TensorFlowLiteWriter {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", shape)
    let others = fill(&file)
    let y = file.tensor("y", result)
    file.add(kind, [x] + others, [y], options)
    file.outputs = [y]
    return file
  }
}

/// Images as TensorFlow has them: [rows, columns, channels] of one image.
struct ChannelsLastImage {
  var rows: Int
  var columns: Int
  var channels: Int
  var numbers: [Float]

  /// Small whole numbers, whose products and sums are exact.
  init(_ rows: Int, _ columns: Int, _ channels: Int, seed: UInt64 = 1) {
    (self.rows, self.columns, self.channels) = (rows, columns, channels)
    var random = SplitMix(seed: seed)
    numbers = (0..<rows * columns * channels).map { _ in
      Float(Int.random(in: -9...9, using: &random))
    }
  }

  var shape: [Int32] { [1, Int32(rows), Int32(columns), Int32(channels)] }

  /// A number; `nil` outside.
  func at(_ row: Int, _ column: Int, _ channel: Int) -> Float? {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return nil }
    return numbers[(row * columns + column) * channels + channel]
  }
}

/// Windows as TensorFlow lays them.
struct TensorFlowWindows {
  var kernel: Int
  var stride: Int
  var dilation = 1
  var isSame = true

  /// The number of windows and the elements before the first.
  func placed(on size: Int) -> (count: Int, before: Int) {
    let reach = (kernel - 1) * dilation + 1
    guard isSame else { return ((size - reach) / stride + 1, 0) }
    let count = (size + stride - 1) / stride
    return (count, max((count - 1) * stride + reach - size, 0) / 2)
  }
}
