// Fovea - windows of TensorFlow Lite: padding, strides, dilation, channels last.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLiteWindowTests {
  /// Sizes and strides of which "same" padding is even, odd or nothing.
  static let windows: [(size: Int, windows: TensorFlowWindows)] = [5, 6, 7, 8].flatMap { size in
    [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2)].flatMap { kernel, stride in
      [true, false].map { (size, TensorFlowWindows(kernel: kernel, stride: stride, isSame: $0)) }
    } + [(size, TensorFlowWindows(kernel: 2, stride: 1, dilation: 3))]
  }

  private func options(_ windows: TensorFlowWindows) -> [Int: FlatValue] {
    [
      0: .byte(windows.isSame ? 0 : 1), 1: .int(Int32(windows.stride)),
      2: .int(Int32(windows.stride)),
    ]
  }

  @Test func convolutionsPadAsTensorFlowDoes() throws {
    for (size, windows) in Self.windows {
      let image = ChannelsLastImage(size, size + 1, 2)
      let kernel = ChannelsLastImage(windows.kernel * 3, windows.kernel, 2, seed: 2)
      let (rows, top) = windows.placed(on: size)
      let (columns, left) = windows.placed(on: size + 1)
      var expected: [Float] = []
      for place in 0..<rows * columns * 3 {
        let (y, x, output) = (place / 3 / columns, place / 3 % columns, place % 3)
        var sum: Float = 0
        for tap in 0..<windows.kernel * windows.kernel * 2 {
          let (row, column) = (tap / 2 / windows.kernel, tap / 2 % windows.kernel)
          let pixel = image.at(
            y * windows.stride + row * windows.dilation - top,
            x * windows.stride + column * windows.dilation - left, tap % 2)
          let weight = kernel.at(output * windows.kernel + row, column, tap % 2) ?? 0
          sum += (pixel ?? 0) * weight
        }
        expected.append(max(sum, 0))
      }
      let side = Int32(windows.kernel)
      let more: [Int: FlatValue] = [
        3: .byte(1), 4: .int(Int32(windows.dilation)), 5: .int(Int32(windows.dilation)),
      ]
      let file = TensorFlowLiteWriter.one(
        image.shape, to: [1, Int32(rows), Int32(columns), 3], .convolution,
        options(windows).merging(more) { first, _ in first }
      ) { [$0.constant("w", [3, side, side, 2], kernel.numbers)] }
      #expect(try file.run(["x": image.numbers]) == expected, "\(size) \(windows)")
    }
  }

  /// Channel c gives the channels 2c and 2c + 1.
  @Test func depthwiseConvolutionsMultiplyChannels() throws {
    let image = ChannelsLastImage(4, 5, 3)
    let weights: [Float] = [-2, -1, 0, 1, 2, 3]
    let file = TensorFlowLiteWriter.one(
      image.shape, to: [1, 4, 5, 6], .depthwiseConvolution,
      [1: .int(1), 2: .int(1), 3: .int(2), 4: .byte(3)]
    ) { [$0.constant("w", [1, 1, 1, 6], weights)] }
    let expected = (0..<120).map { place -> Float in
      let number: Float = image.numbers[place / 6 * 3 + place % 6 / 2] * weights[place % 6]
      return min(max(number, 0), 6)
    }
    #expect(try file.run(["x": image.numbers]) == expected)
  }

  @Test func poolingLeavesOutWhatIsOutside() throws {
    for (size, windows) in Self.windows where windows.dilation == 1 {
      let image = ChannelsLastImage(size, size + 1, 2)
      let (rows, top) = windows.placed(on: size)
      let (columns, left) = windows.placed(on: size + 1)
      for kind in [TensorFlowLiteKind.averagePool, .maxPool] {
        let expected = (0..<rows * columns * 2).map { place -> Float in
          let (y, x) = (place / 2 / columns, place / 2 % columns)
          let inside = (0..<windows.kernel * windows.kernel).compactMap { tap in
            image.at(
              y * windows.stride + tap / windows.kernel - top,
              x * windows.stride + tap % windows.kernel - left, place % 2)
          }
          return kind == .maxPool
            ? inside.max() ?? 0 : inside.reduce(0, +) / Float(inside.count)
        }
        let side = Int32(windows.kernel)
        let file = TensorFlowLiteWriter.one(
          image.shape, to: [1, Int32(rows), Int32(columns), 2], kind,
          options(windows).merging([3: .int(side), 4: .int(side)]) { first, _ in first })
        let found = try file.run(["x": image.numbers])
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(size) \(windows)")
        #expect(found.count == expected.count)
      }
    }
  }

  // MARK: Graphs

  /// Borders become padding, and images stay in the order of convolutions.
  @Test func noTransposeAndNoBorderIsLeftBetweenConvolutions() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 8, 8, 3])
    let border = file.constant("p", [4, 2], [0, 0, 1, 1, 1, 1, 0, 0] as [Int32])
    let w = file.constant("w", [3, 3, 3, 3], (0..<81).map { Float($0) / 81 })
    var last = x
    for number in 0..<4 {
      let padded = file.tensor("padded\(number)", [1, 10, 10, 3])
      file.add(.pad, [last, border], [padded])
      let y = file.tensor("y\(number)", [1, 8, 8, 3])
      file.add(.convolution, [padded, w], [y], [0: .byte(1), 1: .int(1), 2: .int(1)])
      let sum = file.tensor("sum\(number)", [1, 8, 8, 3])
      file.add(.add, [y, last], [sum], [0: .byte(1)])
      last = sum
    }
    file.outputs = [last]
    let model = try Model(
      bytes: file.bytes(), name: "test", options: .init(backend: .blas(keepsAllLayers: true)))
    let kinds = model.nodes.map(\.operation)
    #expect(kinds.count { $0 == "transpose" } == 2)
    #expect(!kinds.contains("padding"))
    #expect(kinds.count { $0 == "convolution" } == 4)
  }
}
