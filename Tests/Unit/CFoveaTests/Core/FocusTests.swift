// Fovea - tests of every second row and column, concatenated and convolved.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// Four slices of an image, a concatenation, and a convolution with a border.
private struct FocusedImage: CustomStringConvertible, Sendable {
  var shape = [3, 12, 10]
  /// Rows and columns at which the slices begin.
  var begins = [[0, 0], [1, 0], [0, 1], [1, 1]]
  /// Whether rows are sliced first, then columns.
  var inTwoSteps = true
  var kernel = [3, 3]
  var stride = [1, 1]
  var isFolded = true

  var description: String {
    "\(shape), \(begins), two steps: \(inTwoSteps), kernel \(kernel), stride \(stride)"
  }

  private var halves: [Int] { [shape[0], shape[1] / 2, shape[2] / 2] }

  func add(
    _ graph: OpaquePointer, _ input: fov_value, _ out: UnsafeMutablePointer<fov_value>,
    _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_status {
    let parts = begins.map { begin in
      guard inTwoSteps else {
        return slice(graph, input, [0] + begin, halves, [1, 2, 2], diagnostic)
      }
      let rows = slice(
        graph, input, [0, begin[0], 0], [shape[0], halves[1], shape[2]], [1, 2, 1], diagnostic)
      return slice(graph, rows, [0, 0, begin[1]], halves, [1, 1, 2], diagnostic)
    }
    var joined = fov_value()
    guard fov_graph_add_concat(graph, 0, parts, parts.count, &joined, diagnostic) == .ok else {
      return .invalid_graph
    }
    let test = ConvolutionCase(
      input: [parts.count * shape[0], halves[1], halves[2]], outputChannels: 5, kernel: kernel,
      stride: stride, before: [1, 0], after: [1, 2])
    var random = SplitMix(seed: 3)
    let weights = (0..<test.weightShape.reduce(1, *)).map { _ in
      Float.random(in: -1...1, using: &random)
    }
    var parameters = test.parameters
    return StoredWeights.float32(weights).withDescription { weights in
      StoredWeights.float32([1, -1, 2, 0.5, 0]).withDescription { bias in
        fov_graph_add_convolution(graph, &parameters, weights, bias, joined, out, diagnostic)
      }
    }
  }

  private func slice(
    _ graph: OpaquePointer, _ input: fov_value, _ begin: [Int], _ count: [Int], _ stride: [Int64],
    _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_value {
    var slice = fov_slice(begin: begin, count: count, stride: stride)
    var value = fov_value()
    #expect(fov_graph_add_slice(graph, &slice, input, &value, diagnostic) == .ok)
    return value
  }
}

@Suite struct FocusTests {
  private static let images = [
    FocusedImage(),
    FocusedImage(begins: [[1, 1], [0, 0], [0, 1], [1, 0]], inTwoSteps: false),
    // One place twice, and none of another.
    FocusedImage(begins: [[0, 0], [0, 0], [0, 1], [1, 1]]),
    FocusedImage(shape: [1, 8, 14], kernel: [1, 2], stride: [2, 1]),
    FocusedImage(shape: [4, 8, 6], inTwoSteps: false, kernel: [2, 3]),
    // What is left alone: many channels, and a last row that no slice reads.
    FocusedImage(shape: [5, 8, 6], isFolded: false),
    FocusedImage(shape: [3, 9, 6], begins: [[0, 0], [1, 0], [0, 1], [1, 1]], isFolded: false),
  ]

  @Test(arguments: images, [fov_backend.reference, .float32])
  private func slicesMoveIntoTheConvolution(image: FocusedImage, backend: fov_backend) throws {
    var random = SplitMix(seed: 4)
    let input = DenseArray(
      image.shape,
      (0..<image.shape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) })
    let add: AddOperation = { graph, inputs, out, diagnostic in
      image.add(graph, inputs[0], out, diagnostic)
    }
    let plain = try GraphRunner.run([input], add: add)
    let folded = try GraphRunner.run(
      [input],
      options: RunOptions(
        backend: backend, folds: true,
        expectedNodes: image.isFolded && backend == .reference ? 1 : nil),
      add: add)
    expectClose(folded, plain, relative: 1e-5, absolute: 1e-5)
  }
}
