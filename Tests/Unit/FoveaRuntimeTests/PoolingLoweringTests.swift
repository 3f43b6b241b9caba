// Fovea - pooling against loops.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct PoolingLoweringTests {
  /// One plane; windows at i * stride - before, clipped to the plane.
  static func naive(
    _ x: [Float], _ height: Int, _ width: Int, _ operation: PoolingOperation, kernel: Int,
    stride: Int, before: Int, output: (Int, Int)
  ) -> [Float] {
    (0..<output.0).flatMap { row in
      (0..<output.1).map { column in
        var inside: [Float] = []
        for r in row * stride - before..<row * stride - before + kernel where r >= 0 && r < height {
          for c in column * stride - before..<column * stride - before + kernel
          where c >= 0 && c < width { inside.append(x[r * width + c]) }
        }
        return switch operation {
        case .maximum: inside.max() ?? .nan
        case .average: inside.reduce(0, +) / Float(inside.count)
        case .l2: inside.reduce(0) { $0 + $1 * $1 }.squareRoot()
        }
      }
    }
  }

  static func layer(
    _ operation: PoolingOperation, kernel: Int, stride: Int, _ padding: PoolingPadding
  ) -> LayerKind {
    .pooling(
      PoolingLayer(
        operation: operation,
        windows: PoolingWindows(
          size: SpatialSize(height: kernel, width: kernel),
          stride: SpatialSize(height: stride, width: stride), padding: padding),
        excludesPadding: true))
  }

  @Test(arguments: [PoolingOperation.maximum, .average, .l2])
  func everyPaddingByTheDefinition(operation: PoolingOperation) throws {
    let cases: [(PoolingPadding, Int, Int, Int, (Int, Int))] = [
      (.valid(BorderAmounts()), 2, 2, 0, (3, 3)),
      (.valid(BorderAmounts(top: 1, bottom: 1, left: 1, right: 1)), 3, 2, 1, (4, 3)),
      (.same(.bottomRight), 2, 1, 0, (7, 6)),
      (.same(.topLeft), 2, 1, 1, (7, 6)),
      (.includeLastPixel(height: 0, width: 0), 3, 2, 0, (3, 3)),
      (.includeLastPixel(height: 0, width: 0), 3, 3, 0, (3, 2)),
      (.includeLastPixel(height: 1, width: 1), 2, 3, 1, (3, 3)),
    ]
    for (padding, kernel, stride, before, output) in cases {
      let input = try tensor([1, 1, 7, 6])
      let result = try LayerRunner().run(
        Self.layer(operation, kernel: kernel, stride: stride, padding), [input])
      #expect(result.shape == [1, 1, output.0, output.1], "\(padding)")
      expectClose(
        result.floats(),
        Self.naive(
          input.floats(), 7, 6, operation, kernel: kernel, stride: stride, before: before,
          output: output))
    }
  }

  @Test func paddingNeverWinsAMaximum() throws {
    let input = try Tensor(shape: [1, 1, 2, 2], floats: [-5, -6, -7, -8])
    let padding = PoolingPadding.valid(BorderAmounts(top: 1, bottom: 1, left: 1, right: 1))
    let result = try LayerRunner().run(
      Self.layer(.maximum, kernel: 2, stride: 2, padding), [input])
    #expect(result.floats() == [-5, -6, -7, -8])
  }

  @Test func globalPoolingCoversThePlane() throws {
    let input = try tensor([1, 3, 5, 4])
    let layer = PoolingLayer(operation: .average, windows: nil)
    let result = try LayerRunner().run(.pooling(layer), [input])
    #expect(result.shape == [1, 3, 1, 1])
    let values = input.floats()
    let means = (0..<3).map { values[$0 * 20..<$0 * 20 + 20].reduce(0, +) / 20 }
    expectClose(result.floats(), means)
  }

  @Test func aWindowLargerThanThePlaneIsRefused() throws {
    let error = try LayerRunner().failure(
      Self.layer(.maximum, kernel: 9, stride: 1, .valid(BorderAmounts())), [[1, 1, 4, 4]])
    #expect(error.code == .shapeMismatch)
    #expect(error.message.contains("does not fit"))
  }
}
